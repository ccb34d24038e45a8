import FlagModel

/// Decodes flags from the definition file of another tool: keys, types, descriptions, and the values for all users.
enum FlagDefinitions {
    /// The category of all flags.
    private static let category: FlagText = "Flags"

    /// Flags in flagd's format: an object of flags, or an array of flags with a key each.
    ///
    /// A flag has the value of its default variant; its targeting rules are not evaluated, as its note says. A disabled
    /// flag, and one without a default variant, have no value.
    static func flagd(_ root: JSONValue) -> EvaluatedFlags {
        flags(of: root) { key, flag, flags in
            guard let variants = flag["variants"], variants.kind == .object else {
                return flags.leaveOut("the flag \(key.quoted) has no object \"variants\" and was left out")
            }
            let type = type(of: variants)
            var offers = OptionOffers()
            for (name, value) in variants.members {
                if let text = value.flagText { offers.offer(text.string, name.string) }
            }
            let name = flag["defaultVariant"]?.text
            let value = name.flatMap { variants[$0.string]?.flagText }
            if let name, value == nil {
                flags.leaveOut(
                    "the flag \(key.quoted) has no value: its default variant \(name.quoted) is not one of its variants"
                )
            }
            let isDisabled = flag["state"]?.text == "DISABLED"
            flags.add(
                FlagItem(
                    key: key, details: flag["metadata"]?["description"]?.text, options: offers.options(for: type),
                    declaredType: type),
                value: isDisabled ? nil : value, note: note(on: flag, variant: name, isDisabled: isDisabled),
                category: category)
        }
    }

    /// Flags of a manifest of OpenFeature's command line tool, each with its default value.
    static func manifest(_ root: JSONValue) -> EvaluatedFlags {
        flags(of: root) { key, flag, flags in
            guard let name = flag["flagType"]?.text, let type = types[name] else {
                return flags.leaveOut("the flag \(key.quoted) has no known \"flagType\" and was left out")
            }
            let value = flag["defaultValue"]?.flagText
            let isUsable = value.map { type.accepts($0) } ?? false
            if !isUsable {
                flags.leaveOut(
                    "the flag \(key.quoted) has no value: its \"defaultValue\" is not of the type \(name.string)")
            }
            flags.add(
                FlagItem(
                    key: key, details: flag["description"]?.text, options: type == .bool ? FlagOption.sides : [],
                    declaredType: type),
                value: isUsable ? value : nil, category: category)
        }
    }

    private static let types: [FlagText: FlagType] = [
        "boolean": .bool, "integer": .int, "float": .double, "string": .string, "object": .json,
    ]

    private static func flags(
        of root: JSONValue, _ add: (_ key: FlagText, _ flag: JSONValue, _ flags: inout EvaluatedFlags) -> Void
    ) -> EvaluatedFlags {
        var flags = EvaluatedFlags()
        guard let all = root["flags"] else { return flags }
        for (key, flag) in all.members { add(key, flag, &flags) }
        for flag in all.elements {
            if let key = flag["key"]?.text {
                add(key, flag, &flags)
            } else {
                flags.leaveOut("a flag without a string \"key\" was left out")
            }
        }
        return flags
    }

    /// The common type of all variants; `nil` if they differ.
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
