/// Which flags are secret: their values are neither shared nor shown in a bug report or on the server's page. Their keys
/// are.
public struct SecretFlags: Sendable, Equatable {
    /// Patterns of keys, in which a `*` stands for any text.
    package var patterns: [String]

    /// The flags that a catalog marks, and those whose key matches a pattern, in any case.
    public init(patterns: [String] = []) { self.patterns = patterns }

    /// Whether a flag is secret.
    package func contains(_ key: String, in catalog: Catalog) -> Bool {
        catalog.item(key)?.isSecret == true || patterns.contains { Self.matches(key, $0) }
    }

    /// Whether no flag of a catalog, nor any other, is secret.
    package func areNone(in catalog: Catalog) -> Bool { patterns.isEmpty && !catalog.items.contains(where: \.isSecret) }

    /// The sentence that names the secret flags among those of which a file has values; `nil` if there are none.
    package func warning(about file: String, with overrides: FlagTable<FlagOverride>, in catalog: Catalog) -> String? {
        let keys = overrides.sortedByKey.map(\.key).filter { contains($0, in: catalog) }
        guard !keys.isEmpty else { return nil }
        return "The \(file) has the values of secret flags: \(keys.joined(separator: ", ")). share leaves them out."
    }

    private static func matches(_ key: String, _ pattern: String) -> Bool {
        var rest = key.lowercased()[...]
        let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return rest == parts.first ?? "" }
        guard rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
