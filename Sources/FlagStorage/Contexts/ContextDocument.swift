import FlagModel

/// The content of a context file, including unknown members, so that writing the file loses nothing.
struct ContextDocument: Sendable, Hashable {
    /// The format that this version writes.
    static let format = 1

    /// The entry of a source: its override, and unknown members.
    struct Entry: Sendable, Hashable {
        var contextOverride = ContextOverride()
        /// Members of `conditions` that are not valid.
        var otherConditions: [OtherMember] = []
        var otherMembers: [OtherMember] = []

        var isEmpty: Bool { contextOverride.isEmpty && otherConditions.isEmpty && otherMembers.isEmpty }
    }

    /// The entries by the names of their sources.
    var entries: FlagTable<Entry> = [:]
    /// Entries that are not objects; they have no effect and stay in the file unchanged.
    var strangeEntries: [OtherMember] = []
    /// Members of the file other than `format` and `sources`.
    var otherMembers: [OtherMember] = []

    /// Applies edits to a source's entry; an empty entry is removed.
    mutating func apply(_ edits: [ContextEdit], to source: String) {
        var entry = entries[source] ?? Entry()
        for edit in edits { entry.contextOverride.apply(edit) }
        entries[source] = entry.isEmpty ? nil : entry
    }

    /// Moves the entry of a source's former name to `source`, unless `source` has an entry.
    mutating func rename(_ former: String, to source: String) {
        guard entries[source] == nil, let entry = entries.removeValue(forKey: former) else { return }
        entries[source] = entry
    }

    /// Descriptions of the entries, contexts and conditions that are not objects and therefore have no effect.
    var misfits: [String] {
        strangeEntries.map { "the entry of \($0.name.quoted)" }.sorted()
            + entries.sortedByKey.flatMap { name, entry in
                entry.misfits.map { "the \"\($0)\" of \(FlagText(name).quoted)" }
            }
    }

    /// Descriptions of the ``misfits`` that a write would remove from the file.
    var lostMisfits: [String] {
        strangeEntries.filter { entries[$0.name.string] != nil }.map { "the entry of \($0.name.quoted)" }.sorted()
            + entries.sortedByKey.flatMap { name, entry in
                entry.misfits.filter(entry.isReplaced).map { "the \"\($0)\" of \(FlagText(name).quoted)" }
            }
    }

    /// The bytes of the file: indented, sources sorted by name, with a line feed at the end.
    var bytes: [UInt8] {
        var json = JSONBytes(indented: true)
        json.object { json in
            json.member("format", Self.format)
            json.member("sources")
            json.object { json in
                for (name, entry) in entries.sortedByKey {
                    json.member(FlagText(name))
                    entry.write(to: &json)
                }
                for entry in strangeEntries where entries[entry.name.string] == nil { entry.write(to: &json) }
            }
            for member in otherMembers { member.write(to: &json) }
        }
        json.raw("\n")
        return json.bytes
    }
}

extension ContextDocument.Entry {
    fileprivate func write(to json: inout JSONBytes) {
        json.object { json in
            if !contextOverride.members.isEmpty {
                json.member("context")
                json.object { json in
                    for member in contextOverride.members {
                        json.member(FlagText(member.name))
                        json.raw(member.value ?? "null")
                    }
                }
            }
            if hasConditions {
                json.member("conditions")
                json.object { json in
                    for decision in contextOverride.decisions {
                        json.member(FlagText(decision.condition))
                        json.raw(decision.applies ? "true" : "false")
                    }
                    for condition in contextOverride.leftToRule {
                        json.member(FlagText(condition))
                        json.raw("null")
                    }
                    for member in otherConditions where !isOverridden(member.name.string) { member.write(to: &json) }
                }
            }
            for member in otherMembers where !isReplaced(member.name.string) { member.write(to: &json) }
        }
    }

    private var hasConditions: Bool {
        !contextOverride.decisions.isEmpty || !contextOverride.leftToRule.isEmpty || !otherConditions.isEmpty
    }

    private func isOverridden(_ condition: String) -> Bool {
        contextOverride.decisions.contains { $0.condition == condition }
            || contextOverride.leftToRule.contains(condition)
    }

    /// Those of the names `context` and `conditions` whose values in the document are not objects.
    fileprivate var misfits: [String] {
        otherMembers.map(\.name.string).filter { ["context", "conditions"].contains($0) }
    }

    /// Whether the context override writes its own member with this name, so that the document's is not kept.
    fileprivate func isReplaced(_ member: String) -> Bool {
        member == "context" && !contextOverride.members.isEmpty || member == "conditions" && hasConditions
    }
}

extension ContextDocument {
    /// The result of parsing a context file.
    enum Reading: Sendable, Equatable {
        case sound(ContextDocument)
        /// A file of a newer version of FlagMenu: its format, and the parts that could be parsed.
        case newerFormat(Int, ContextDocument)
        /// Not a context file; the sentence names line and column.
        case corrupt(String)

        init(_ bytes: [UInt8]) {
            do throws(JSONError) {
                let root = try JSONDocument(parsing: bytes).root
                guard root.kind == .object, let format = root["format"] else {
                    throw JSONError(at: root, "the file is not an object with a \"format\"")
                }
                guard let number = Int(format.source), number > 0 else {
                    throw JSONError(at: format, "\"format\" is not a positive whole number")
                }
                if let sources = root["sources"], sources.kind != .object {
                    throw JSONError(at: sources, "\"sources\" is not an object")
                }
                let document = ContextDocument(root)
                self = number > ContextDocument.format ? .newerFormat(number, document) : .sound(document)
            } catch {
                self = .corrupt(error.description)
            }
        }
    }

    private init(_ root: JSONValue) {
        for (name, value) in root.members {
            switch name {
            case "format": continue
            case "sources": addEntries(value)
            default: otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
    }

    private mutating func addEntries(_ sources: JSONValue) {
        for (name, value) in sources.members {
            guard value.kind == .object else {
                strangeEntries.append(OtherMember(name: name, source: value.source))
                continue
            }
            entries[name.string] = Entry(value)
        }
    }
}

extension ContextDocument.Entry {
    fileprivate init(_ value: JSONValue) {
        for (name, member) in value.members {
            switch (name, member.kind) {
            case ("context", .object):
                contextOverride.members = member.members.map { name, value in
                    ContextOverride.Member(name: name.string, value: value.kind == .null ? nil : value.compactJSON)
                }
            case ("conditions", .object):
                for (condition, applies) in member.members {
                    if let applies = applies.bool {
                        contextOverride.decisions.append(
                            ContextOverride.Decision(condition: condition.string, applies: applies))
                    } else if applies.kind == .null {
                        contextOverride.leftToRule.append(condition.string)
                    } else {
                        otherConditions.append(OtherMember(name: condition, source: applies.source))
                    }
                }
            default: otherMembers.append(OtherMember(name: name, source: member.source))
            }
        }
    }
}
