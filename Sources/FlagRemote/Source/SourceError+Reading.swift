public import FlagModel

extension SourceError {
    /// Reads a document; errors name its path or source.
    public static func reading<Value>(
        _ path: String, _ read: () throws(DocumentError) -> Value
    ) throws(SourceError) -> Value {
        do throws(DocumentError) {
            return try read()
        } catch {
            throw SourceError(error, of: path)
        }
    }
}
