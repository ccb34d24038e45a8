public import FlagModel

/// A condition of a template for servers, or a part of one.
public indirect enum ConditionNode: Sendable, Hashable {
    /// Holds where one of them does (`orCondition`).
    case anyOf([ConditionNode])
    /// Holds where all of them do, and so where there are none (`andCondition`).
    case allOf([ConditionNode])
    /// Always holds.
    case always
    /// Never holds.
    case never
    /// Holds for a share of the clients.
    case percent(PercentCondition)
    /// Holds for some values of a signal.
    case customSignal(SignalCondition)
    /// A kind that firebase-admin does not know, or none at all; it never holds. With the name of the first member.
    case unknown(FlagText?)
    /// Something that firebase-admin ends with an error at, and what it is.
    case unusable(String)
}

/// A share of the clients, told apart by a hash of who they are.
public struct PercentCondition: Sendable, Hashable {
    /// How the percentile of a client is compared.
    public enum Operator: Sendable, Hashable {
        /// `LESS_OR_EQUAL`
        case lessOrEqual
        /// `GREATER_THAN`
        case greaterThan
        /// `BETWEEN`
        case between
        /// One that never holds.
        case unknown(FlagText)
        /// None, so that it never holds.
        case missing
    }

    /// A bound in millionths of a percent; those left out are 0.
    public enum Bound: Sendable, Hashable {
        /// A number.
        case micro(Double)
        /// No number: firebase-admin ends with an error when it gets here.
        case unusable
    }

    /// How the percentile is compared.
    public let comparison: Operator
    /// What is hashed along with the client, so that two conditions choose different clients; empty for nothing.
    public let seed: String
    /// The bound of `lessOrEqual` and `greaterThan`.
    public let bound: Bound
    /// Where `between` begins; this one is not part of it.
    public let lower: Bound
    /// Where `between` ends; this one is part of it.
    public let upper: Bound
    /// What firebase-admin ends with an error at, once it has an id to hash and an operator.
    let fault: String?
}

/// A comparison of a signal with values.
public struct SignalCondition: Sendable, Hashable {
    /// How a signal is compared.
    public enum Operator: Sendable, Hashable {
        /// As a text, with any of the targets.
        case text(TextTest)
        /// As a number, with the first target.
        case number(Comparison)
        /// As a version, with the first target.
        case version(Comparison)
        /// One that never holds.
        case unknown(FlagText)
        /// None, so that it never holds.
        case missing
    }

    /// How a text is tested.
    public enum TextTest: String, Sendable, CaseIterable {
        /// It contains one of the targets.
        case contains = "STRING_CONTAINS"
        /// It contains none of the targets.
        case doesNotContain = "STRING_DOES_NOT_CONTAIN"
        /// It is one of the targets, white space at the ends aside.
        case equals = "STRING_EXACTLY_MATCHES"
        /// A part of it is described by one of the targets, each a regular expression.
        case matches = "STRING_CONTAINS_REGEX"
    }

    /// How two values are compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// Below.
        case less = "LESS_THAN"
        /// Not above.
        case lessOrEqual = "LESS_EQUAL"
        /// The same.
        case equal = "EQUAL"
        /// Not the same.
        case notEqual = "NOT_EQUAL"
        /// Above.
        case greater = "GREATER_THAN"
        /// Not below.
        case greaterOrEqual = "GREATER_EQUAL"

        /// Whether an order of -1, 0 or 1 is as it has to be.
        func holds(_ order: Int) -> Bool {
            switch self {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .equal: order == 0
            case .notEqual: order != 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        }

        /// The comparison as a sign.
        var sign: String {
            switch self {
            case .less: "<"
            case .lessOrEqual: "<="
            case .equal: "="
            case .notEqual: "is not"
            case .greater: ">"
            case .greaterOrEqual: ">="
            }
        }
    }

    /// What a signal is compared with.
    public enum Target: Sendable, Hashable {
        /// A value; Firebase writes texts only.
        case value(SignalValue)
        /// Something that is no value.
        case unusable
    }

    /// How the signal is compared.
    public let comparison: Operator
    /// Which signal; empty for none.
    public let key: FlagText
    /// What it is compared with; `nil` for something that is no list.
    public let targets: [Target]?
}
