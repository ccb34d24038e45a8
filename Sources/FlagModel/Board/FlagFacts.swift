/// One flag as every surface shows it: what it is, what it is worth, and why.
public struct FlagFacts: Sendable, Equatable {
    /// The flag's key.
    public let key: String
    /// Its entry in the catalog; `nil` for an override that nobody lists any more.
    public let item: FlagItem?
    /// What may be chosen; empty where any text of the type may.
    public let options: [FlagOption]
    /// Every layer and the winner.
    public let explanation: Explanation
    /// The saved override, with who set it and when.
    public let override: Override?
    /// How the override stands to the rest.
    public let state: OverrideState
    /// Why the flag has its remote value, such as `variant B, TARGETING_MATCH`; `nil` where the source does not say.
    public internal(set) var remoteNote: String?
    /// The conditions that chose it, in the order in which they were asked; none where its source has none for it.
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

    /// Title, or the key where there is none.
    public var name: String { item?.name.string ?? key }
    /// How the flag's text is read.
    public var type: FlagType { explanation.type }
    /// The value that apps use; `nil` where no layer has one.
    public var value: String? { explanation.value?.string }
    /// The least and the greatest number; `nil` where the catalog names none, or the flag is no number.
    public var bounds: NumberBounds? { type == .int || type == .double ? item?.bounds : nil }
    /// `true` when there is something to step through.
    public var hasChoice: Bool { options.count > 1 }

    /// `true` when the menu offers a list: where there is a choice, or a condition of a template names its value.
    public var hasOptionList: Bool { hasChoice || options.contains { $0.label != nil } }

    /// `true` when other values than the options are as good.
    public var isOpenToOtherValues: Bool { !(item?.isClosedList(of: type) ?? false) && type != .bool }

    /// What the layers below the override say; `nil` where they say nothing that can be read.
    public var valueWithoutOverride: String? { base?.value?.string }

    /// What the layers below the override say: the one that counts there, which holds again once the override is cleared.
    public var base: Explanation.Entry? {
        explanation.entries.first { $0.layer > .override && $0.isCastable }
    }

    /// Whether apps read this value already. The launch values of one run do not count, as they end with it.
    public func alreadyHas(_ value: String) -> Bool {
        isSame(explanation.entries.first { $0.layer > .launch && $0.isCastable }?.value?.string, value)
    }

    /// The option after the one in use, or after the override where a launch value hides it; `nil` without a choice.
    public var nextOption: String? {
        guard hasChoice else { return nil }
        let current = explanation.winner == .launch ? override?.value ?? value : value
        guard let index = options.firstIndex(where: { isSame($0.value, current) }) else { return options[0].value }
        return options[(index + 1) % options.count].value
    }

    /// The option that a text means: the same text, or for a bool the same truth; `nil` when it is none of them.
    public func option(meaning text: String) -> FlagOption? {
        options.first { $0.value == text } ?? options.first { isSame($0.value, text) }
    }

    /// Why a text cannot be the flag's value, as a sentence; `nil` when it can.
    public func objection(to text: String) -> String? {
        type.objection(to: text) ?? bounds?.objection(to: text)
    }

    /// What Space does: the next option, or following remote again where that is what remote says.
    public var toggled: OverrideEdit? {
        guard let next = nextOption else { return nil }
        let isBackAtBase = isSame(next, valueWithoutOverride) && override != nil
        return isBackAtBase ? .clear(key: key) : .set(key: key, value: next)
    }

    /// A switch has two sides, whether or not a catalog lists them.
    private static func choices(_ named: [FlagOption], _ type: FlagType) -> [FlagOption] {
        guard type == .bool, named.count < 2 else { return named }
        let sides = ["true", "false"].filter { side in !named.contains { type.isSame($0.value, side) } }
        return named + sides.map { FlagOption(value: $0) }
    }

    /// An option that stands twice could be neither stepped over nor told apart.
    private static func distinct(_ options: [FlagOption]) -> [FlagOption] {
        var seen: Set<String> = []
        return options.filter { seen.insert($0.value).inserted }
    }

    /// Whether two values are one to the flag's type: the same text, or for a bool the same truth.
    public func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return type.isSame(left, right)
    }
}
