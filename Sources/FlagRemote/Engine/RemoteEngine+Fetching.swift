import FlagModel
import Synchronization

// Requests to sources.
extension RemoteEngine {
    /// How long, in seconds, other runs skip a source that has failed and has no values. Without skipping, each command
    /// of a script would wait for the source.
    private static let skipTime: Int64 = 60

    /// Requests newer values and waits for the responses. If the caller's task is cancelled, this method returns, but
    /// the requests continue, as other callers may wait for them. ``cancel(_:)`` ends the requests.
    ///
    /// - Parameters:
    ///   - scope: which sources to request.
    ///   - isActivating: whether to activate responses immediately.
    ///   - id: identifies the fetch for ``cancel(_:)``.
    package func fetch(_ scope: FetchScope, isActivating: Bool = false, id: FetchID? = nil) async -> FetchOutcome {
        await outcome(of: request(scope, isActivating: isActivating, id: id ?? makeFetchID()))
    }

    /// Waits for the responses to the requests of a plan.
    package func outcome(of plan: Plan) async -> FetchOutcome {
        guard plan.isRequesting else {
            save()
            return plan.outcome
        }
        await withTaskGroup(of: Void.self) { group in
            for index in plan.due { group.addTask { await self.respond(index, plan.id) } }
        }
        // A request ends before its update is delivered, and the caller reads the state that observers have received.
        deliverUpdates()
        if Task.isCancelled {
            return .failed("The task of this fetch was cancelled; its result is used anyway.")
        }
        // Saved so that the next start finds the responses in the cache.
        save()
        let sources = current.sources
        let failures = plan.due.compactMap { sources[$0].errorSentence }
        return failures.count == plan.due.count ? .failed(failures.joined(separator: " ")) : .fetchedFromRemote
    }

    /// The sources that a fetch requests, and its outcome if it requests none.
    package struct Plan {
        fileprivate let id: FetchID
        fileprivate var due: [Int] = []
        fileprivate var outcome = FetchOutcome.usedPreFetched

        /// Whether there are responses to wait for.
        package var isRequesting: Bool { !due.isEmpty }
    }

    /// Requests newer values. Observers are notified of each response, and of the end of the fetch.
    ///
    /// - Parameters:
    ///   - scope: which sources are requested.
    ///   - isActivating: whether to activate responses immediately.
    ///   - id: identifies the fetch for ``cancel(_:)``. If two fetches with the same id overlap, one end is reported,
    ///     after both have ended.
    @discardableResult
    package func request(_ scope: FetchScope, isActivating: Bool = false, id: FetchID) -> Plan {
        change { state in
            let now = clock.now()
            if state.fetches[id] == nil {
                state.fetches[id] = (scope, state.published.activations)
            }
            var plan = Plan(id: id)
            var rateLimitEnds: [FlagTimestamp] = []
            var hasUpdates = false
            for index in state.sources.indices {
                switch decision(on: index, scope, in: &state, now) {
                case .due: plan.due.append(index)
                case .fresh: break
                case .rateLimited(let end):
                    rateLimitEnds.append(end)
                    if receivePendingUpdate(of: index, in: &state, until: end, now) { hasUpdates = true }
                }
            }
            if hasUpdates {
                plan.outcome = .fetchedFromRemote
            } else if let end = rateLimitEnds.min() {
                plan.outcome = .rateLimited(seconds: Int(end.seconds - now.seconds))
            }
            for index in plan.due {
                if state.flights[index] == nil { startFlight(index, in: &state) }
                state.flights[index]?.fetches.insert(id)
                if isActivating { state.flights[index]?.isActivating = true }
            }
            var causes: [RemoteUpdate.Cause] = scope == .nothing ? [] : [.fetchStarted(id)]
            if plan.due.isEmpty, isActivating, Self.activate(&state) { causes.append(.activated(isByMenu: false)) }
            return (causes + Self.ended([id], in: &state), plan)
        }
    }

    /// Removes the given fetches whose requests have all completed; returns a `fetchEnded` for each.
    static func ended(_ fetches: some Sequence<FetchID>, in state: inout State) -> [RemoteUpdate.Cause] {
        fetches.compactMap { id in
            guard !state.flights.values.contains(where: { $0.fetches.contains(id) }),
                let fetch = state.fetches.removeValue(forKey: id), fetch.scope != .nothing
            else { return nil }
            return .fetchEnded(id, fetch.scope, hasActivated: state.published.activations != fetch.activations)
        }
    }

    private func decision(
        on index: Int, _ scope: FetchScope, in state: inout State, _ now: FlagTimestamp
    ) -> FetchSchedule.Decision {
        let source = state.sources[index]
        switch scope {
        case .nothing: return .fresh
        case .olderThan(let interval): return source.schedule.decision(at: now, minimumInterval: interval)
        case .withoutResponse:
            return source.hasResponded ? .fresh : source.schedule.decision(at: now, minimumInterval: .zero)
        case .withoutValues:
            guard source.active == nil, source.identity.path == nil || source.error == nil else { return .fresh }
            let hasValues = state.sources.contains { $0.active != nil }
            if hasValues, let failedAt = source.times.failedAt, now >= failedAt,
                now.seconds - failedAt.seconds < Self.skipTime
            {
                let wait = Self.skipTime - (now.seconds - failedAt.seconds)
                state.sources[index].record(
                    SourceError(
                        .unreachable, of: source.source.name,
                        "it could not be read a moment ago and is skipped for \(wait) s; a fetch retries now"))
                return .fresh
            }
            return source.schedule.decision(at: now, minimumInterval: .zero)
        }
    }

    /// Applies an update that a rate-limited source has received without a request or, if there is none, records the
    /// rate limit.
    ///
    /// - Returns: whether there was an update.
    private func receivePendingUpdate(
        of index: Int, in state: inout State, until end: FlagTimestamp, _ now: FlagTimestamp
    ) -> Bool {
        let source = state.sources[index]
        guard let update = source.source.readPendingUpdate(since: source.newest?.version) else {
            state.sources[index].record(Self.rateLimited(source, end, now))
            return false
        }
        receive(Result { () throws(SourceError) in try source.decoded(update, at: now) }, of: index, in: &state)
        return true
    }

    static func rateLimited(_ source: SourceState, _ end: FlagTimestamp, _ now: FlagTimestamp) -> SourceError {
        let seconds = end.seconds - now.seconds
        return SourceError(
            code: .rateLimited, path: source.source.name,
            sentence: "rate limited; retry in \(seconds) s",
            retryAfter: .seconds(seconds))
    }

    /// Starts a request to a source.
    ///
    /// - Parameter former: the replaced request. The fetches that wait for it will wait for the new request.
    func startFlight(_ index: Int, in state: inout State, replacing former: Flight? = nil) {
        let number = state.nextNumber()
        let (source, version) = (state.sources[index].source, state.sources[index].newest?.version)
        let task = Task(executorPreference: OwnThreads.engine) {
            await self.runFlight(number, index, source, since: version)
        }
        state.flights[index] = Flight(
            number: number, task: task, fetches: former?.fetches ?? [], isActivating: former?.isActivating ?? false)
    }

    /// Waits until a source has responded to a fetch. Meanwhile a new context may replace the source and its request.
    private func respond(_ index: Int, _ id: FetchID) async {
        while let flight = state.withLock({ $0.flights[index] }), flight.fetches.contains(id) {
            guard await flight.task.value() != nil else { return }
        }
    }

    /// Cancels a fetch; observers are not notified of its end. Requests that no other fetch waits for are cancelled,
    /// and their responses are dropped.
    package func cancel(_ id: FetchID) {
        change { state in
            guard state.fetches.removeValue(forKey: id) != nil else { return ([], ()) }
            for (index, flight) in state.flights where flight.fetches.contains(id) {
                state.flights[index]?.fetches.remove(id)
                guard flight.fetches.count == 1, !flight.isLive else { continue }
                flight.task.cancel()
                state.flights[index] = nil
            }
            return ([.fetchCancelled(id)], ())
        }
    }

    /// Requests one source, regardless of the age of its last response: the source has reported a change, or its poll
    /// interval is over.
    ///
    /// - Returns: the error; `nil` if there is a response.
    func refresh(_ index: Int, _ identity: SourceIdentity) async -> SourceError? {
        // A request under way may have been sent before the change. Wait for that request, then send another one.
        while let flight = state.withLock({ $0.flights[index] }) {
            guard await flight.task.value() != nil else { return nil }
        }
        let (task, rateLimit): (Task<Void, Never>?, SourceError?) = change { state in
            guard !Task.isCancelled, state.sources[index].identity == identity else { return ([], (nil, nil)) }
            let now = clock.now()
            let source = state.sources[index].source
            // Without a cache, no other program could read values that wait for their activation.
            let isActivating =
                policy.activation == .immediately || state.activatesUpdates || source.activatesUpdates
                || !source.isCached
            if let end = state.sources[index].schedule.rateLimitEnd(at: now) {
                let hasUpdate = receivePendingUpdate(of: index, in: &state, until: end, now)
                if hasUpdate, isActivating { activate(index, in: &state) }
                return (hasUpdate ? [.responded(index)] : [], (nil, state.sources[index].error))
            }
            if state.flights[index] == nil { startFlight(index, in: &state) }
            state.flights[index]?.isLive = true
            if isActivating { state.flights[index]?.isActivating = true }
            return ([.fetchStarted(nil)], (state.flights[index]?.task, nil))
        }
        guard let task else {
            save()
            // Read above, because a caller of fetch() may have recorded a rate limit since.
            return rateLimit
        }
        guard await task.value() != nil else { return nil }
        return state.withLock { $0.sources[index].identity == identity ? $0.sources[index].error : nil }
    }

    // One request.

    /// Requests a source, and applies the response unless the request was cancelled or replaced.
    private func runFlight(_ number: Int, _ index: Int, _ source: any RemoteSource, since version: String?) async {
        let response = await Self.response(of: source, since: version, within: policy.timeLimit) { [weak self] in
            self?.report($0, of: index, number)
        }
        defer { save() }
        let current = state.withLock { $0.flights[index]?.number == number ? $0.sources[index] : nil }
        guard let current else { return }
        let decoded = Result { () throws(SourceError) in try current.decoded(response.get(), at: clock.now()) }
        change { state in
            guard let flight = state.flights[index], flight.number == number else { return ([], ()) }
            state.flights[index] = nil
            receive(decoded, of: index, in: &state)
            if flight.isActivating { activate(index, in: &state) }
            return ([.responded(index)] + Self.ended(flight.fetches, in: &state), ())
        }
    }

    /// The response of a source, or the error that it takes longer than a limit.
    static func response(
        of source: any RemoteSource, since version: String?, within limit: Duration,
        progress: @escaping ProgressHandler
    ) async -> Result<FetchResult, SourceError> {
        let request = Task<Result<FetchResult, SourceError>, Never>(executorPreference: OwnThreads.engine) {
            do throws(SourceError) {
                return .success(try await source.fetch(since: version, progress: progress))
            } catch {
                return .failure(error)
            }
        }
        let response = await withTaskCancellationHandler {
            await request.value(within: limit)
        } onCancel: {
            request.cancel()
        }
        if let response { return response }
        request.cancel()
        let sentence = "no response within \(limit.components.seconds) seconds"
        return .failure(SourceError(.timedOut, of: source.name, sentence))
    }

    /// Activates the response of a source; with immediate activation, those of all sources.
    private func activate(_ index: Int, in state: inout State) {
        if policy.activation == .immediately {
            Self.activate(&state)
        } else if state.sources[index].activate() {
            state.published.activations += 1
        }
    }

    private func receive(_ result: Result<FetchedDocument?, SourceError>, of index: Int, in state: inout State) {
        let hadValues = state.sources[index].active != nil
        let now = clock.now()
        switch result {
        case .success(let response): state.sources[index].receive(response, at: now)
        // A malformed response is an error without backoff.
        case .failure(let error) where error.code == .malformed: state.sources[index].record(error)
        case .failure(let error): state.sources[index].fail(error, at: now, random: clock.random())
        }
        // The first values of a source are in use immediately.
        if !hadValues, state.sources[index].active != nil { state.published.activations += 1 }
    }

    /// Reports progress at most about 20 times a second, as a fast response arrives in thousands of pieces. Progress
    /// that arrives too soon is reported later rather than never, as the response may stall after it.
    private func report(_ progress: SourceProgress, of index: Int, _ number: Int) {
        let isReported = change { state in
            guard let flight = state.flights[index], flight.number == number else { return ([], false) }
            if case .received = progress, flight.isPausing {
                state.flights[index]?.delayedProgress = progress
                return ([], false)
            }
            state.flights[index]?.isPausing = true
            return ([.progress(index, progress)], true)
        }
        guard isReported else { return }
        Task(executorPreference: OwnThreads.engine) { [weak self] in
            try? await Task.sleep(for: .milliseconds(50))
            self?.reportDelayed(index, number)
        }
    }

    private func reportDelayed(_ index: Int, _ number: Int) {
        let delayed = state.withLock { state -> SourceProgress? in
            guard let flight = state.flights[index], flight.number == number else { return nil }
            state.flights[index]?.isPausing = false
            state.flights[index]?.delayedProgress = nil
            return flight.delayedProgress
        }
        if let delayed { report(delayed, of: index, number) }
    }
}
