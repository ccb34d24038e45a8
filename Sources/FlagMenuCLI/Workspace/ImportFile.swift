import FlagModel
import FlagStorage

/// Overrides as a file or standard input holds them.
struct ImportFile {
    /// The file; `nil` is standard input.
    let path: String?
    /// What messages call it.
    let origin: String

    /// The entries of the file, each one that cannot be imported with the reason.
    ///
    /// - Throws: what is wrong with the file as a whole.
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
