package import FlagFormats
public import FlagModel
public import FlagRemote

/// The evaluation context of a template: an id that percent conditions hash, and signals that conditions compare.
///
/// firebase-admin stores both in one dictionary, so a condition can also compare the signal `randomization_id`.
public struct TemplateContext: Sendable, Hashable {
    /// The signal with the id that percent conditions hash; firebase-admin for JavaScript calls it `randomizationId`.
    public static let randomizationKey: FlagText = "randomization_id"

    /// All signals, including the id.
    public var signals: [FlagText: ContextValue]

    /// A context.
    public init(randomizationID: String? = nil, signals: [FlagText: ContextValue] = [:]) {
        self.signals = signals
        if let randomizationID { self.randomizationID = randomizationID }
    }

    /// A context from settings: an object of signals. The id may be called `randomization_id` or `randomizationId`.
    /// Members that cannot be signals are skipped.
    public init(_ object: JSONValue) {
        signals = [:]
        for (name, value) in object.members {
            guard let signal = ContextValue(signal: value) else { continue }
            signals[name == "randomizationId" ? Self.randomizationKey : name] = signal
        }
    }

    /// The id that percent conditions hash; `nil` if there is none, or it is empty or zero.
    public var randomizationID: String? {
        get { self[Self.randomizationKey]?.signalText }
        set { signals[Self.randomizationKey] = newValue.map { .text($0) } }
    }

    /// The value of a signal; `nil` also for an empty, zero or false value, which firebase-admin ignores.
    public subscript(_ key: FlagText) -> ContextValue? {
        signals[key].flatMap { $0.isTruthy ? $0 : nil }
    }
}

extension FirebaseTemplate {
    /// Forced conditions from settings: an object of names, each with whether the condition applies.
    package static func forcedConditions(_ object: JSONValue) -> [FlagText: Bool] {
        object.members.reduce(into: [:]) { forced, member in
            forced[member.key] = forced[member.key] ?? member.value.bool
        }
    }
}

// Values of signals: texts, numbers and Booleans. Firebase documents only texts and numbers.
extension ContextValue {
    /// A JSON value as a signal; `nil` for null, arrays, objects and whole numbers beyond `Int`.
    package init?(signal value: JSONValue) {
        let isWhole = value.kind == .number && !value.source.utf8.contains { ".eE".utf8.contains($0) }
        guard value.kind != .array, !isWhole || value.wholeNumber != nil else { return nil }
        self.init(value)
    }

    /// The value as text, which conditions on texts and versions compare.
    package var signalText: String { if case .text(let text) = self { text } else { json.text(indented: false) } }

    /// The value as a whole number, also if the value is a text that spells one; `nil` for other values.
    var integer: Int? {
        switch self {
        case .text(let text): Int(text.trimmed)
        case .integer(let integer): integer
        case .number, .bool, .list, .members: nil
        }
    }

    /// The value as a number, also if the value is a text that spells one; `nil` for other texts.
    var double: Double? {
        switch self {
        case .text(let text): Double(text.trimmed).flatMap { $0.isNaN ? nil : $0 }
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .bool(let bool): bool ? 1 : 0
        case .list, .members: nil
        }
    }

    /// Whether the value is neither empty, zero nor false. firebase-admin ignores empty, zero and false signals.
    fileprivate var isTruthy: Bool { if case .text(let text) = self { !text.isEmpty } else { double != 0 } }
}
