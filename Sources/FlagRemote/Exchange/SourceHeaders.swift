/// The headers of a request or a response, in order; names are case-insensitive.
public struct SourceHeaders: Sendable, Hashable {
    /// One header.
    public struct Field: Sendable, Hashable {
        /// The header's name as sent.
        public let name: String
        /// The header's value, including any secret.
        public let value: String
        /// Whether the value is secret, so that it is masked in errors, and not sent to another origin by a redirect.
        public let isSecret: Bool
    }

    /// All headers.
    public private(set) var fields: [Field] = []

    /// Headers from names and values.
    public init(_ fields: [(String, String)] = []) {
        for (name, value) in fields { append(name, value) }
    }

    /// The value of the first header with a name. Setting a value replaces all headers with this name; `nil` removes
    /// them.
    public subscript(_ name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// Adds a header; earlier headers with the same name stay.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value, isSecret: Self.secretNames.contains(name.lowercased())))
    }

    /// Replaces all headers with this name by one with a secret value; see ``Field/isSecret``.
    ///
    /// - Parameter prefix: the text before the secret, such as `Bearer `.
    public mutating func set(_ name: String, secret: Secret, prefix: String = "") {
        fields.removeAll { Self.isSame($0.name, name) }
        fields.append(Field(name: name, value: prefix + secret.reveal(), isSecret: true))
    }

    /// The headers that may be sent to any origin: those without secret values.
    public var withoutSecrets: SourceHeaders {
        var result = self
        result.fields.removeAll(where: \.isSecret)
        return result
    }

    /// Whether any header has a secret value.
    public var hasSecrets: Bool { fields.contains(where: \.isSecret) }

    /// The headers that always contain a credential.
    private static let secretNames = ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]

    private static func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}

extension SourceHeaders: CustomStringConvertible, CustomReflectable {
    /// A line for each header, secrets masked.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension SourceHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The header, its value masked if it is secret.
    public var description: String { "\(name): \(isSecret ? Secret.mask : value)" }
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
