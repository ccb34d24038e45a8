import DeveloperMenu
import FlagModel
import FlagRemote
import Flags
import Synchronization

/// Converts updates of a store's remote engine to the reports that its menu handles.
final class RemoteReports: Sendable {
    private let menu: TerminalMenu
    private let lastFetch = Mutex<(id: RemoteEngine.FetchID, request: RequestID)?>(nil)

    init(_ menu: TerminalMenu) { self.menu = menu }

    private var flags: FlagStore { menu.flags }

    /// The engine's id of the menu's last fetch, and the id of the menu's request for this fetch.
    var fetch: (id: RemoteEngine.FetchID, request: RequestID)? { lastFetch.withLock { $0 } }

    /// Returns the engine's id for the next fetch. The result of the fetch is reported for the given request.
    func beginFetch(for request: RequestID) -> RemoteEngine.FetchID {
        let id = flags.remote.makeFetchID()
        lastFetch.withLock { $0 = (id, request) }
        return id
    }

    /// The values in use, with their status.
    func content(_ reading: RemoteReading) -> RemoteContent {
        let now = flags.now()
        return RemoteContent(
            snapshot: reading.snapshot, fetchedAt: reading.fetchedAt ?? now, errors: reading.sources.errors(at: now),
            warnings: menu.settings.connectionWarnings() + [reading.sources.watchError].compactMap { $0 }
                + reading.snapshot.issues.map(\.description) + (flags.teamReading?.issues ?? []),
            waiting: reading.waiting, evaluations: reading.sources.evaluations)
    }

    /// The first report of the menu; `nil` if there are no values until a service has responded.
    ///
    /// - Parameter isFetching: whether sources are requested at the start.
    func opened(_ reading: RemoteReading, isFetching: Bool) -> RemoteReport? {
        let areAwaited = isFetching && !reading.sources.hasValues && reading.sources.sources.contains { !$0.isLocal }
        return areAwaited ? nil : activated(reading, for: RemoteValuesStatus.startupFetch)
    }

    /// The report that code declares other flags than before; `nil` while the values of services are awaited, whose
    /// report includes the flags.
    func declared(_ reading: RemoteReading) -> RemoteReport? {
        guard reading.sources.sources.isEmpty || reading.sources.hasValues else { return nil }
        return .activated(content(reading), by: .code)
    }

    /// The reports that the app has set remote values itself.
    func pushed(_ reading: RemoteReading) -> [RemoteReport] {
        [.activated(content(reading), by: .elsewhere), .sourcesChanged(reading.sources.statuses)]
    }

    /// The result of a requested activation, or of the first reading.
    func activated(_ reading: RemoteReading, for request: RequestID) -> RemoteReport {
        hasFailedWithoutValues(reading)
            ? failed(reading, for: request)
            : .activated(content(reading), by: .menu(id: request))
    }

    /// The result of the menu's fetch.
    ///
    /// - Parameters:
    ///   - scope: which sources were fetched.
    ///   - hasActivated: whether values were activated immediately, such as the first values of a source.
    func fetched(
        _ reading: RemoteReading, _ scope: FetchScope, hasActivated: Bool, for request: RequestID
    ) -> RemoteReport {
        let sources = reading.sources.sources
        if sources.isEmpty { return .hasNoSource(id: request) }
        // If the menu itself requested the unavailable sources, it does not show a message about them.
        if hasActivated || scope == .withoutResponse {
            guard hasFailedWithoutValues(reading) else { return .activated(content(reading), by: .fetch(id: request)) }
            return contextWithoutValues(reading) ?? failed(reading, for: request)
        }
        if sources.allSatisfy({ $0.error != nil }) { return failed(reading, for: request) }
        let now = flags.now()
        return .fetched(
            id: request, waiting: reading.waiting, at: now, errors: reading.sources.errors(at: now))
    }

    /// The result of a context change. Sources without values for the changed context are requested next.
    func contextChanged(_ reading: RemoteReading, notice: String?, for request: RequestID) -> ContextReport {
        let evaluations = reading.sources.evaluations
        if isAwaitingValues(reading) { return .awaited(id: request, evaluations, notice: notice) }
        guard !hasFailedWithoutValues(reading) else {
            return .withoutValues(id: request, errors: errors(reading), evaluations: evaluations)
        }
        return .changed(id: request, content(reading), notice: notice)
    }

    /// The reports about an update of the engine.
    ///
    /// - Parameter reading: the remote values after the update.
    func reports(of update: RemoteUpdate, _ reading: RemoteReading) -> [RemoteReport] {
        let fetch = fetch
        let reports: [RemoteReport]
        switch update.cause {
        case .opened: return []
        case .progress(let source, .received(let bytes, let total)):
            return [.progressed(source: source, .received(bytes: bytes, of: total))]
        case .progress(let source, .retrying(let attempt, _)):
            return [.progressed(source: source, .retrying(attempt: attempt))]
        case .cached: return update.state.cacheError.map { [.notCached(reason: $0)] } ?? []
        case .liveUpdates(let source, let error):
            reports = [.liveUpdatesChanged(source: source, error: error.map(\.sentence.asSentence))]
        case .fetchStarted(let id):
            // The menu has already reported the start of its fetch, but the end of the previous fetch may have been
            // reported since.
            let started = fetch.flatMap { $0.id == id ? RemoteReport.fetchStarted(id: $0.request) : nil }
            let requestedSources = update.state.sources.indices.filter { update.state.sources[$0].isRequested }
            reports = [started].compactMap { $0 } + requestedSources.map { .progressed(source: $0, .requested) }
        case .responded(let source):
            let name = update.state.sources[source].name
            reports = [
                .progressed(source: source, .responded),
                responded(reading, name, update, isEdit: flags.remote.configured[source].activatesUpdates),
            ]
        case .activatedElsewhere, .watchChanged, .activated(isByMenu: false):
            reports = [.activated(content(reading), by: .elsewhere)]
        case .contextChanged(let isRequested):
            // Errors of live updates were for the previous context.
            let liveReports = update.state.sources.indices.map {
                RemoteReport.liveUpdatesChanged(source: $0, error: nil)
            }
            let isReported = isRequested || isAwaitingValues(reading)
            reports = liveReports + (isReported ? [] : [.activated(content(reading), by: .elsewhere)])
        case .fetchEnded(let id, let scope, let hasActivated):
            let request = fetch.flatMap { $0.id == id ? $0.request : nil }
            reports = request.map { [fetched(reading, scope, hasActivated: hasActivated, for: $0)] } ?? []
        // A fetch that is cancelled before it starts is reported as started after the menu has cancelled it.
        case .fetchCancelled(let id):
            reports = fetch.flatMap { $0.id == id ? [.fetchCancelled(id: $0.request)] : nil } ?? []
        // The menu reports its own activation when it has returned.
        case .activated(isByMenu: true): reports = []
        }
        return reports + [.sourcesChanged(update.state.statuses)]
    }

    /// The report of a response from one source.
    private func responded(
        _ reading: RemoteReading, _ source: String, _ update: RemoteUpdate, isEdit: Bool
    ) -> RemoteReport {
        if hasFailedWithoutValues(reading), !reading.sources.isFetching, let report = contextWithoutValues(reading) {
            return report
        }
        guard update.hasActivated, reading.sources.hasValues else {
            let now = flags.now()
            return .polled(
                source: source, waiting: reading.waiting, at: reading.sources.newestAt ?? now,
                errors: reading.sources.errors(at: now))
        }
        guard flags.activation == .manual else { return .activated(content(reading), by: .elsewhere) }
        return .activated(content(reading), by: isEdit ? .edit(of: source) : .response)
    }

    /// The report that an overridden context has no values, so that the user can change the context; `nil` if no
    /// context is overridden.
    private func contextWithoutValues(_ reading: RemoteReading) -> RemoteReport? {
        let evaluations = reading.sources.evaluations
        guard evaluations.contains(where: \.isChanged) else { return nil }
        return .context(.withoutValues(id: nil, errors: errors(reading), evaluations: evaluations))
    }

    /// The report that no source could be read.
    private func failed(_ reading: RemoteReading, for request: RequestID) -> RemoteReport {
        .fetchFailed(
            id: request, errors: errors(reading), defaults: reading.sources.hasValues ? nil : content(reading))
    }

    /// Why there are no values, one sentence each.
    private func errors(_ reading: RemoteReading) -> [String] {
        menu.settings.withoutValues(reading.sources).map { [$0] } ?? reading.sources.errors(at: flags.now())
    }

    /// Whether a source has failed and there are no values to show.
    private func hasFailedWithoutValues(_ reading: RemoteReading) -> Bool {
        !reading.sources.sources.isEmpty && !reading.sources.hasValues
            && reading.sources.sources.contains { $0.error != nil }
    }

    /// Whether values are still awaited: at least one service has neither values nor an error yet.
    private func isAwaitingValues(_ reading: RemoteReading) -> Bool {
        reading.sources.sources.contains { !$0.isLocal && $0.active == nil && $0.error == nil }
    }
}
