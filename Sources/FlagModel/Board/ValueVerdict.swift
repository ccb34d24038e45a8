/// Whether a flag may have a value.
public enum ValueVerdict: Sendable, Equatable {
    /// It may. The value as it is stored: an option's own spelling if it is equivalent, such as `true` for `on`.
    case fitting(String)
    /// It is not one of the flag's options, which are a closed list; a sentence with the options.
    case noOption(String)
    /// It is invalid for the flag's type or its bounds; a sentence with the reason.
    case unfit(String)

    /// Why it may not, as a sentence; `nil` if it may.
    public var objection: String? {
        switch self {
        case .fitting: nil
        case .noOption(let sentence), .unfit(let sentence): sentence
        }
    }
}

extension FlagFacts {
    /// Whether the flag may have a value.
    public func verdict(on value: String) -> ValueVerdict {
        if let option = option(meaning: value) { return .fitting(option.value) }
        if hasChoice, !isOpenToOtherValues {
            let list = options.map { EffectiveChange.shown($0.value) }.joined(separator: ", ")
            return .noOption("\(JSONOutput.quoted(value, limit: 80)) is not an option of \(key). Options: \(list).")
        }
        return objection(to: value).map { .unfit("\(key): \($0)") } ?? .fitting(value)
    }
}

extension FlagBoard {
    /// The message for an unknown key: a sentence, with the nearest keys.
    public func sentence(onUnknown key: String) -> String {
        let keys = places.lazy.map { self.key(at: $0).string }
        let hint = NearestKeys.question(about: key, among: keys, naming: 3)
        return "There is no flag \(JSONOutput.quoted(key, limit: 80)).\(hint)"
    }
}
