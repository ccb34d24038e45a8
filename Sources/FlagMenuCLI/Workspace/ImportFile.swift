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

/// The entries of a file, sorted into those that can be imported and those that cannot.
struct ImportPlan {
    /// The overrides, each a value that its flag may have.
    private(set) var values: [String: String] = [:]
    /// Why other entries cannot be imported, in the order of their keys.
    private(set) var errors: [CommandFailure] = []

    /// The unknown keys among some entries, sorted.
    static func unknownKeys(of entries: ImportEntries, in workspace: Workspace) -> [String] {
        entries.values.keys.filter { workspace.knownFacts(of: $0) == nil }.sorted()
    }

    /// Checks every entry.
    ///
    /// - Throws: that the overrides cannot be read, so that nobody knows which keys are known.
    init(
        _ entries: ImportEntries, in workspace: Workspace, allowsAny: Bool, allowsNew: Bool
    ) throws(CommandFailure) {
        errors = entries.errors.map { CommandFailure(.usage, $0) }
        for (key, value) in entries.values.sorted(by: { $0.key < $1.key }) {
            do throws(CommandFailure) {
                values[key] = try Self.checked(key, value, in: workspace, allowsAny: allowsAny, allowsNew: allowsNew)
            } catch {
                guard error.status != .store else { throw error }
                errors.append(error)
            }
        }
    }

    private static func checked(
        _ key: String, _ value: String, in workspace: Workspace, allowsAny: Bool, allowsNew: Bool
    ) throws(CommandFailure) -> String {
        if allowsNew, workspace.knownFacts(of: key) == nil { return value }
        let verdict = try workspace.facts(of: key).verdict(on: value)
        if case .fitting(let stored) = verdict { return stored }
        guard allowsAny else { throw CommandFailure(.invalidValue, verdict.objection ?? "") }
        return value
    }

    /// Warns of values that are imported although apps cannot read them.
    func warn(in workspace: Workspace) throws(CommandFailure) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            _ = try workspace.knownFacts(of: key)?.checked(value, allowsAny: true)
        }
    }
}
