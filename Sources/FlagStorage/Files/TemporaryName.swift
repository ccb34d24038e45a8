import Platform

/// Names of temporary files: `.overrides.json.<process>.<random>.tmp`. The process id shows whose leftover one is.
enum TemporaryName {
    private static let ending = ".tmp"

    /// A new name for a file that is to become `name`.
    static func make(for name: String) -> String {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        return "\(beginning(for: name))\(getpid()).\(random)\(ending)"
    }

    /// The process that made the temporary file `candidate` for `name`; `nil` if it is something else.
    static func owner(of candidate: String, for name: String) -> Int32? {
        let beginning = beginning(for: name)
        guard candidate.hasPrefix(beginning), candidate.hasSuffix(ending) else { return nil }
        let parts = candidate.dropFirst(beginning.count).dropLast(ending.count).split(separator: ".")
        guard parts.count == 2, let process = Int32(parts[0]), process > 0 else { return nil }
        return process
    }

    /// Long names are truncated, as file systems allow names of 255 bytes.
    private static func beginning(for name: String) -> String {
        var shown = name
        while shown.utf8.count > longestName { shown.removeLast() }
        return ".\(shown)."
    }

    private static let longestName = 200
}
