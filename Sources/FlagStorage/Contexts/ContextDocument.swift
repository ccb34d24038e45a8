import FlagModel

/// The content of a context file, so complete that writing it back loses nothing.
struct ContextDocument: Sendable, Hashable {
    /// The format that this version writes.
    static let format = 1

    /// The override of a source, with unknown members of its entry.
    struct Entry: Sendable, Hashable {
        var own = OwnContext()
        /// Members of `conditions` that are not valid.
        var otherConditions: [OtherMember] = []
        var otherMembers: [OtherMember] = []

        var isEmpty: Bool { own.isEmpty && otherConditions.isEmpty && otherMembers.isEmpty }
    }

    /// By the sources' names.
    var entries: [String: Entry] = [:]
    /// Invalid entries; they have no effect and stay unchanged.
    var strangeEntries: [OtherMember] = []
    /// Members beside `format` and `sources`.
    var otherMembers: [OtherMember] = []

    /// Applies edits to a source's entry; an empty entry is removed.
    mutating func apply(_ edits: [ContextEdit], to source: String) {
        var entry = entries[source] ?? Entry()
        for edit in edits { entry.own.apply(edit) }
        entries[source] = entry.isEmpty ? nil : entry
    }

    /// Moves the override that was stored under another name to a source, if that has none.
    mutating func rename(_ former: String, to source: String) {
        guard entries[source] == nil, let entry = entries.removeValue(forKey: former) else { return }
        entries[source] = entry
    }

    /// Entries, contexts or conditions of a wrong kind, in words: they have no effect.
    var misfits: [String] {
        strangeEntries.map { "the entry of \($0.name.quoted)" }.sorted()
            + entries.sorted { $0.key < $1.key }.flatMap { name, entry in
                entry.misfits.map { "the \"\($0)\" of \(FlagText(name).quoted)" }
            }
    }

    /// Those of them that a write would remove from the file.
    var lostMisfits: [String] {
        strangeEntries.filter { entries[$0.name.string] != nil }.map { "the entry of \($0.name.quoted)" }.sorted()
            + entries.sorted { $0.key < $1.key }.flatMap { name, entry in
                entry.misfits.filter(entry.isReplaced).map { "the \"\($0)\" of \(FlagText(name).quoted)" }
            }
    }

    /// The bytes of the file: indented, sources in the order of their names, one line feed at the end.
    var bytes: [UInt8] {
        var json = JSONBytes(indented: true)
        json.object { json in
            json.member("format", Self.format)
            json.member("sources")
            json.object { json in
                for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
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
            if !own.members.isEmpty {
                json.member("context")
                json.object { json in
                    for member in own.members {
                        json.member(FlagText(member.name))
                        json.raw(member.value ?? "null")
                    }
                }
            }
            if hasConditions {
                json.member("conditions")
                json.object { json in
                    for decision in own.decisions {
                        json.member(FlagText(decision.condition))
                        json.raw(decision.holds ? "true" : "false")
                    }
                    for condition in own.undecided {
                        json.member(FlagText(condition))
                        json.raw("null")
                    }
                    for member in otherConditions where !isKnown(member.name.string) { member.write(to: &json) }
                }
            }
            for member in otherMembers where !isReplaced(member.name.string) { member.write(to: &json) }
        }
    }

    private var hasConditions: Bool { !own.decisions.isEmpty || !own.undecided.isEmpty || !otherConditions.isEmpty }

    private func isKnown(_ condition: String) -> Bool {
        own.decisions.contains { $0.condition == condition } || own.undecided.contains(condition)
    }

    /// The members that should be a context or conditions and are not.
    fileprivate var misfits: [String] {
        otherMembers.map(\.name.string).filter { ["context", "conditions"].contains($0) }
    }

    /// Whether a tester's override replaces a context or conditions of a wrong kind: keys are unique.
    fileprivate func isReplaced(_ member: String) -> Bool {
        member == "context" && !own.members.isEmpty || member == "conditions" && hasConditions
    }
}

extension ContextDocument {
    /// A context file, parsed.
    enum Reading: Sendable, Equatable {
        case sound(ContextDocument)
        /// Written by a newer version, with what could be parsed.
        case newerFormat(Int, ContextDocument)
        /// Not such a file; the sentence names line and column.
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
            case "sources": takeEntries(value)
            default: otherMembers.append(OtherMember(name: name, source: value.source))
            }
        }
    }

    private mutating func takeEntries(_ sources: JSONValue) {
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
                own.members = member.members.map { name, value in
                    OwnContext.Member(name: name.string, value: value.kind == .null ? nil : value.compactJSON)
                }
            case ("conditions", .object):
                for (condition, holds) in member.members {
                    if let holds = holds.bool {
                        own.decisions.append(OwnContext.Decision(condition: condition.string, holds: holds))
                    } else if holds.kind == .null {
                        own.undecided.append(condition.string)
                    } else {
                        otherConditions.append(OtherMember(name: condition, source: holds.source))
                    }
                }
            default: otherMembers.append(OtherMember(name: name, source: member.source))
            }
        }
    }
}
