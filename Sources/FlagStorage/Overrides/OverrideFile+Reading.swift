import FlagModel

/// The result of parsing an override file.
enum OverrideFileReading: Sendable, Equatable {
    /// A valid file, with a sentence for each invalid entry.
    case sound(OverrideFile, issues: [String])
    /// A file of a newer version of FlagMenu: its format, and the parts that could be parsed.
    case newerFormat(Int, OverrideFile)
    /// Not an override file; the sentence names line and column.
    case corrupt(String)

    /// Parses the bytes of a file.
    init(_ bytes: [UInt8]) {
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
            self = .sound(file, issues: issues.sentences + file.contexts.issues(file.strangeContexts))
        } catch {
            self = .corrupt(error.description)
        }
    }

    /// The format of a file; 1 if the member `format` is missing, as in files written by hand.
    private static func format(of root: JSONValue) throws(JSONError) -> Int {
        guard root.kind == .object else { throw JSONError(at: root, "the file is not an object") }
        guard let member = root["format"] else { return 1 }
        guard member.kind == .number, let format = Int(member.source), format > 0 else {
            throw JSONError(at: member, "\"format\" is not a positive whole number")
        }
        return format
    }
}

extension OverrideFile {
    /// Parses the known members of the root object and preserves the rest.
    fileprivate static func reading(
        _ root: JSONValue, _ format: Int
    ) -> (file: OverrideFile, issues: EntryIssues) {
        var file = OverrideFile(isOfFormat1: format == 1)
        var issues = EntryIssues()
        for (name, value) in root.members {
            switch name {
            case "format": continue
            case "revision": file.revision = revision(value)
            case "overrides": issues = file.addEntries(of: value)
            case "contexts": file.strangeContexts = file.contexts.add(value)
            default: file.otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
        return (file, issues)
    }

    /// The revision; 0 if it is invalid, so that the next write continues from the last revision of the history.
    private static func revision(_ value: JSONValue) -> Int {
        guard value.kind == .number, let number = Int(value.source) else { return 0 }
        return (0...revisionLimit).contains(number) ? number : 0
    }

    /// The valid overrides in an object.
    static func entries(of overrides: JSONValue) -> [FlagText: StoredOverride] {
        var file = OverrideFile()
        _ = file.addEntries(of: overrides)
        return file.entries
    }

    /// Adds all entries, and returns the issues of invalid ones.
    private mutating func addEntries(of overrides: JSONValue) -> EntryIssues {
        var issues = EntryIssues()
        entries.reserveCapacity(overrides.count)
        for (key, value) in overrides.members {
            if let entry = StoredOverride(reading: value) {
                entries[key] = entry
            } else {
                strangeEntries.append(OtherMember(name: key, source: value.source))
                issues.add(key, at: value)
            }
        }
        return issues
    }
}

/// Issues of invalid entries. Only the first few have a line number, because finding a line number takes a pass over
/// the file.
private struct EntryIssues {
    /// The maximum number of entries to name; further entries are only counted.
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
        let unnamedCount = count - named.count
        let words = unnamedCount.counted(
            #"more entry has no "value"; it has"#, #"more entries have no "value"; they have"#)
        return unnamedCount > 0 ? named + ["\(words) no effect"] : named
    }
}
