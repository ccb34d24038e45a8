package import FlagFormats
public import FlagModel

/// Whom a template is evaluated for: an id that percent conditions hash, and signals that conditions compare.
///
/// firebase-admin keeps both in one dictionary, so a condition can also compare the signal `randomization_id`.
public struct TemplateContext: Sendable, Hashable {
    /// The name that the id has among the signals; firebase-admin for JavaScript has `randomizationId`.
    public static let randomizationKey: FlagText = "randomization_id"

    /// All signals, the id among them.
    public var signals: [FlagText: SignalValue]

    /// A context.
    public init(randomizationID: String? = nil, signals: [FlagText: SignalValue] = [:]) {
        self.signals = signals
        if let randomizationID { self.randomizationID = randomizationID }
    }

    /// A context as settings hold it: an object of signals, where the id may have either name.
    /// Members that can be no signal are passed over.
    public init(_ object: JSONValue) {
        signals = [:]
        for (name, value) in object.members {
            guard let signal = SignalValue(value) else { continue }
            signals[name == "randomizationId" ? Self.randomizationKey : name] = signal
        }
    }

    /// The id; an empty one is none.
    public var randomizationID: String? {
        get { self[Self.randomizationKey]?.text }
        set { signals[Self.randomizationKey] = newValue.map { .text($0) } }
    }

    /// A signal; `nil` also for 0 and for an empty text, which to firebase-admin are no signals.
    public subscript(_ key: FlagText) -> SignalValue? {
        signals[key].flatMap { $0.isTruthy ? $0 : nil }
    }
}

extension FirebaseTemplate {
    /// Conditions decided by hand as settings hold them: an object of names, each with whether the condition holds.
    package static func forcedConditions(_ object: JSONValue) -> [FlagText: Bool] {
        Dictionary(object.members.compactMap { member in member.value.bool.map { (member.key, $0) } }) { first, _ in
            first
        }
    }
}
