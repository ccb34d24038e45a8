/// The facts of one flag for the menu and the command line: its description, its value and the origin of the value.
public struct FlagFacts: Sendable, Equatable {
    /// The flag's key.
    public let key: String
    /// The flag's item in the catalog; `nil` for an unlisted key.
    public let item: FlagItem?
    /// The flag's options; empty if any text of the type is allowed.
    public let options: [FlagOption]
    /// The value of every layer, and the layer that wins.
    public let explanation: Explanation
    /// The saved override, with its author and time.
    public let override: FlagOverride?
    /// The override of the team, with its author and time.
    public let team: FlagOverride?
    /// The state of the override.
    public let state: OverrideState
    /// Why the flag has its remote value, such as `variant B, TARGETING_MATCH`; `nil` if the source does not say.
    public internal(set) var remoteNote: String?
    /// The conditions of the remote value, in order of evaluation; empty if the source has none.
    public internal(set) var remoteConditions: [ConditionStep] = []

    /// The programs whose code declares the flag, and what they declare; empty if none does.
    public internal(set) var declarations: [DeclaredFlags.Declaration] = []
    /// Where code, the catalog and the sources disagree about the flag, a sentence each.
    public internal(set) var mismatches: [String] = []
    /// The date on which the flag expired; `nil` if it has not.
    public internal(set) var expiry: String?

    /// - Parameter areKeysKnown: whether any source has values, so that an unlisted key is unknown to all of them.
    init(key: String, item: FlagItem?, explanation: Explanation, values: LayerValues, areKeysKnown: Bool) {
        (self.key, self.item) = (key, item)
        options = Self.choices(Self.distinct(item?.options ?? []), explanation.type)
        self.explanation = explanation
        override = values.overrides[key]
        team = values[.team].overrides[key]
        state = OverrideState.of(item: item, explanation: explanation, areKeysKnown: areKeysKnown)
    }

    /// The override in a layer, of this machine or of the team; `nil` for other layers.
    package func override(in layer: FlagLayer?) -> FlagOverride? {
        layer == .team ? team : layer == .override ? override : nil
    }

    /// The title, or the key if there is no title.
    public var name: String { item?.name.string ?? key }
    /// The type that the flag's text is decoded as.
    public var type: FlagType { explanation.type }
    /// The type that edits are checked as: JSON for a text that is JSON in the layers below the override.
    public var editedType: FlagType {
        let stored = type == .string ? (base ?? explanation.entries.first { $0.value != nil })?.value : nil
        return stored.map { FlagType.inferred(from: [], value: $0.string) } == .json ? .json : type
    }
    /// The name that the flag's document gives to its value, such as a variant's; `nil` if it gives none.
    public var valueName: String? { explanation.value.flatMap { item?.name(of: $0.string, type: type) } }
    /// The value that apps use; `nil` if no layer has one.
    public var value: String? { explanation.value?.string }
    /// The minimum and the maximum; `nil` if the catalog has neither, or the flag is not a number.
    public var bounds: NumberBounds? { type == .int || type == .double ? item?.bounds : nil }
    /// Whether there are at least two options to step through.
    public var hasChoice: Bool { options.count > 1 }

    /// Whether the options say more than the value: there are at least two, or the only one has a label, as in a
    /// template.
    public var listsOptions: Bool { hasChoice || options.contains { $0.label != nil } }

    /// Whether values other than the options are allowed.
    public var isOpenToOtherValues: Bool { !(item?.isClosedList(of: type) ?? false) && type != .bool }

    /// The value without the override; `nil` if no layer below the override has a valid one.
    public var valueWithoutOverride: String? { base?.value?.string }

    /// The entry that wins if the override is cleared.
    public var base: Explanation.Entry? { explanation.base }

    /// Whether this is the remote value, or there is none.
    public func hasRemote(_ value: String) -> Bool {
        explanation.value(in: .remote).map { isSame($0.string, value) } ?? true
    }

    /// Whether apps already use this value. Launch values are ignored, as they apply to one run only.
    public func alreadyHas(_ value: String) -> Bool {
        isSame(explanation.entries.first { $0.layer > .launch && $0.isCastable }?.value?.string, value)
    }

    /// The option after the current value, or after the override if a launch value hides the override. `nil` if there
    /// are fewer than two options.
    public var nextOption: String? {
        guard hasChoice else { return nil }
        let current = explanation.winner == .launch ? override?.value ?? value : value
        guard let index = options.firstIndex(where: { isSame($0.value, current) }) else { return options[0].value }
        return options[(index + 1) % options.count].value
    }

    /// The option that equals a text, or for a bool has the same meaning, such as `true` for `on`; `nil` if there is
    /// none.
    public func option(meaning text: String) -> FlagOption? {
        options.first { $0.value == text } ?? options.first { isSame($0.value, text) }
    }

    /// Why a text is not valid as the flag's value, as a sentence; `nil` if it is valid.
    public func invalidReason(to text: String) -> String? {
        editedType.invalidReason(to: text) ?? bounds?.invalidReason(to: text)
    }

    /// The edit that the Space key makes: sets the next option, or clears the override if clearing results in the same
    /// value. `nil` if there is no next option.
    public var toggled: OverrideEdit? {
        guard let next = nextOption else { return nil }
        let isClearing = isSame(next, valueWithoutOverride) && override != nil
        return isClearing ? .clear(key: key) : .set(key: key, value: next)
    }

    /// The listed options; for a bool also `true` and `false` if they are not listed.
    private static func choices(_ listed: [FlagOption], _ type: FlagType) -> [FlagOption] {
        guard type == .bool, listed.count < 2 else { return listed }
        let missing = ["true", "false"].filter { text in !listed.contains { type.isSame($0.value, text) } }
        return listed + missing.map { FlagOption(value: $0) }
    }

    /// The options without duplicates. Users could not tell duplicates apart, and ``nextOption`` could not go past
    /// them.
    private static func distinct(_ options: [FlagOption]) -> [FlagOption] {
        // Most flags have two options, and each frame reads those of all flags that it shows.
        if options.count < 2 || options.count == 2 && options[0].value != options[1].value { return options }
        var seen: Set<FlagText> = []
        return options.filter { seen.insert(FlagText($0.value)).inserted }
    }

    /// Whether two values mean the same for the flag's type: equal texts, or two words for the same bool, such as `on`
    /// and `true`.
    public func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return type.isSame(left, right)
    }
}
