package import FlagModel

/// Where an app's scenarios are: a file each, in the format of an export, beside `flagmenu.json` and in the state folder.
/// The built-in ones have no file.
package struct ScenarioFolders: Sendable {
    /// The name of the folder, beside `flagmenu.json` and in the state folder.
    package static let name = "scenarios"
    private static let suffix = ".json"

    /// The folders; a scenario in an earlier one hides those of the same name in later ones.
    private let folders: [String]
    private var hasProject: Bool { folders.count > 1 }
    private let builtIn: [String: String]
    private let files: FileOperations

    /// - Parameters:
    ///   - project: the folder of `flagmenu.json`; `nil` without a project.
    ///   - state: the app's state folder.
    ///   - builtIn: the texts of scenarios without a file, by name. A file with the same name hides them.
    package init(
        project: String?, state: String, builtIn: [String: String] = [:], files: FileOperations = .live
    ) {
        folders = [project, state].compactMap { $0 }.map { FilePath.join($0, Self.name) }
        (self.builtIn, self.files) = (builtIn, files)
    }

    /// Whether a name is valid: 1 to 60 letters of ASCII, digits, dots, hyphens and underscores, not `.` or `..`.
    package static func isName(_ name: String) -> Bool {
        1...60 ~= name.utf8.count && name != "." && name != ".."
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    /// All scenarios, sorted by name.
    package func all() -> [ScenarioFile] {
        let names = folders.flatMap { (try? files.names($0)) ?? [] }.filter { $0.hasSuffix(Self.suffix) }
            .map { String($0.dropLast(Self.suffix.count)) }
        return Set(names).union(builtIn.keys).sorted().compactMap(scenario)
    }

    /// A scenario; `nil` if there is none of this name.
    package func scenario(_ name: String) -> ScenarioFile? {
        guard Self.isName(name) else { return nil }
        let path = folders.map { FilePath.join($0, name + Self.suffix) }.first { files.kind(of: $0) != nil }
        guard path != nil || builtIn[name] != nil else { return nil }
        let text = builtIn[name] ?? ""
        let content = Result { () throws(InvalidText) in
            var entries =
                if let path {
                    try ImportedValues.entries(ofFile: path, called: FilePath.name(of: path))
                } else {
                    try ImportedValues.entries(of: Array(text.utf8), from: name, at: .system)
                }
            // A scenario without contexts is one in which no context is changed.
            entries.contexts = entries.contexts ?? [:]
            return entries
        }
        return ScenarioFile(name: name, file: path, content: content)
    }

    /// The text of a scenario, as it is in its file.
    package func text(of scenario: ScenarioFile) throws(StorageError) -> String {
        guard let path = scenario.file else { return builtIn[scenario.name] ?? "" }
        return String(decoding: try DurableFile.read(path, files: files) ?? [], as: UTF8.self)
    }

    /// What was done to a scenario: the path of its file, and a sentence or two.
    package typealias Change = (path: String, sentence: String)

    /// Saves changes as a scenario: in the project's folder, if there is one. Others read that folder, so the notes are
    /// left out there unless `withNotes`.
    ///
    /// - Throws: `invalidName`; `takenName`, unless `isReplacing`; or why the file cannot be written.
    package func save(
        _ reading: StoreReading, as name: String, app: String, source: String, evaluations: [SourceEvaluation],
        at time: FlagTimestamp, isReplacing: Bool, withNotes: Bool = false
    ) throws(StorageError) -> Change {
        let withNotes = withNotes || !hasProject
        let text = try reading.exported(
            app: app, source: source, evaluations: evaluations, at: time, withNotes: withNotes)
        let path = try save(text, as: name, isReplacing: isReplacing)
        let count = withNotes ? 0 : reading.table.overrides.values.count { $0.note != nil }
        let notes = count.counted("note is left out", "notes are left out")
        let consequence = count == 0 ? "" : " \(notes), as others read the project's folder."
        return (path, "Saved \(reading.exportedCount) as \(name).\(consequence)")
    }

    /// Saves a text as a scenario, and returns the path of the file.
    package func save(_ text: String, as name: String, isReplacing: Bool) throws(StorageError) -> String {
        try checkFree(name, isReplacing: isReplacing)
        let path = FilePath.join(folders[0], name + Self.suffix)
        try checkInside(path)
        let mode = hasProject ? Folders.ordinaryMode : Folders.privateMode
        try StorageError.duringWrite(of: path, Folders.create(folders[0], mode: mode, files: files))
        try DurableFile.replace(
            path, with: Array(text.utf8), audience: hasProject ? .everyone : .user, files: files)
        return path
    }

    /// Deletes a scenario.
    ///
    /// - Throws: `unknownName`, `refused` if it is built in, or why the file cannot be removed.
    @discardableResult
    package func delete(_ name: String) throws(StorageError) -> Change {
        let path = try path(of: name)
        try StorageError.duringWrite(of: path, files.remove(path))
        return (path, "Deleted \(name).")
    }

    /// Gives a scenario another name, also in the store in which it may be the applied one.
    ///
    /// - Throws: `unknownName`, `invalidName`, `takenName`, `refused` if it is built in, or why the store cannot be
    ///   written or the file not be renamed.
    @discardableResult
    package func rename(_ name: String, to newName: String, in store: OverrideStore) throws(StorageError) -> Change {
        let path = try path(of: name)
        try checkFree(newName, isReplacing: false)
        // First, so that the names do not differ if the store is read-only.
        if let applied = store.read().table.scenario, applied.name == name {
            _ = try store.apply(label: HistoryRecord.renameAction + name) { table in
                table.scenario == applied ? [.applyScenario(applied.renamed(to: newName))] : []
            }
        }
        let newPath = FilePath.join(FilePath.folder(of: path), newName + Self.suffix)
        try StorageError.duringWrite(of: path, files.rename(path, newPath))
        return (newPath, "Renamed \(name) to \(newName).")
    }

    /// A scenario.
    ///
    /// - Throws: `unknownName` if there is none, with the nearest names.
    package func existing(_ name: String) throws(StorageError) -> ScenarioFile {
        guard let file = scenario(name) else {
            let hint = NearestKeys.suggestion(about: name, among: all().lazy.map(\.name), naming: 3)
            throw StorageError(
                code: .unknownName, path: name,
                sentence: "There is no scenario \(JSONOutput.quoted(name, limit: 60)).\(hint)")
        }
        return file
    }

    /// The path of a scenario's file.
    private func path(of name: String) throws(StorageError) -> String {
        let scenario = try existing(name)
        if let reason = scenario.builtInReason { throw StorageError(code: .refused, path: name, sentence: reason) }
        try checkInside(scenario.path)
        return scenario.path
    }

    /// Refuses a link in a cloned repository that leads to another file of the user.
    private func checkInside(_ path: String) throws(StorageError) {
        guard hasProject, FilePath.folder(of: path) == folders[0],
            !DurableFile.isInside(path, FilePath.folder(of: folders[0]))
        else { return }
        throw StorageError(
            code: .refused, path: path, sentence: "\(path) leads out of the project's folder. Nothing was changed.")
    }

    private func checkFree(_ name: String, isReplacing: Bool) throws(StorageError) {
        guard Self.isName(name) else {
            throw StorageError(
                code: .invalidName, path: name,
                sentence: "\(JSONOutput.quoted(name, limit: 80)) cannot name a scenario: use 1 to 60 letters a to z, "
                    + "digits, dots, hyphens and underscores. Nothing was saved.")
        }
        if !isReplacing, let taken = scenario(name) {
            throw StorageError(
                code: .takenName, path: taken.path,
                sentence: "There is a scenario \(name) already, which stays as it is. (\(taken.path))")
        }
    }
}
