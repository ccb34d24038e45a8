public import FlagModel

/// What is known of a layer's value besides the value, in a few words; the menu, its lines and the command line say the
/// same.
public struct LayerNote {
    /// The words; empty where there is nothing to say.
    public let text: String

    /// The note on one layer of a flag.
    ///
    /// - Parameters:
    ///   - entry: the layer.
    ///   - facts: the flag.
    ///   - remote: how it stands with the remote values, such as ``fetched(at:now:)``; empty where nothing is to be said.
    ///   - now: the moment that ages count from.
    ///   - showsMoment: whether the moment itself stands behind an age.
    public init(
        _ entry: Explanation.Entry, of facts: FlagFacts, remote: String, now: Timestamp, showsMoment: Bool = false
    ) {
        guard entry.value != nil else {
            // Why a service leaves it to the app is worth as much as why it has a value.
            text = entry.layer == .remote ? facts.remoteNote ?? "" : ""
            return
        }
        let unread = entry.isCastable ? "" : "not \(Self.article(facts.type)), passed over"
        let known =
            switch entry.layer {
            case .launch: "this run only"
            case .override: Self.setting(of: facts.override, now: now, showsMoment: showsMoment)
            case .remote: [facts.remoteNote ?? "", remote].filter { !$0.isEmpty }.joined(separator: ", ")
            case .team, .default: ""
            }
        text = [unread, known].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// What is said of remote values that are in use.
    public static func fetched(at moment: Timestamp, now: Timestamp) -> String {
        "active, fetched \(moment.age(at: now))"
    }

    private static func setting(of override: Override?, now: Timestamp, showsMoment: Bool) -> String {
        guard let override else { return "" }
        let who = override.setBy.map { "set by \($0)" } ?? "set"
        guard let moment = override.setAt else { return override.setBy == nil ? "" : who }
        return "\(who), \(moment.age(at: now))\(showsMoment ? " (\(moment.rfc3339))" : "")"
    }

    private static func article(_ type: FlagType) -> String { type == .int ? "an int" : "a \(type.rawValue)" }
}
