package import FlagModel
package import FlagRemote
package import FlagStorage
import Synchronization

// The part of a store that the menu and commands use.
extension FlagStore {
    /// The store for overrides; `nil` if overrides are off or not saved.
    package var overrideStore: OverrideStore? { overrides }

    /// The layers that a menu does not read by itself, such as launch values and team values.
    package var menuLayers: LayerValues {
        var values = state.withLock { $0.contents.values }
        for layer in Layer.allCases where layer.isInEverySetup { values[layer] = LayerContent() }
        return values
    }

    /// The current remote side.
    package var remoteReading: RemoteReading { remoteReading(of: state.withLock { $0.contents.sources }) }

    /// The remote side after an update.
    ///
    /// It contains the keys that code declares, with their defaults, even if no source has them, so that they can be
    /// overridden too.
    package func remoteReading(of sources: RemoteState) -> RemoteReading {
        let (pushed, contents) = state.withLock { ($0.contents.pushed, $0.contents) }
        let declared = declaredDefaults
        let isCurrent = declared.isEmpty && contents.sources.activations == sources.activations
        let defaults = ValueTable.joined([ownDefaults, declared])
        return RemoteReading(
            snapshot: isCurrent ? contents.remote : sources.snapshot(defaults: defaults, pushed: pushed?.document),
            sources: sources, pushedAt: pushed?.takenAt)
    }

    /// Calls a handler with each change of the remote side, in order, until the returned closure is called. Readers of
    /// flags see a change before the handler does.
    package func observeRemote(_ handler: @escaping @Sendable (RemoteUpdate) -> Void) -> @Sendable () -> Void {
        add(handler, to: \.remoteObservers)
    }

    /// Calls a handler with each reading of the override file, until the returned closure is called.
    package func observeOverrides(_ handler: @escaping @Sendable (StoreReading) -> Void) -> @Sendable () -> Void {
        add(handler, to: \.storeObservers)
    }

    /// Why changes of other processes do not arrive; `nil` while they do.
    package var watchError: String? { state.withLock { $0.watchProblem } }

    /// The current moment.
    package var now: @Sendable () -> Timestamp { remote.clock.now }

    private var declaredDefaults: ValueTable {
        guard listsDeclaredKeys else { return ValueTable() }
        return ValueTable(
            FlagRegistry.declarations.compactMap { declaration in
                declaration.defaultText.map { (key: FlagText(declaration.name), value: FlagText($0)) }
            })
    }
}

/// The remote side as menus and commands show it.
package struct RemoteReading: Sendable {
    /// The values in use.
    package let snapshot: RemoteSnapshot
    /// The state of each source.
    package let sources: RemoteState
    /// When the app set remote values itself; `nil` if it did not.
    let pushedAt: Timestamp?

    /// When the oldest of the values in use were fetched; `nil` if nothing was fetched.
    package var fetchedAt: Timestamp? { [sources.fetchedAt, pushedAt].compactMap { $0 }.min() }

    /// What activating would change, value by value; empty if nothing waits.
    package var differences: [ValueDifference] {
        guard sources.isWaiting else { return [] }
        return ValueDifference.between(sources.snapshot().values, sources.activated.snapshot().values)
    }

    /// The values that would change; `nil` if activating changes nothing. Empty if only the catalog would change, such
    /// as titles and options.
    package var waiting: [ValueDifference]? { sources.hasUpdate ? differences : nil }
}
