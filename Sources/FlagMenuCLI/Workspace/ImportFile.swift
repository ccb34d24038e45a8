import FlagModel
import FlagStorage

/// Overrides in a file or from standard input.
struct ImportFile {
    /// The file; `nil` is standard input.
    let path: String?
    /// Its name in messages.
    let origin: String

    /// The entries of the file; invalid ones with the reason.
    ///
    /// - Throws: the error of the file as a whole.
    func read() throws(CommandFailure) -> ImportEntries {
        let typed = path == nil ? try StandardInput.readAll() : []
        do throws(ImportRefusal) {
            guard let path else { return try ImportedValues.entries(of: typed, from: origin) }
            return try ImportedValues.entries(ofFile: path, called: origin)
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }
}
