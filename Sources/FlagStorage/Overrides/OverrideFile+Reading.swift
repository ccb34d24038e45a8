import FlagModel

/// An override file, parsed.
enum OverrideFileReading: Sendable, Equatable {
    /// Valid, with a sentence for each invalid entry.
    case sound(OverrideFile, problems: [String])
    /// Written by a newer version, with what could be parsed.
    case newerFormat(Int, OverrideFile)
    /// Not an override file; the sentence names line and column.
    case corrupt(String)

    /// Parses the bytes of a file.
    init(_ bytes: [UInt8]) {
        do throws(JSONError) {
            let root = try JSONDocument(parsing: bytes).root
            let format = try Self.format(of: root)
            guard format <= OverrideFile.format else {
                self = .newerFormat(format, OverrideFile.reading(root).file)
                return
            }
            // Not a store: what another program wrote here by mistake is not replaced without a copy.
            guard root["format"] != nil || root["overrides"] != nil else {
                throw JSONError(at: root, "the file has neither \"format\" nor \"overrides\"")
            }
            if let overrides = root["overrides"], overrides.kind != .object {
                throw JSONError(at: overrides, "\"overrides\" is not an object")
            }
            let (file, problems) = OverrideFile.reading(root)
            self = .sound(file, problems: problems.sentences)
        } catch {
            self = .corrupt(error.description)
        }
    }

    /// A file without the member counts as format 1, since it may be missing in a file written by hand.
    private static func format(of root: JSONValue) throws(JSONError) -> Int {
        guard root.kind == .object else { throw JSONError(at: root, "the file is not an object") }
        guard let member = root["format"] else { return OverrideFile.format }
        guard member.kind == .number, let format = Int(member.source), format > 0 else {
            throw JSONError(at: member, "\"format\" is not a positive whole number")
        }
        return format
    }

}

extension OverrideFile {
    /// Parses the known members of the root object and preserves the rest.
    fileprivate static func reading(_ root: JSONValue) -> (file: OverrideFile, problems: EntryProblems) {
        var file = OverrideFile()
        var problems = EntryProblems()
        for (name, value) in root.members {
            switch name {
            case "format": continue
            case "revision": file.revision = revision(value)
            case "overrides": problems = file.takeEntries(of: value)
            default: file.otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
        return (file, problems)
    }

    /// An invalid revision counts as none: the next write continues the history's count.
    private static func revision(_ value: JSONValue) -> Int {
        guard value.kind == .number, let number = Int(value.source) else { return 0 }
        return (0...revisionLimit).contains(number) ? number : 0
    }

    /// The valid overrides in an object.
    static func entries(of overrides: JSONValue) -> [FlagText: StoredOverride] {
        var file = OverrideFile()
        _ = file.takeEntries(of: overrides)
        return file.entries
    }

    /// Takes all entries; returns sentences about the invalid ones.
    private mutating func takeEntries(of overrides: JSONValue) -> EntryProblems {
        var problems = EntryProblems()
        entries.reserveCapacity(overrides.count)
        for (key, value) in overrides.members {
            if let entry = StoredOverride(reading: value) {
                entries[key] = entry
            } else {
                strangeEntries.append(OtherMember(name: key, source: value.source))
                problems.add(key, at: value)
            }
        }
        return problems
    }
}

/// Sentences about invalid entries. Finding a line counts from the beginning of the file, so that a file full of such
/// entries must not be counted for each.
private struct EntryProblems {
    /// How many entries are named; the rest is counted.
    private static let namedLimit = 20
    private var named: [String] = []
    private var count = 0

    mutating func add(_ key: FlagText, at value: JSONValue) {
        count += 1
        guard count <= Self.namedLimit else { return }
        let name = JSONOutput.quoted(key.string, limit: 60)
        named.append("\(JSONError(at: value, "the entry \(name) has no \"value\"; it has no effect"))")
    }

    var sentences: [String] {
        let rest = count - named.count
        let words = rest.counted(#"more entry has no "value"; it has"#, #"more entries have no "value"; they have"#)
        return rest > 0 ? named + ["\(words) no effect"] : named
    }
}
