import Platform

/// Names of temporary files and folders: `.overrides.json.<process>.<random>.tmp`, with the id of the process that
/// creates them.
enum TemporaryName {
    private static let suffix = ".tmp"

    /// A new name for a file that will be renamed to `name`.
    static func make(for name: String) -> String {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        return "\(prefix(for: name))\(getpid()).\(random)\(suffix)"
    }

    /// The id of the process that wrote `candidate`, a temporary file for `name`; `nil` if `candidate` is not the name
    /// of such a file.
    static func owner(of candidate: String, for name: String) -> Int32? {
        let prefix = prefix(for: name)
        guard candidate.hasPrefix(prefix), candidate.hasSuffix(suffix) else { return nil }
        let parts = candidate.dropFirst(prefix.count).dropLast(suffix.count).split(separator: ".")
        guard parts.count == 2, let process = Int32(parts[0]), process > 0 else { return nil }
        return process
    }

    /// The prefix of temporary names. Long names are truncated, as file systems allow names of 255 bytes.
    private static func prefix(for name: String) -> String {
        var shortened = name
        while shortened.utf8.count > longestName { shortened.removeLast() }
        return ".\(shortened)."
    }

    private static let longestName = 200
}
