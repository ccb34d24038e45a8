import FlagModel

/// The names of the flags in a response, which may be hashed.
struct StatsigNames {
    /// The names by their hashes, and by themselves; `nil` if all flags are read, whose names are not hashed.
    private let names: [FlagText: FlagText]?

    /// - Parameter names: the names to read; empty for all.
    init(_ names: [String]) {
        guard !names.isEmpty else {
            self.names = nil
            return
        }
        var table: [FlagText: FlagText] = [:]
        // A response may contain a catalog even if it is not among the names.
        for name in names + [RemoteDocument.catalogKey] {
            table[FlagText(Self.djb2(name))] = FlagText(name)
            table[FlagText(name)] = FlagText(name)
        }
        self.names = table
    }

    /// The name of the flag with a key of the response; `nil` if the flag is not read.
    func name(of key: FlagText) -> FlagText? { names == nil ? key : names?[key] }

    /// The hash `djb2` of a name: 32 bits over its UTF-16 code units, in decimal digits (`Hashing.ts` of
    /// js-client-monorepo).
    static func djb2(_ name: String) -> String {
        String(name.utf16.reduce(UInt32(0)) { hash, unit in hash &* 31 &+ UInt32(unit) })
    }
}
