public import FlagModel

extension SourceError {
    /// Calls `read`, and converts its error to one that names the document's path or source.
    public static func reading<Value>(
        _ path: String, _ read: () throws(DocumentError) -> Value
    ) throws(SourceError) -> Value {
        do throws(DocumentError) {
            return try read()
        } catch {
            throw SourceError(error, of: path)
        }
    }

    /// The value, with its error converted to one that names the document's path or source.
    package static func reading<Value>(
        _ path: String, value: @autoclosure () throws(DocumentError) -> Value
    ) throws(SourceError) -> Value { try reading(path, value) }
}
