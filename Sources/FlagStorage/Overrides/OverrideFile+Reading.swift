import FlagModel

extension StoredContent {
    /// Parses the bytes of a file.
    init(parsing bytes: [UInt8]) {
        do throws(JSONError) {
            let root = try JSONDocument(parsing: bytes).root
            let format = try Self.format(of: root)
            guard format <= OverrideFile.format else {
                self = .newerFormat(format, OverrideFile.reading(root, format).file)
                return
            }
            // Such a file counts as corrupt: it may be of another program, and must not be replaced without a copy.
            guard root["format"] != nil || root["overrides"] != nil else {
                throw JSONError(at: root, "the file has neither \"format\" nor \"overrides\"")
            }
            for name in ["overrides", "contexts"] {
                if let member = root[name], member.kind != .object {
                    throw JSONError(at: member, "\"\(name)\" is not an object")
                }
            }
            let (file, issues) = OverrideFile.reading(root, format)
            let sentences = EntryIssue.sentences(issues) + file.contexts.issues(file.strangeContexts)
            self = .sound(file, issues: sentences, bytes)
        } catch {
            self = .corrupt(error.description, bytes)
        }
    }

    /// The format of a file; 1 if the member `format` is missing, as in files written by hand.
    private static func format(of root: JSONValue) throws(JSONError) -> Int {
        guard root.kind == .object else { throw JSONError(at: root, "the file is not an object") }
        guard let member = root["format"] else { return 1 }
        guard let format = member.wholeNumber, format > 0 else {
            throw JSONError(at: member, "\"format\" is not a positive whole number")
        }
        return format
    }
}

extension OverrideFile {
    /// Parses the known members of the root object and preserves the rest.
    fileprivate static func reading(
        _ root: JSONValue, _ format: Int
    ) -> (file: OverrideFile, issues: [EntryIssue]) {
        var file = OverrideFile(isOfFormat1: format == 1)
        var issues: [EntryIssue] = []
        for (name, value) in root.members {
            switch name {
            case "format": continue
            // 0 if it is invalid, so that the next write continues from the last revision of the history.
            case "revision": file.revision = value.revision ?? 0
            case "overrides": issues = file.addEntries(of: value)
            case "contexts": file.strangeContexts = file.contexts.add(value)
            default: file.otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
        return (file, issues)
    }

    /// The valid overrides in an object.
    static func entries(of overrides: JSONValue) -> [FlagText: StoredOverride] {
        var file = OverrideFile()
        _ = file.addEntries(of: overrides)
        return file.entries
    }

    /// Adds all entries, and returns the issues of invalid ones.
    private mutating func addEntries(of overrides: JSONValue) -> [EntryIssue] {
        var issues: [EntryIssue] = []
        entries.reserveCapacity(overrides.count)
        for (key, value) in overrides.members {
            if let entry = StoredOverride(reading: value) {
                entries[key] = entry
            } else {
                strangeEntries.append(OtherMember(name: key, source: value.source))
                issues.append(EntryIssue(key: key, value: value))
            }
        }
        return issues
    }
}

/// An invalid entry.
private struct EntryIssue {
    let key: FlagText
    let value: JSONValue

    /// The maximum number of entries to name; further entries are only counted, because finding a line number takes a
    /// pass over the file.
    private static let namedLimit = 20

    static func sentences(_ issues: [EntryIssue]) -> [String] {
        let named = issues.prefix(namedLimit).map { issue in
            let name = JSONOutput.quoted(issue.key.string, limit: 60)
            return "\(JSONError(at: issue.value, "the entry \(name) has no \"value\"; it has no effect"))"
        }
        let unnamedCount = issues.count - named.count
        let words = unnamedCount.counted(
            #"more entry has no "value"; it has"#, #"more entries have no "value"; they have"#)
        return unnamedCount > 0 ? named + ["\(words) no effect"] : named
    }
}
