package import FlagModel

/// A condition of a server template, or a part of one.
package indirect enum ConditionNode: Sendable, Hashable {
    /// Applies if one of them does (`orCondition`).
    case anyOf([ConditionNode])
    /// Applies if all of them do, even if there are none (`andCondition`).
    case allOf([ConditionNode])
    /// Always applies.
    case always
    /// Never applies.
    case never
    /// Applies to a share of the clients.
    case percent(PercentCondition)
    /// Applies to some values of a signal.
    case customSignal(SignalCondition)
    /// An unknown kind, or one that is not in Firebase's format, with the error. It never applies.
    case unreadable(String)
}

/// A share of the clients, chosen by a hash of their id.
package struct PercentCondition: Sendable, Hashable {
    /// The share, by bounds in millionths of a percent.
    package enum Share: Sendable, Hashable {
        /// Up to the bound (`LESS_OR_EQUAL`).
        case lessOrEqual(Double)
        /// Above the bound (`GREATER_THAN`).
        case greaterThan(Double)
        /// Above the first bound, up to the second one (`BETWEEN`).
        case between(Double, Double)

        /// Whether a client with that percentile is in the share.
        package func contains(_ micro: Int) -> Bool {
            switch self {
            case .lessOrEqual(let bound): Double(micro) <= bound
            case .greaterThan(let bound): Double(micro) > bound
            case .between(let lower, let upper): Double(micro) > lower && Double(micro) <= upper
            }
        }
    }

    /// Hashed with the client's id, so that two conditions choose different clients; may be empty.
    package let seed: String
    /// The share.
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
        /// It equals one of the targets, ignoring surrounding white space.
        case equals = "STRING_EXACTLY_MATCHES"
        /// A part of it matches one of the targets, each a regular expression.
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

        /// Whether an order of -1, 0 or 1 fulfils the comparison.
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
    /// The key of the signal.
    package let key: FlagText
    /// The targets, at least one.
    package let targets: [String]
}
