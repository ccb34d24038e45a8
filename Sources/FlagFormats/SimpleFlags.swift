import FlagModel

/// Files of flags that teams write for themselves: an object or a list of flags, mostly in a member such as `flags`, with
/// a version and the like beside it. A flag is a value, or an object with its value and a description. ConfigCat's simple
/// file is one of them.
enum SimpleFlags {
    /// The members of a document that may have all the flags.
    static let wrappers = ["flags", "features", "featureFlags", "feature_flags", "toggles", "featureToggles"]

    /// The members that may be beside the flags without a warning.
    static let metadata: Set<FlagText> = [
        "$comment", "$schema", "_comment", "app", "author", "comment", "created", "createdAt", "date", "description",
        "env", "environment", "etag", "generated", "generatedAt", "lastUpdated", "meta", "metadata", "name",
        "namespace", "owner", "project", "revision", "schema", "schemaVersion", "schema_version", "timestamp", "title",
        "updated", "updatedAt", "updated_at", "version",
    ]

    /// The members of a flag that may have its value, the first that is present counts.
    private static let valueMembers = [
        "value", "defaultValue", "default", "enabled", "isEnabled", "active", "isActive", "on",
    ]
    private static let keyMembers = ["key", "name", "flag", "id"]
    private static let ruleMembers = [
        "rules", "targeting", "conditions", "rollout", "percentage", "rolloutPercentage", "segments", "strategies",
        "overrides", "variations", "variants",
    ]

    /// All members that an object with the value of a flag may have without a warning.
    private static let flagMembers: Set<FlagText> = metadata.union(
        (valueMembers + keyMembers + ruleMembers + ["details", "label", "tags", "type"]).map { FlagText($0) })

    /// Whether a member of an object has all the flags: it looks like flags, and beside it is nothing that could be a
    /// flag.
    static func isWrapper(_ root: JSONValue) -> Bool {
        guard let wrapper = wrapper(of: root), root.count <= KnownFormat.memberLimit else { return false }
        return root.members.allSatisfy { key, value in
            let isLeftOut = value.isContainer && key.string != RemoteDocument.catalogKey && wrapper.value.count > 0
            return key == wrapper.key || metadata.contains(key) || isLeftOut
        }
    }

    /// Whether an array is a list of flags.
    static func isList(_ root: JSONValue) -> Bool { root.kind == .array && Optional(root).has(isFlagOfList) }

    /// The flags of a document that is a wrapper or a list.
    static func flags(in root: JSONValue) -> EvaluatedFlags {
        let wrapper = wrapper(of: root)
        let flags = wrapper?.value ?? root
        var result = EvaluatedFlags()
        for (key, value) in root.members where key != wrapper?.key && !metadata.contains(key) && value.count > 0 {
            result.warn("\(key.quoted) beside \(wrapper?.key.quoted ?? "the flags") was left out")
        }
        for (key, value) in flags.members { add(key, value, to: &result) }
        for (index, value) in flags.elements.enumerated() {
            if let key = key(of: value), self.value(of: value) != nil || isDescription(value) {
                add(key, value, to: &result)
            } else {
                result.warn("flag \(index + 1) has no string \"key\" or \"name\", or no value, and was left out")
            }
        }
        return result
    }

    private static func wrapper(of root: JSONValue) -> (key: FlagText, value: JSONValue)? {
        for key in wrappers {
            guard let value = root.member(key), value.isContainer else { continue }
            let looksLikeFlags =
                value.count == 0 || value.elements.prefix(KnownFormat.memberLimit).contains(where: isFlagOfList)
                || value.members.prefix(KnownFormat.memberLimit).contains {
                    !$0.value.isContainer || self.value(of: $0.value) != nil || isDescription($0.value)
                }
            if looksLikeFlags { return (FlagText(key), value) }
        }
        return nil
    }

    static func isFlagOfList(_ value: JSONValue) -> Bool {
        key(of: value) != nil && self.value(of: value) != nil
    }

    private static func key(of flag: JSONValue) -> FlagText? { text(flag, keyMembers) }

    /// The value in an object that describes a flag; `nil` for any other value.
    private static func value(of flag: JSONValue) -> JSONValue? {
        valueMembers.lazy.compactMap { flag.member($0) }.first
    }

    /// Whether an object describes a flag without its value.
    private static func isDescription(_ flag: JSONValue) -> Bool {
        flag.has("description", .string) && flag.members.allSatisfy { flagMembers.contains($0.key) }
    }

    private static func text(_ flag: JSONValue, _ members: [String]) -> FlagText? {
        members.lazy.compactMap { flag.member($0)?.text }.first
    }

    private static func add(_ key: FlagText, _ flag: JSONValue, to result: inout EvaluatedFlags) {
        let value = value(of: flag)
        guard value != nil || isDescription(flag) else {
            if let member = ["variants", "variations", "defaultVariant", "defaultRule"].first(where: { flag.has($0) }) {
                result.warn("\(key.quoted) has \"\(member)\", which is not read here, and is listed as JSON")
            }
            let item = FlagDefinitions.item(key, type: flag.flagType)
            return result.add(item, value: flag.flagText)
        }
        if value == nil { result.warn("the flag \(key.quoted) has a description, but no value") }
        for (member, _) in flag.members where !flagMembers.contains(member) {
            result.warn("\(member.quoted) of \(key.quoted) was left out")
        }
        let declaredType = FlagDefinitions.type(flag.member("type")?.text)
        let isDeclared = value?.flagText.map { declaredType?.accepts($0) == true } ?? true
        let title = text(flag, ["title", "label", "name"])
        let isDisabled = flag.member("enabled")?.bool == false && value?.bool == nil
        let rules = ruleMembers.first { flag.has($0) }.map { "has \"\($0)\", which is not evaluated" }
        result.add(
            FlagDefinitions.item(
                key, type: isDeclared ? declaredType ?? value?.flagType : value?.flagType,
                title: title, details: text(flag, ["description", "details", "comment"])),
            value: value?.flagText,
            note: FlagText([isDisabled ? "not enabled" : nil, rules].compactMap { $0 }.joined(separator: "; ")))
    }
}
