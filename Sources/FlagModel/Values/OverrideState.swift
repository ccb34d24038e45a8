/// The state of a flag's override. *Not set* and *set to the same as remote* are different.
public enum OverrideState: Sendable, Hashable {
    /// There is no override.
    case notSet
    /// The override differs from the remote value.
    case overridden
    /// The override equals the remote value.
    case sameAsRemote
    /// The key or the value is not known; the sentence says which.
    case stale(String)
    /// The value is invalid for the flag's type, so no app reads it; the sentence says why.
    case invalid(String)

    /// The word for the state; a colour is never shown without it.
    public var word: String {
        switch self {
        case .notSet: ""
        case .overridden: "overridden"
        case .sameAsRemote: "same as remote"
        case .stale: "stale"
        case .invalid: "invalid"
        }
    }

    /// Whether `--stale` and `is:stale` select the override: it has an unknown key or value, or changes nothing.
    public var isStale: Bool {
        switch self {
        case .stale, .sameAsRemote: true
        case .notSet, .overridden, .invalid: false
        }
    }

    /// The state of a flag's override.
    ///
    /// - Parameters:
    ///   - item: the flag's item in the catalog; `nil` if it has none.
    ///   - explanation: the values of the layers.
    ///   - areKeysKnown: whether any source has values; without them, an unknown key is not stale.
    public static func of(item: FlagItem?, explanation: Explanation, areKeysKnown: Bool = true) -> OverrideState {
        guard let value = explanation.value(in: .override) else { return .notSet }
        let text = value.string
        let shown = JSONOutput.quoted(text, limit: 40)
        guard explanation.type.accepts(text) else {
            return .invalid("\(shown) is not a valid \(explanation.type.rawValue); apps ignore it")
        }
        let remote = explanation.value(in: .remote)
        if areKeysKnown, item == nil, remote == nil, explanation.value(in: .default) == nil {
            return .stale("neither the catalog nor a source has this key; an app may still read it")
        }
        if let item, item.isClosedList(of: explanation.type),
            !item.options.contains(where: { explanation.type.isSame($0.value, text) })
        {
            return .stale("\(shown) is not one of the options")
        }
        return remote.map { explanation.type.isSame($0.string, text) } ?? false ? .sameAsRemote : .overridden
    }
}
