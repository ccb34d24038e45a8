#if Configuration
public import Configuration

/// How a key of swift-configuration is spelled as the key of a flag.
public struct KeySpelling: Sendable {
    /// Returns the key of the flag for a reader's key.
    let spell: @Sendable (AbsoluteConfigKey) -> String

    /// A custom spelling, for example with a prefix before each key.
    ///
    /// - Parameter spell: returns the key of the flag; called at each reading, from any thread.
    public init(_ spell: @escaping @Sendable (_ key: AbsoluteConfigKey) -> String) { self.spell = spell }

    /// The parts of the key with a separator between them.
    public static func joined(by separator: String) -> KeySpelling {
        KeySpelling { $0.components.joined(separator: separator) }
    }

    /// `checkout.timeout` is the flag `checkout.timeout`.
    public static let dots = joined(by: ".")
    /// `checkout.timeout` is the flag `checkout_timeout`: a key of Firebase Remote Config has no dots.
    public static let underscores = joined(by: "_")
}
#endif
