import FlagModel
import FlagStorage

/// Overrides as a file or standard input holds them.
struct ImportFile {
    /// The file; `nil` is standard input.
    let path: String?
    /// What messages call it.
    let origin: String

    /// The overrides, each a value that its flag may have.
    ///
    /// - Throws: what is wrong with the file, or with the first value that is not allowed.
    func values(_ workspace: Workspace, allowsAny: Bool, allowsNew: Bool) throws(CommandFailure) -> [String: String] {
        let values = try readValues()
        var checked: [String: String] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let facts = try workspace.facts(of: key, allowsNew: allowsNew) else {
                checked[key] = value
                continue
            }
            checked[key] = try facts.checked(value, allowsAny: allowsAny)
        }
        return checked
    }

    private func readValues() throws(CommandFailure) -> [String: String] {
        let typed = path == nil ? try StandardInput.readAll() : []
        do throws(ImportRefusal) {
            guard let path else { return try ImportedValues.read(typed, from: origin) }
            return try ImportedValues.read(file: path, called: origin)
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }
}
