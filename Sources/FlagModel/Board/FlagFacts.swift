/// The facts of one flag as every surface shows them: its description, its value, and why it has that.
public struct FlagFacts: Sendable, Equatable {
    /// The flag's key.
    public let key: String
    /// Its entry in the catalog; `nil` for an unlisted override.
    public let item: FlagItem?
    /// The options; empty if any text of the type is allowed.
    public let options: [FlagOption]
    /// Every layer and the winner.
    public let explanation: Explanation
    /// The saved override, with its author and time.
    public let override: Override?
    /// The state of the override.
    public let state: OverrideState
    /// Why the flag has its remote value, such as `variant B, TARGETING_MATCH`; `nil` if the source does not say.
    public internal(set) var remoteNote: String?
    /// The conditions for it, in order of evaluation; empty if its source has none.
    public internal(set) var remoteConditions: [ConditionStep] = []

    /// The date on which it has expired; `nil` if it has not.
    public internal(set) var expiry: String?

    init(item: FlagItem, explanation: Explanation, values: LayerValues) {
        self.init(key: item.key.string, item: item, explanation: explanation, values: values)
    }

    init(unlisted key: String, values: LayerValues) {
        self.init(key: key, item: nil, explanation: values.resolve(FlagText(key), type: .string), values: values)
    }

    private init(key: String, item: FlagItem?, explanation: Explanation, values: LayerValues) {
        self.key = key
        self.item = item
        options = Self.choices(Self.distinct(item?.options ?? []), explanation.type)
        self.explanation = explanation
        override = values.overrides[key]
        state = OverrideState.of(item: item, explanation: explanation)
    }

    /// Title, or the key without one.
    public var name: String { item?.name.string ?? key }
    /// How the flag's text is read.
    public var type: FlagType { explanation.type }
    /// The value that apps use; `nil` if no layer has one.
    public var value: String? { explanation.value?.string }
    /// The least and the greatest number; `nil` if the catalog has none, or the flag is not a number.
    public var bounds: NumberBounds? { type == .int || type == .double ? item?.bounds : nil }
    /// `true` if there are options to step through.
    public var hasChoice: Bool { options.count > 1 }

    /// `true` if the menu offers a list: for a choice, or if a condition of a template has a value.
    public var hasOptionList: Bool { hasChoice || options.contains { $0.label != nil } }

    /// `true` if other values than the options are allowed.
    public var isOpenToOtherValues: Bool { !(item?.isClosedList(of: type) ?? false) && type != .bool }

    /// The value without the override; `nil` if no layer below has a valid one.
    public var valueWithoutOverride: String? { base?.value?.string }

    /// The entry that wins without the override, which is in use again after clearing it.
    public var base: Explanation.Entry? {
        explanation.entries.first { $0.layer > .override && $0.isCastable }
    }

    /// Whether apps have this value already. Launch values of one run are ignored, as they end with it.
    public func alreadyHas(_ value: String) -> Bool {
        isSame(explanation.entries.first { $0.layer > .launch && $0.isCastable }?.value?.string, value)
    }

    /// The option after the one in use, or after the override if a launch value hides it; `nil` without a choice.
    public var nextOption: String? {
        guard hasChoice else { return nil }
        let current = explanation.winner == .launch ? override?.value ?? value : value
        guard let index = options.firstIndex(where: { isSame($0.value, current) }) else { return options[0].value }
        return options[(index + 1) % options.count].value
    }

    /// The option of a text: the same text, or for a bool the same truth; `nil` if it is not an option.
    public func option(meaning text: String) -> FlagOption? {
        options.first { $0.value == text } ?? options.first { isSame($0.value, text) }
    }

    /// Why a text is not valid as the flag's value, as a sentence; `nil` if it is.
    public func objection(to text: String) -> String? {
        type.objection(to: text) ?? bounds?.objection(to: text)
    }

    /// The edit for Space: the next option, or clearing the override if that is the remote value.
    public var toggled: OverrideEdit? {
        guard let next = nextOption else { return nil }
        let isBackAtBase = isSame(next, valueWithoutOverride) && override != nil
        return isBackAtBase ? .clear(key: key) : .set(key: key, value: next)
    }

    /// A switch has two options, whether or not a catalog lists them.
    private static func choices(_ named: [FlagOption], _ type: FlagType) -> [FlagOption] {
        guard type == .bool, named.count < 2 else { return named }
        let sides = ["true", "false"].filter { side in !named.contains { type.isSame($0.value, side) } }
        return named + sides.map { FlagOption(value: $0) }
    }

    /// A duplicate option could be neither stepped over nor distinguished.
    private static func distinct(_ options: [FlagOption]) -> [FlagOption] {
        var seen: Set<String> = []
        return options.filter { seen.insert($0.value).inserted }
    }

    /// Whether two values are equal for the flag's type: the same text, or for a bool the same truth.
    public func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return type.isSame(left, right)
    }
}
