package import FlagModel

/// A condition of a server template, or a part of one.
package indirect enum ConditionNode: Sendable, Hashable {
    /// Applies if at least one of the conditions does (`orCondition`).
    case anyOf([ConditionNode])
    /// Applies if all of the conditions do, even if there are none (`andCondition`).
    case allOf([ConditionNode])
    case always
    case never
    /// Applies to a share of the clients.
    case percent(PercentCondition)
    /// Applies to some values of a signal.
    case customSignal(SignalCondition)
    /// A condition of an unknown kind or in an invalid format, with the error. It never applies.
    case unreadable(String)
}

/// A share of the clients, chosen by a hash of their id.
package struct PercentCondition: Sendable, Hashable {
    /// The share, as a range of percentiles. Bounds are in millionths of a percent.
    package enum Share: Sendable, Hashable {
        /// Clients up to the bound (`LESS_OR_EQUAL`).
        case lessOrEqual(Double)
        /// Clients above the bound (`GREATER_THAN`).
        case greaterThan(Double)
        /// Clients above the first bound and up to the second (`BETWEEN`).
        case between(Double, Double)

        /// Whether a client is in the share; `micro` is its percentile in millionths of a percent.
        package func contains(_ micro: Int) -> Bool {
            switch self {
            case .lessOrEqual(let bound): Double(micro) <= bound
            case .greaterThan(let bound): Double(micro) > bound
            case .between(let lower, let upper): Double(micro) > lower && Double(micro) <= upper
            }
        }
    }

    /// A text that is hashed with the client's id, so that two conditions choose different clients; may be empty.
    package let seed: String
    package let share: Share
}

/// A comparison of a signal with texts.
package struct SignalCondition: Sendable, Hashable {
    /// How a signal is compared.
    package enum Operator: Sendable, Hashable {
        /// Compares the signal as a text with every target.
        case text(TextTest)
        /// Compares the signal as a number with the first target.
        case number(Comparison)
        /// Compares the signal as a version with the first target.
        case version(Comparison)
    }

    /// How a text is tested.
    package enum TextTest: String, Sendable {
        /// The text contains one of the targets.
        case contains = "STRING_CONTAINS"
        /// The text contains none of the targets.
        case doesNotContain = "STRING_DOES_NOT_CONTAIN"
        /// The text equals one of the targets, ignoring surrounding white space.
        case equals = "STRING_EXACTLY_MATCHES"
        /// A part of the text matches one of the targets, which are regular expressions.
        case matches = "STRING_CONTAINS_REGEX"
    }

    /// How two values are compared.
    package enum Comparison: String, Sendable {
        case less = "LESS_THAN"
        case lessOrEqual = "LESS_EQUAL"
        case equal = "EQUAL"
        case notEqual = "NOT_EQUAL"
        case greater = "GREATER_THAN"
        case greaterOrEqual = "GREATER_EQUAL"

        /// Whether the comparison is true; `order` is -1, 0 or 1 if the signal is less than, equal to or greater than
        /// the target.
        package func applies(_ order: Int) -> Bool {
            switch self {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .equal: order == 0
            case .notEqual: order != 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        }

        /// The sign for the comparison.
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
    /// The key of the signal.
    package let key: FlagText
    /// The targets, at least one.
    package let targets: [String]
}
