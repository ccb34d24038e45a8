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
            let (file, invalid) = OverrideFile.reading(root, format)
            let sentences = file.sentences(on: invalid) + file.contexts.issues(file.strangeContexts)
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
    ) -> (file: OverrideFile, invalid: [JSONValue]) {
        var file = OverrideFile(isOfFormat1: format == 1)
        var invalid: [JSONValue] = []
        for (name, value) in root.members {
            switch name {
            case "format": continue
            // 0 if it is invalid, so that the next write continues from the last revision of the history.
            case "revision": file.revision = value.revision ?? 0
            case "overrides": invalid = file.addEntries(of: value)
            case "contexts": file.strangeContexts = file.contexts.add(value)
            case "scenario":
                file.scenario = AppliedScenario(reading: value)
                if file.scenario == nil { file.otherMembers.append(OtherMember(name: name, source: value.source)) }
            default: file.otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
        return (file, invalid)
    }

    /// The valid overrides in an object.
    static func entries(of overrides: JSONValue) -> [FlagText: StoredOverride] {
        var file = OverrideFile()
        _ = file.addEntries(of: overrides)
        return file.entries
    }

    /// Adds all entries, and returns the values of invalid ones.
    private mutating func addEntries(of overrides: JSONValue) -> [JSONValue] {
        var invalid: [JSONValue] = []
        entries.reserveCapacity(overrides.count)
        for (key, value) in overrides.members {
            if let entry = StoredOverride(reading: value) {
                entries[key] = entry
            } else {
                strangeEntries.append(OtherMember(name: key, source: value.source))
                invalid.append(value)
            }
        }
        return invalid
    }

    /// The maximum number of entries to name; further entries are only counted, because finding a line number takes a
    /// pass over the file.
    private static let namedLimit = 20

    /// A sentence for each invalid entry of a file that was just read.
    fileprivate func sentences(on invalid: [JSONValue]) -> [String] {
        let named = zip(strangeEntries, invalid).prefix(Self.namedLimit).map { entry, value in
            let name = JSONOutput.quoted(entry.name.string, limit: 60)
            return "\(JSONError(at: value, "the entry \(name) has no \"value\"; it has no effect"))"
        }
        let unnamedCount = invalid.count - named.count
        let words = unnamedCount.counted(
            #"more entry has no "value"; it has"#, #"more entries have no "value"; they have"#)
        return unnamedCount > 0 ? named + ["\(words) no effect"] : named
    }
}
