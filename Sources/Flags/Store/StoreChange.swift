package import FlagModel
package import FlagRemote

/// A change of a store: its contents before and after, and where the change came from.
package struct StoreChange: Sendable {
    /// Where a change came from.
    package enum Cause: Sendable {
        /// The sources of remote values.
        case sources(RemoteUpdate)
        /// Remote values that the app set itself.
        case pushed
        case team
        /// A reading of the override file, which may be the same as before.
        case overrideFile
        /// Overrides that this process wrote.
        case written
        /// The flags that code declares.
        case declared
        /// The watch of the override file could not start.
        case watch
        /// Overrides were opened or closed.
        case access
    }

    package let cause: Cause
    /// The layers whose values may differ.
    package let layers: [FlagLayer]
    package let old: StoreContents
    package let new: StoreContents

    /// The change of one flag.
    struct ValueChange: Sendable {
        let key: String
        let old: FlagOutcome
        let new: FlagOutcome
    }

    init(_ cause: Cause, in layers: [FlagLayer], from old: StoreContents, to new: StoreContents) {
        (self.cause, self.layers, self.old, self.new) = (cause, layers, old, new)
    }

    /// Whether the value of a key may differ. Compares only this key, as most apps read only a few of all flags.
    func mayDiffer(_ key: FlagText) -> Bool { new.mayDiffer(key, from: old, in: layers) }

    /// The keys whose values may differ. Each call compares every key.
    var keys: Set<FlagText> { Set(comparedKeys.filter(mayDiffer)) }

    private var comparedKeys: some Sequence<FlagText> {
        let layers = layers.contains(.remote) ? layers + FlagLayer.aboveRemote : layers
        return [old, new].lazy.flatMap { contents in layers.lazy.flatMap { contents.values[$0].keys } }
    }

    /// Whether only a response of a source has made progress.
    package var isProgress: Bool { if case .sources(let update) = cause { update.cause.isProgress } else { false } }

    /// Whether a value of a key in some layers may differ.
    ///
    /// - Parameter key: the key; `nil` for any.
    func affects(_ key: String?, in layers: [FlagLayer]) -> Bool {
        guard layers.contains(where: self.layers.contains) else { return false }
        return key.map { mayDiffer(FlagText($0)) } ?? comparedKeys.contains(where: mayDiffer)
    }

    /// The change of one flag; `nil` if its value is the same, even with a different text. Runs code of the app.
    ///
    /// - Parameter declaration: reads the texts; by default, the first declaration of the key.
    func change(of key: String, read declaration: (any AnyFlagDeclaration)? = nil) -> ValueChange? {
        guard mayDiffer(FlagText(key)) else { return nil }
        let old = old.outcome(of: key, read: declaration)
        let new = new.outcome(of: key, read: declaration)
        return old.value == new.value ? nil : ValueChange(key: key, old: old, new: new)
    }

    /// The changes of all flags, sorted by key. Runs code of the app.
    var changes: [ValueChange] { keys.sorted().compactMap { change(of: $0.string) } }
}
