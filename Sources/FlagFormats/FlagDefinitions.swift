import FlagModel

/// Decodes flags from the definition files of other tools: keys, types, descriptions, and the values for all users.
enum FlagDefinitions {
    /// The name of a type in any of these files; `nil` for an unknown name.
    static func type(_ name: FlagText?) -> FlagType? { name.flatMap { types[$0] } }

    private static let types: [FlagText: FlagType] = [
        "boolean": .bool, "bool": .bool, "integer": .int, "int": .int, "float": .double, "double": .double,
        "number": .double, "string": .string, "object": .json, "json": .json,
    ]

    /// Flags that have one of several named values, as in flagd, GO Feature Flag and OpenFeature's provider in memory: an
    /// object of flags by key, or an array of flags that each have a key.
    ///
    /// A flag has the value of its default variant; its rules are not evaluated, and its note says so. A flag that is
    /// disabled or has no default variant has no value.
    ///
    /// - Parameter owner: the tool that evaluates the rules.
    static func variants(_ flags: JSONValue?, of owner: String) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            guard let variants = flag["variants"] ?? flag["variations"], variants.kind == .object else {
                return result.warn("the flag \(key.quoted) has no object of variants and was left out")
            }
            let type = type(of: variants)
            var offers = OptionOffers(areNames: true)
            for (name, value) in variants.members {
                if let text = value.flagText { offers.offer(text.string, name.string) }
            }
            let variant = (flag["defaultVariant"] ?? flag["defaultRule"]?["variation"])?.text
            let value = variant.flatMap { variants[$0.string]?.flagText }
            if let variant, value == nil {
                result.warn(
                    "the flag \(key.quoted) has no value: its default variant \(variant.quoted) is not one of its variants"
                )
            }
            let isDisabled =
                flag["state"]?.text == "DISABLED" || ["disable", "disabled"].contains { flag[$0]?.bool == true }
            let described = [flag, flag["metadata"], flag["flagMetadata"]]
            result.add(
                FlagItem(
                    key: key, details: described.lazy.compactMap { $0?["description"]?.text }.first,
                    options: offers.options(for: type), declaredType: type),
                value: isDisabled ? nil : value,
                note: note(variant: variant, isDisabled: isDisabled, ruleOwner: hasRules(flag) ? owner : nil))
        }
    }

    private static func hasRules(_ flag: JSONValue) -> Bool {
        (flag["targeting"]?.count ?? 0) > 0 || flag.members(of: "defaultRule").contains { $0.value.isContainer }
            || ["scheduledRollout", "experimentation"].contains { flag.present($0) != nil }
    }

    /// The common type of all variants; `nil` if the variants have no common type.
    private static func type(of variants: JSONValue) -> FlagType? {
        let types = Set(variants.members.map { $0.value.flagType ?? .string })
        return types == [.int, .double] ? .double : types.count == 1 ? types.first : nil
    }

    /// Why a flag has its value, and who evaluates its rules.
    private static func note(
        variant: FlagText?, hasVariants: Bool = true, isDisabled: Bool, ruleOwner: String?
    ) -> FlagText? {
        var words: [String] = []
        if isDisabled {
            words = ["disabled"]
        } else if hasVariants {
            words = [variant.map { "default variant \($0.string)" } ?? "no default variant"]
        }
        if let ruleOwner { words.append("has rules that only \(ruleOwner) evaluates") }
        if ruleOwner != nil, variant != nil, !isDisabled { words.append("the default variant is shown") }
        return words.isEmpty ? nil : FlagText(words.joined(separator: "; "))
    }

    /// Flags of Flipt: a bool is on or off, and the value of any other flag is the key of a variant.
    static func flipt(_ flags: JSONValue?) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            let variants = flag["variants"].map { Array($0.elements) } ?? []
            let isBool = flag["type"]?.text == "BOOLEAN_FLAG_TYPE" || variants.isEmpty && flag["rules"] == nil
            let isEnabled = flag["enabled"]?.bool ?? false
            let keys = variants.compactMap { $0["key"]?.text }
            let standard = variants.first { $0["default"]?.bool == true }?["key"]?.text
            let hasRules = ["rules", "rollouts"].contains { (flag[$0]?.count ?? 0) > 0 }
            let type: FlagType = isBool ? .bool : .string
            result.add(
                FlagItem(
                    key: key, title: flag["name"]?.text.flatMap { $0 == key ? nil : $0 },
                    details: flag["description"]?.text,
                    options: isBool
                        ? FlagOption.booleans : keys.map { FlagOption(value: $0.string, label: "variant") },
                    declaredType: type),
                value: isBool ? FlagText(isEnabled ? "true" : "false") : isEnabled ? standard : nil,
                note: note(
                    variant: standard, hasVariants: !isBool, isDisabled: !isBool && !isEnabled,
                    ruleOwner: hasRules ? "Flipt" : nil))
        }
    }

    /// Flags of a manifest of OpenFeature's command line tool, each with its default value: an object by key, or the
    /// list that its `pull` gets.
    static func manifest(_ flags: JSONValue?) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            guard let name = (flag["flagType"] ?? flag["type"])?.text, let type = type(name) else {
                return result.warn("the flag \(key.quoted) has no known \"flagType\" and was left out")
            }
            let value = flag["defaultValue"]?.flagText
            let isValid = value.map { type.accepts($0) } ?? false
            if !isValid {
                result.warn(
                    "the flag \(key.quoted) has no value: its \"defaultValue\" is not of the type \(name.string)")
            }
            result.add(
                item(key, type: type, title: flag["name"]?.text, details: flag["description"]?.text),
                value: isValid ? value : nil)
        }
    }

    /// The values in LaunchDarkly's file of flags for tests. Flags with rules are left out.
    static func flagValues(_ root: JSONValue) -> EvaluatedFlags {
        var result = EvaluatedFlags()
        for (key, value) in root.members(of: "flagValues") {
            result.add(item(key, type: value.flagType), value: value.flagText)
        }
        for (key, _) in root.members(of: "flags") {
            result.warn("the flag \(key.quoted) has rules that only LaunchDarkly evaluates and was left out")
        }
        return result
    }

    /// A flag; only a bool has options. A title that repeats the key is dropped.
    static func item(
        _ key: FlagText, type: FlagType?, title: FlagText? = nil, details: FlagText? = nil
    ) -> FlagItem {
        FlagItem(
            key: key, title: title == key ? nil : title, details: details,
            options: type == .bool ? FlagOption.booleans : [], declaredType: type)
    }

    /// Decodes definitions, an object or an array. `decodeFlag` decodes one definition and adds the flag to `result`.
    private static func decode(
        _ definitions: JSONValue?,
        _ decodeFlag: (_ key: FlagText, _ definition: JSONValue, _ result: inout EvaluatedFlags) -> Void
    ) -> EvaluatedFlags {
        var result = EvaluatedFlags()
        guard let definitions else {
            result.warn("the document has no \"flags\"")
            return result
        }
        for (key, definition) in definitions.members where key != "$schema" {
            if definition.kind == .object {
                decodeFlag(key, definition, &result)
            } else {
                result.warn("the flag \(key.quoted) is \(definition.kindWords) and was left out")
            }
        }
        for (index, definition) in definitions.elements.enumerated() {
            if let key = definition["key"]?.text {
                decodeFlag(key, definition, &result)
            } else {
                result.warn("flag \(index + 1) has no string \"key\" and was left out")
            }
        }
        return result
    }
}
