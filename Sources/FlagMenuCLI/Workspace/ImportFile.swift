import FlagModel
import FlagStorage

/// A file of overrides to import, or standard input.
struct ImportFile {
    /// The path of the file; `nil` is standard input.
    let path: String?
    /// The name of the file in messages.
    let origin: String

    /// Reads the entries of the file; invalid entries have a reason.
    ///
    /// - Throws: an error if the file as a whole cannot be read.
    func read() throws(CommandFailure) -> ImportEntries {
        let input = path == nil ? try StandardInput.readAll() : []
        return try CommandFailure.converting(to: .usage) {
            guard let path else { return try ImportedValues.entries(of: input, from: origin) }
            return try ImportedValues.entries(ofFile: path, called: origin)
        }
    }
}
