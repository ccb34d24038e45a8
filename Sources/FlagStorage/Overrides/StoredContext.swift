import FlagModel

/// The entry of a source in the document's `contexts`: a tester's changes, and unknown members.
struct StoredContext: Sendable, Hashable {
    var contextOverride = ContextOverride()
    /// Members of `conditions` that are not valid. They have no effect, and stay until the condition is changed.
    var otherConditions: [OtherMember] = []
    /// Unknown members, and a `context` or `conditions` that is not an object.
    var otherMembers: [OtherMember] = []

    var isEmpty: Bool { contextOverride.isEmpty && otherConditions.isEmpty && otherMembers.isEmpty }

    /// The members that are not objects although they must be.
    var misfits: [String] {
        otherMembers.map(\.name.string).filter { ["context", "conditions"].contains($0) }
    }

    init() {}

    init(reading value: JSONValue) {
        contextOverride = ContextOverride(reading: value)
        for (name, member) in value.members {
            switch (name, member.kind) {
            case ("context", .object): continue
            case ("conditions", .object):
                otherConditions = member.members.filter { $1.bool == nil && $1.kind != .null }
                    .map { OtherMember(name: $0, source: $1.source) }
            default: otherMembers.append(OtherMember(name: name, source: member.source))
            }
        }
    }

    /// The entry as it is written.
    var json: JSONOutput {
        let named = Set(contextOverride.decisions.map(\.condition))
        let conditions =
            contextOverride.decisionsJSON + otherConditions.filter { !named.contains($0.name.string) }.map(\.json)
        let written = [("context", contextOverride.membersJSON), ("conditions", conditions)].filter { !$0.1.isEmpty }
        let others = otherMembers.filter { other in !written.contains { other.name == FlagText($0.0) } }
        return .object(written.map { ($0.0, .object($0.1)) } + others.map(\.json))
    }
}

extension FlagTable<StoredContext> {
    /// Reads the entries of an object, and returns those that are not objects.
    mutating func add(_ sources: JSONValue) -> [OtherMember] {
        var strange: [OtherMember] = []
        for (name, value) in sources.members {
            if value.kind == .object {
                self[name.string] = StoredContext(reading: value)
            } else {
                strange.append(OtherMember(name: name, source: value.source))
            }
        }
        return strange
    }

    /// The changes without unknown members.
    var overrides: FlagTable<ContextOverride> {
        filter { !$0.value.contextOverride.isEmpty }.mapValues(\.contextOverride)
    }

    mutating func apply(_ changes: [ContextPartChange]) {
        for change in changes {
            let source = change.part.source.string
            var entry = self[source] ?? StoredContext()
            entry.contextOverride.apply(change.part.edit(to: change.new))
            self[source] = entry.isEmpty ? nil : entry
        }
    }

    /// The entries as one object, sorted by source.
    func json(and strange: [OtherMember] = []) -> JSONOutput {
        .object(sortedByKey.map { ($0.key, $0.value.json) } + strange.filter { self[$0.name] == nil }.map(\.json))
    }

    /// A sentence for each part that is not an object.
    func issues(_ strange: [OtherMember]) -> [String] {
        let names =
            strange.map { "the context of \($0.name.quoted)" }.sorted()
            + sortedByKey.flatMap { source, entry in
                entry.misfits.map { "the \"\($0)\" of \(FlagText(source).quoted)" }
            }
        return names.map { "\($0) is not an object and has no effect" }
    }
}

/// The file in which earlier versions kept contexts, beside the override file. The first write of a document in the
/// present format merges it and keeps it under another name.
package struct FormerContexts {
    package static let name = "contexts.json"
    /// What the name of a merged file ends with.
    package static let migrated = ".migrated"

    /// The path of the file beside the override file `file`.
    let path: String
    let files: FileOperations

    init(beside file: String, files: FileOperations) {
        path = FilePath.join(FilePath.folder(of: file), Self.name)
        self.files = files
    }

    /// Its entries; empty without a valid file. The sentence is the error of a file that cannot be read.
    func read() -> (contexts: FlagTable<StoredContext>, issue: String?) {
        var contexts: FlagTable<StoredContext> = [:]
        let name = StorageError.quotedName(path)
        do {
            guard let bytes = try DurableFile.read(path, files: files) else { return ([:], nil) }
            let root = try JSONDocument(parsing: bytes).root
            guard let sources = root["sources"], sources.kind == .object else {
                return ([:], "\(name) has no \"sources\": your contexts are not in use. (\(path))")
            }
            _ = contexts.add(sources)
            return (contexts, nil)
        } catch let error as StorageError {
            return ([:], "\(error.sentence) Your contexts are not in use.")
        } catch {
            return ([:], "Damaged at \(error): your contexts in \(name) are not in use. (\(path))")
        }
    }

    /// Renames the file, which has no effect any more.
    ///
    /// - Returns: why it could not be renamed, as a sentence; `nil` if it was, or does not exist.
    func keepAside() -> String? {
        do throws(SystemError) {
            guard try files.statusIfPresent(path) != nil else { return nil }
            try files.rename(path, path + Self.migrated)
            return nil
        } catch {
            return "\(error.text): \(StorageError.quotedName(path)) could not be renamed. It has no effect any more."
        }
    }
}
