import FlagModel

/// The names of the flags in a response, which may be hashed.
struct StatsigNames {
    /// The names to read, each by its hash and by itself. `nil` to read all flags, whose names must not be hashed.
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

    /// The name of the flag that has this key in the response; `nil` if the settings do not list the name.
    func name(of key: FlagText) -> FlagText? { names == nil ? key : names?[key] }

    /// The hash `djb2` of a name: 32 bits over its UTF-16 code units, in decimal digits (`Hashing.ts` of
    /// js-client-monorepo).
    static func djb2(_ name: String) -> String {
        String(name.utf16.reduce(UInt32(0)) { hash, unit in hash &* 31 &+ UInt32(unit) })
    }
}
