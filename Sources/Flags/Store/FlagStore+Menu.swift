package import FlagModel
package import FlagRemote
package import FlagStorage
import Synchronization

// The part of a store that the menu and commands use.
extension FlagStore {
    /// The store for overrides; `nil` if overrides are off or not saved.
    package var overrideStore: OverrideStore? { overrides }

    /// The values of layers that a menu does not read itself, such as launch values and team values.
    package var menuLayers: LayerValues {
        var values = state.withLock { $0.contents.values }
        for layer in FlagLayer.allCases where layer.isInEverySetup { values[layer] = LayerContent() }
        return values
    }

    /// The current remote values and sources.
    package var remoteReading: RemoteReading { remoteReading(of: state.withLock { $0.contents.sources }) }

    /// The remote values and sources after an update.
    ///
    /// Includes the flags that code declares, so that they can be overridden even if no source has them.
    package func remoteReading(of sources: RemoteState) -> RemoteReading {
        let (pushed, contents) = state.withLock { ($0.contents.pushed, $0.contents) }
        let declared = declared()
        let isCurrent = declared.isEmpty && contents.sources.activations == sources.activations
        return RemoteReading(
            snapshot: isCurrent
                ? contents.remote
                : sources.snapshot(defaults: storeDefaults, pushed: pushed?.document, declared: declared),
            sources: sources, pushedAt: pushed?.takenAt)
    }

    /// Calls a handler with each update of the sources, in order, until the returned closure is called. Readers of
    /// flags see an update before the handler does.
    package func observeRemote(_ handler: @escaping @Sendable (RemoteUpdate) -> Void) -> @Sendable () -> Void {
        add(handler, to: \.remoteObservers)
    }

    /// Calls a handler each time the override file was read, until the returned closure is called.
    package func observeOverrides(_ handler: @escaping @Sendable (StoreReading) -> Void) -> @Sendable () -> Void {
        add(handler, to: \.storeObservers)
    }

    /// Why changes of other processes are not watched; `nil` if they are.
    package var watchError: String? { state.withLock { $0.watchIssue } }

    /// Returns the current time.
    package var now: @Sendable () -> FlagTimestamp { remote.clock.now }
}

/// The remote values and the state of their sources, for menus and commands.
package struct RemoteReading: Sendable {
    /// The values in use.
    package let snapshot: RemoteSnapshot
    /// The state of each source.
    package let sources: RemoteState
    /// The time at which the app set remote values itself; `nil` if it did not.
    let pushedAt: FlagTimestamp?

    /// The time at which the oldest values in use were fetched or set; `nil` if there are none.
    package var fetchedAt: FlagTimestamp? { [sources.fetchedAt, pushedAt].compactMap { $0 }.min() }

    /// The values that activating would change; empty if no fetched values wait.
    package var differences: [ValueDifference] {
        guard sources.isWaiting else { return [] }
        return ValueDifference.between(sources.snapshot().values, sources.activated.snapshot().values)
    }

    /// The values that activating would change; empty if it would only change the catalog, `nil` if it would change
    /// nothing.
    package var waiting: [ValueDifference]? { sources.hasUpdate ? differences : nil }
}
