import FlagModel

/// Decodes flags from the definition files of other tools: keys, types, descriptions, and the values for all users.
enum FlagDefinitions {
    /// The category of all flags.
    static let category: FlagText = "Flags"

    /// The name of a type in any of these files; `nil` for an unknown name.
    static func type(_ name: FlagText?) -> FlagType? { name.flatMap { types[$0] } }

    private static let types: [FlagText: FlagType] = [
        "boolean": .bool, "bool": .bool, "integer": .int, "int": .int, "float": .double, "double": .double,
        "number": .double, "string": .string, "object": .json, "json": .json,
    ]

    /// Flags in flagd's format: an object of flags by key, or an array of flags that each have a key.
    static func flagd(_ flags: JSONValue?) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            let isDisabled = flag["state"]?.text == "DISABLED"
            VariantFlag(
                key: key, details: flag["description"]?.text ?? flag["metadata"]?["description"]?.text,
                variants: flag["variants"], defaultVariant: flag["defaultVariant"]?.text, isDisabled: isDisabled,
                ruleOwner: (flag["targeting"]?.count ?? 0) > 0 ? "flagd" : nil
            ).add(to: &result)
        }
    }

    /// Flags of OpenFeature's provider in memory, which are those of flagd without rules.
    static func inMemory(_ flags: JSONValue?) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            VariantFlag(
                key: key, details: flag["flagMetadata"]?["description"]?.text, variants: flag["variants"],
                defaultVariant: flag["defaultVariant"]?.text, isDisabled: flag["disabled"]?.bool == true, ruleOwner: nil
            ).add(to: &result)
        }
    }

    /// Flags of GO Feature Flag.
    static func goFeatureFlag(_ flags: JSONValue?) -> EvaluatedFlags {
        decode(flags) { key, flag, result in
            let (targeting, rule) = (flag["targeting"]?.count ?? 0, flag["defaultRule"])
            let rules = ["scheduledRollout", "experimentation"].compactMap { flag.present($0) }
            let hasRules = targeting > 0 || !rules.isEmpty || rule?.members.contains { $0.value.isContainer } == true
            VariantFlag(
                key: key, details: flag["metadata"]?["description"]?.text, variants: flag["variations"],
                defaultVariant: rule?["variation"]?.text, isDisabled: flag["disable"]?.bool == true,
                ruleOwner: hasRules ? "GO Feature Flag" : nil
            ).add(to: &result)
        }
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
                note: VariantFlag.note(
                    variant: standard, hasVariants: !isBool, isDisabled: !isBool && !isEnabled,
                    ruleOwner: hasRules ? "Flipt" : nil),
                category: category)
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
                FlagItem(
                    key: key, title: flag["name"]?.text.flatMap { $0 == key ? nil : $0 },
                    details: flag["description"]?.text, options: type == .bool ? FlagOption.booleans : [],
                    declaredType: type),
                value: isValid ? value : nil, category: category)
        }
    }

    /// The values in LaunchDarkly's file of flags for tests. Flags with rules are left out.
    static func flagValues(_ root: JSONValue) -> EvaluatedFlags {
        var result = EvaluatedFlags()
        for (key, value) in root.members(of: "flagValues") {
            let type = value.flagType
            result.add(
                FlagItem(key: key, options: type == .bool ? FlagOption.booleans : [], declaredType: type),
                value: value.flagText, category: category)
        }
        for (key, _) in root.members(of: "flags") {
            result.warn("the flag \(key.quoted) has rules that only LaunchDarkly evaluates and was left out")
        }
        return result
    }

    /// Decodes definitions, an object or an array. `decodeFlag` decodes one definition and adds the flag to `result`.
    private static func decode(
        _ definitions: JSONValue?,
        _ decodeFlag: (_ key: FlagText, _ definition: JSONValue, _ result: inout EvaluatedFlags) -> Void
    ) -> EvaluatedFlags {
        var result = EvaluatedFlags()
        guard let definitions else { return result }
        for (key, definition) in definitions.members where key != "$schema" { decodeFlag(key, definition, &result) }
        for definition in definitions.elements {
            if let key = definition["key"]?.text {
                decodeFlag(key, definition, &result)
            } else {
                result.warn("a flag without a string \"key\" was left out")
            }
        }
        return result
    }
}

/// A flag that has one of several named values.
///
/// It has the value of its default variant; its rules are not evaluated, and its note says so. A flag that is disabled or
/// has no default variant has no value.
private struct VariantFlag {
    let key: FlagText
    let details: FlagText?
    let variants: JSONValue?
    let defaultVariant: FlagText?
    let isDisabled: Bool
    /// The tool that evaluates the flag's rules; `nil` without rules.
    let ruleOwner: String?

    func add(to result: inout EvaluatedFlags) {
        guard let variants, variants.kind == .object else {
            return result.warn("the flag \(key.quoted) has no object of variants and was left out")
        }
        let type = type(of: variants)
        var offers = OptionOffers(areNames: true)
        for (name, value) in variants.members {
            if let text = value.flagText { offers.offer(text.string, name.string) }
        }
        let value = defaultVariant.flatMap { variants[$0.string]?.flagText }
        if let defaultVariant, value == nil {
            result.warn(
                "the flag \(key.quoted) has no value: its default variant \(defaultVariant.quoted) is not one of its "
                    + "variants")
        }
        result.add(
            FlagItem(key: key, details: details, options: offers.options(for: type), declaredType: type),
            value: isDisabled ? nil : value,
            note: Self.note(variant: defaultVariant, isDisabled: isDisabled, ruleOwner: ruleOwner),
            category: FlagDefinitions.category)
    }

    /// Why a flag has its value, and who evaluates its rules.
    static func note(
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

    /// The common type of all variants; `nil` if the variants have no common type.
    private func type(of variants: JSONValue) -> FlagType? {
        let types = Set(variants.members.map { $0.value.flagType ?? .string })
        return types == [.int, .double] ? .double : types.count == 1 ? types.first : nil
    }
}
