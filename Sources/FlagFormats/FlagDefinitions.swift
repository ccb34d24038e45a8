import FlagModel

/// Decodes flags from the definition files of other tools: keys, types, descriptions, and the values for all users.
enum FlagDefinitions {
    /// The category of all flags.
    private static let category: FlagText = "Flags"

    /// Flags in flagd's format: an object of flags by key, or an array of flags that each have a key.
    ///
    /// A flag has the value of its default variant; its targeting rules are not evaluated, and its note says so. A flag
    /// that is disabled or has no default variant has no value.
    static func flagd(_ root: JSONValue) -> EvaluatedFlags {
        decode(root) { key, flag, result in
            guard let variants = flag["variants"], variants.kind == .object else {
                return result.warn("the flag \(key.quoted) has no object \"variants\" and was left out")
            }
            let type = type(of: variants)
            var offers = OptionOffers()
            for (name, value) in variants.members {
                if let text = value.flagText { offers.offer(text.string, name.string) }
            }
            let defaultVariant = flag["defaultVariant"]?.text
            let value = defaultVariant.flatMap { variants[$0.string]?.flagText }
            if let defaultVariant, value == nil {
                result.warn(
                    "the flag \(key.quoted) has no value: its default variant \(defaultVariant.quoted) is not one of "
                        + "its variants")
            }
            let isDisabled = flag["state"]?.text == "DISABLED"
            result.add(
                FlagItem(
                    key: key, details: flag["metadata"]?["description"]?.text, options: offers.options(for: type),
                    declaredType: type),
                value: isDisabled ? nil : value, note: note(on: flag, variant: defaultVariant, isDisabled: isDisabled),
                category: category)
        }
    }

    /// Flags of a manifest of OpenFeature's command line tool, each with its default value.
    static func manifest(_ root: JSONValue) -> EvaluatedFlags {
        decode(root) { key, flag, result in
            guard let typeName = flag["flagType"]?.text, let type = types[typeName] else {
                return result.warn("the flag \(key.quoted) has no known \"flagType\" and was left out")
            }
            let value = flag["defaultValue"]?.flagText
            let isValid = value.map { type.accepts($0) } ?? false
            if !isValid {
                result.warn(
                    "the flag \(key.quoted) has no value: its \"defaultValue\" is not of the type \(typeName.string)")
            }
            result.add(
                FlagItem(
                    key: key, details: flag["description"]?.text, options: type == .bool ? FlagOption.booleans : [],
                    declaredType: type),
                value: isValid ? value : nil, category: category)
        }
    }

    private static let types: [FlagText: FlagType] = [
        "boolean": .bool, "integer": .int, "float": .double, "string": .string, "object": .json,
    ]

    /// Decodes the definitions in the member `flags` of `root`, an object or an array. `decodeFlag` decodes one
    /// definition and adds the flag to `result`.
    private static func decode(
        _ root: JSONValue,
        _ decodeFlag: (_ key: FlagText, _ definition: JSONValue, _ result: inout EvaluatedFlags) -> Void
    ) -> EvaluatedFlags {
        var result = EvaluatedFlags()
        guard let definitions = root["flags"] else { return result }
        for (key, definition) in definitions.members { decodeFlag(key, definition, &result) }
        for definition in definitions.elements {
            if let key = definition["key"]?.text {
                decodeFlag(key, definition, &result)
            } else {
                result.warn("a flag without a string \"key\" was left out")
            }
        }
        return result
    }

    /// The common type of all variants; `nil` if the variants have no common type.
    private static func type(of variants: JSONValue) -> FlagType? {
        let types = Set(variants.members.map { $0.value.flagType ?? .string })
        return types == [.int, .double] ? .double : types.count == 1 ? types.first : nil
    }

    private static func note(on flag: JSONValue, variant: FlagText?, isDisabled: Bool) -> FlagText {
        if isDisabled { return "disabled" }
        let choice = variant.map { "default variant \($0.string)" } ?? "no default variant"
        let hasTargeting = (flag["targeting"]?.count ?? 0) > 0
        return FlagText(hasTargeting ? "\(choice), targeting is not evaluated" : choice)
    }
}
