import FlagModel

/// A member of a JSON object whose meaning this version does not know. It is kept as it is spelled.
struct OtherMember: Sendable, Hashable {
    let name: FlagText
    let source: String

    /// Writes it as a member of the object that is being written.
    func write(to json: inout JSONBytes) {
        json.member(name)
        json.raw(source)
    }
}

/// One override with whatever else stands in its entry.
struct StoredOverride: Sendable, Hashable {
    var override: Override
    var otherMembers: [OtherMember] = []

    /// Whether the values are the same bytes; Swift compares strings by canonical equivalence.
    func hasValue(_ value: String) -> Bool { override.value.utf8.elementsEqual(value.utf8) }

    /// The entry with another override; members of ours that could not be read give way to it.
    func replacing(_ override: Override) -> StoredOverride {
        let others = otherMembers.filter { ![Name.value, Name.setAt, Name.setBy].contains($0.name) }
        return StoredOverride(override: override, otherMembers: others)
    }
}

extension StoredOverride {
    /// The members that this version knows; made once, as each entry is compared with them.
    private enum Name {
        static let value: FlagText = "value"
        static let setAt: FlagText = "setAt"
        static let setBy: FlagText = "setBy"
    }

    /// Reads an entry; `nil` when it is no object with a value.
    ///
    /// A value written by hand without quotes, like `true` or `42`, counts as its text.
    init?(reading entry: JSONValue) {
        guard let value = entry["value"]?.flagText else { return nil }
        self.init(override: Override(value: value.string))
        for (name, member) in entry.members where name != Name.value { take(member, as: name) }
    }

    private mutating func take(_ member: JSONValue, as name: FlagText) {
        if name == Name.setAt, let text = member.text, let time = Timestamp(rfc3339: text) {
            override.setAt = time
        } else if name == Name.setBy, let text = member.text {
            override.setBy = text.string
        } else {
            otherMembers.append(OtherMember(name: name, source: member.source))
        }
    }

    /// Writes the entry.
    func write(to json: inout JSONBytes) {
        json.object { json in
            json.member("value", override.value)
            if let setAt = override.setAt { json.member("setAt", setAt.rfc3339) }
            if let setBy = override.setBy { json.member("setBy", setBy) }
            for member in otherMembers { member.write(to: &json) }
        }
    }
}

/// What became of one entry, so complete that it can be taken back.
struct StoredChange: Sendable, Hashable {
    let key: FlagText
    let before: StoredOverride?
    let after: StoredOverride?

    /// The change that takes this one back.
    var inverse: StoredChange { StoredChange(key: key, before: after, after: before) }

    /// The change as everybody else sees it.
    var summary: OverrideChange {
        OverrideChange(key: key.string, old: before?.override, new: after?.override)
    }
}
