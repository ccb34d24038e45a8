package import FlagModel

/// A condition of a template for servers, or a part of one.
package indirect enum ConditionNode: Sendable, Hashable {
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
    /// A kind that is not known, or not as Firebase writes it, and what is wrong with it. It never holds.
    case unreadable(String)
}

/// A share of the clients, told apart by a hash of who they are.
package struct PercentCondition: Sendable, Hashable {
    /// Which clients, by bounds in millionths of a percent.
    package enum Share: Sendable, Hashable {
        /// Up to the bound (`LESS_OR_EQUAL`).
        case lessOrEqual(Double)
        /// Above the bound (`GREATER_THAN`).
        case greaterThan(Double)
        /// Above the first bound, up to the second one (`BETWEEN`).
        case between(Double, Double)

        /// Whether a client with that percentile is one of them.
        package func contains(_ micro: Int) -> Bool {
            switch self {
            case .lessOrEqual(let bound): Double(micro) <= bound
            case .greaterThan(let bound): Double(micro) > bound
            case .between(let lower, let upper): Double(micro) > lower && Double(micro) <= upper
            }
        }
    }

    /// What is hashed along with the client, so that two conditions choose different clients; empty for nothing.
    package let seed: String
    /// Which clients.
    package let share: Share
}

/// A comparison of a signal with texts.
package struct SignalCondition: Sendable, Hashable {
    /// How a signal is compared.
    package enum Operator: Sendable, Hashable {
        /// As a text, with any of the targets.
        case text(TextTest)
        /// As a number, with the first target.
        case number(Comparison)
        /// As a version, with the first target.
        case version(Comparison)
    }

    /// How a text is tested.
    package enum TextTest: String, Sendable {
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
    package enum Comparison: String, Sendable {
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
        package func holds(_ order: Int) -> Bool {
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

    /// How the signal is compared.
    package let comparison: Operator
    /// Which signal.
    package let key: FlagText
    /// What it is compared with, at least one.
    package let targets: [String]
}
