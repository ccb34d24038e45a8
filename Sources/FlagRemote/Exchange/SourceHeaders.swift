/// The headers of a request or a response, in order; names are case-insensitive.
public struct SourceHeaders: Sendable, Hashable {
    /// One header.
    public struct Field: Sendable, Hashable {
        /// Its name as sent.
        public let name: String
        /// Its value, including any secret.
        public let value: String
        /// Whether it is secret and sent only to the origin that it was made for.
        public let isSecret: Bool
    }

    /// All headers.
    public private(set) var fields: [Field] = []

    /// Headers from names and values.
    public init(_ fields: [(String, String)] = []) {
        for (name, value) in fields { append(name, value) }
    }

    /// The first value of a header; setting replaces all of that name, and `nil` removes them.
    public subscript(_ name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// Adds a header; others of that name stay.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value, isSecret: Self.isAlwaysSecret(name)))
    }

    /// Sets a credential; it is never shown, and sent to no other origin.
    ///
    /// - Parameter prefix: what precedes it, such as `Bearer `.
    public mutating func set(_ name: String, secret: Secret, prefix: String = "") {
        fields.removeAll { Self.isSame($0.name, name) }
        fields.append(Field(name: name, value: prefix + secret.reveal(), isSecret: true))
    }

    /// The headers that any origin may see.
    public var withoutSecrets: SourceHeaders {
        var result = self
        result.fields.removeAll(where: \.isSecret)
        return result
    }

    /// Whether a header contains a credential.
    public var hasSecrets: Bool { fields.contains(where: \.isSecret) }

    /// Headers that always contain credentials.
    private static func isAlwaysSecret(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"].contains(name.lowercased())
    }

    private static func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}

extension SourceHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A line for each header, secrets masked.
    public var description: String {
        fields.map { "\($0.name): \($0.isSecret ? Secret.mask : $0.value)" }.joined(separator: "\n")
    }

    /// The same.
    public var debugDescription: String { description }

    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension SourceHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The header, its value masked if it is secret.
    public var description: String { "\(name): \(isSecret ? Secret.mask : value)" }
    /// The same.
    public var debugDescription: String { description }
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
