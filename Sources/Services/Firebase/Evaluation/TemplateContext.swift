package import FlagFormats
public import FlagModel

/// The evaluation context of a template: an id that percent conditions hash, and signals that conditions compare.
///
/// firebase-admin stores both in one dictionary, so a condition can also compare the signal `randomization_id`.
public struct TemplateContext: Sendable, Hashable {
    /// The signal with the id that percent conditions hash; firebase-admin for JavaScript calls it `randomizationId`.
    public static let randomizationKey: FlagText = "randomization_id"

    /// All signals, including the id.
    public var signals: [FlagText: SignalValue]

    /// A context.
    public init(randomizationID: String? = nil, signals: [FlagText: SignalValue] = [:]) {
        self.signals = signals
        if let randomizationID { self.randomizationID = randomizationID }
    }

    /// A context from settings: an object of signals. The id may be called `randomization_id` or `randomizationId`.
    /// Members that cannot be signals are skipped.
    public init(_ object: JSONValue) {
        signals = [:]
        for (name, value) in object.members {
            guard let signal = SignalValue(value) else { continue }
            signals[name == "randomizationId" ? Self.randomizationKey : name] = signal
        }
    }

    /// The id that percent conditions hash; `nil` if there is none, or it is empty or zero.
    public var randomizationID: String? {
        get { self[Self.randomizationKey]?.text }
        set { signals[Self.randomizationKey] = newValue.map { .text($0) } }
    }

    /// The value of a signal; `nil` also for an empty, zero or false value, which firebase-admin ignores.
    public subscript(_ key: FlagText) -> SignalValue? {
        signals[key].flatMap { $0.isTruthy ? $0 : nil }
    }
}

extension FirebaseTemplate {
    /// Forced conditions from settings: an object of names, each with whether the condition applies.
    package static func forcedConditions(_ object: JSONValue) -> [FlagText: Bool] {
        Dictionary(object.members.compactMap { member in member.value.bool.map { (member.key, $0) } }) { first, _ in
            first
        }
    }
}
