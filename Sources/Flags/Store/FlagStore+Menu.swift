package import FlagModel
package import FlagRemote
package import FlagStorage
import Synchronization

// What the menu and commands need of a store.
extension FlagStore {
    /// Where overrides are changed; `nil` if none count, or none are saved.
    package var overrideStore: OverrideStore? { overrides }

    /// The layers that a menu does not read by itself, such as the values of this run alone and those of a team.
    package var menuLayers: LayerValues {
        var values = state.withLock { $0.contents.values }
        for layer in Layer.allCases where layer.isInEverySetup { values[layer] = LayerContent() }
        return values
    }

    /// The remote side as it is now.
    package var remoteReading: RemoteReading { remoteReading(of: state.withLock { $0.contents.sources }) }

    /// The remote side as it was after an update.
    ///
    /// Keys that code declares are in it with their defaults, even if no source names them, so that they can be changed all
    /// the same.
    package func remoteReading(of sources: RemoteState) -> RemoteReading {
        let (pushed, contents) = state.withLock { ($0.contents.pushed, $0.contents) }
        let declared = declaredDefaults
        let isCurrent = declared.isEmpty && contents.sources.activations == sources.activations
        let defaults = ValueTable.joined([ownDefaults, declared])
        return RemoteReading(
            snapshot: isCurrent ? contents.remote : sources.snapshot(defaults: defaults, pushed: pushed?.document),
            sources: sources, pushedAt: pushed?.takenAt)
    }

    /// Calls a handler with each step of the remote side, in order, until the returned closure is called. Readers of flags
    /// see a step before the handler does.
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

/// What a menu or a command shows of the remote side.
package struct RemoteReading: Sendable {
    /// The values in use.
    package let snapshot: RemoteSnapshot
    /// What is known of each source.
    package let sources: RemoteState
    /// When the app gave values itself; `nil` if it did not.
    let pushedAt: Timestamp?

    /// When the oldest of the values in use were fetched; `nil` if nothing was.
    package var fetchedAt: Timestamp? { [sources.fetchedAt, pushedAt].compactMap { $0 }.min() }

    /// What activating would change, value by value; empty if nothing waits.
    package var differences: [ValueDifference] {
        guard sources.isWaiting else { return [] }
        return ValueDifference.between(sources.snapshot().values, sources.activated.snapshot().values)
    }

    /// The values that would change; `nil` if activating changes nothing. They are empty if only what is said of flags would, such
    /// as titles and options.
    package var waiting: [ValueDifference]? { sources.hasUpdate ? differences : nil }
}
