public import Configuration

/// How a key of swift-configuration is spelled as the key of a flag.
public struct KeySpelling: Sendable {
    /// The key of the flag that a reader's key means.
    let spell: @Sendable (AbsoluteConfigKey) -> String

    /// A spelling by a rule of the app's own, for example one that puts a prefix before each key.
    ///
    /// - Parameter spell: the key of the flag; called at each reading, from any thread.
    public init(_ spell: @escaping @Sendable (_ key: AbsoluteConfigKey) -> String) { self.spell = spell }

    /// The parts of the key with a text between them.
    public static func joined(by separator: String) -> KeySpelling {
        KeySpelling { $0.components.joined(separator: separator) }
    }

    /// `checkout.timeout` means the flag `checkout.timeout`.
    public static let dots = joined(by: ".")
    /// `checkout.timeout` means the flag `checkout_timeout`: a key of Firebase Remote Config has no dots.
    public static let underscores = joined(by: "_")
}
