package import DeveloperMenu
import FlagModel
package import FlagRemote
import Flags

/// The events that tell a menu of the remote side of a store.
struct RemoteEvents: Sendable {
    let flags: FlagStore
    let reports: MenuReports
    /// The fetch of the menu.
    let ownFetch: RemoteEngine.FetchID

    /// What is in use now.
    func news(_ reading: RemoteReading) -> RemoteNews {
        let now = flags.now()
        return RemoteNews(
            snapshot: reading.snapshot, fetchedAt: reading.fetchedAt ?? now, problems: reading.sources.errors(at: now),
            remarks: reports.connectionWarnings() + [reading.sources.contextError].compactMap { $0 }
                + reading.snapshot.problems.map(\.description),
            waitingCount: reading.waitingCount, evaluations: reading.sources.evaluations)
    }

    /// What the menu begins with; `nil` if a service has to respond first.
    func opened(_ reading: RemoteReading, isFetching: Bool) -> Event? {
        let sources = reading.sources.sources
        if sources.isEmpty || reading.sources.hasValues || !isFetching { return activated(reading) }
        return sources.contains { !$0.isLocal } ? nil : failed(reading)
    }

    /// What is in use after an activation.
    func activated(_ reading: RemoteReading) -> Event {
        isWithoutValues(reading) ? failed(reading) : .remoteActivated(news(reading))
    }

    /// What came of the menu's fetch.
    ///
    /// - Parameter hasActivated: whether it has brought values that are in use at once, such as the first ones of a source.
    func fetched(_ reading: RemoteReading, _ scope: FetchScope, hasActivated: Bool) -> Event {
        let sources = reading.sources.sources
        if sources.isEmpty { return .remoteHasNoSource }
        // Sources that had not responded are requested by the menu itself, so nobody waits to be told.
        if hasActivated || scope == .unanswered {
            guard isWithoutValues(reading) else { return .remoteRefreshed(news(reading)) }
            return contextWithoutValues(reading) ?? failed(reading)
        }
        if sources.allSatisfy({ $0.error != nil }) { return failed(reading) }
        let now = flags.now()
        return .remoteFetched(waitingCount: reading.waitingCount, at: now, problems: reading.sources.errors(at: now))
    }

    /// What came of a change of the context; sources that it leaves without values are requested next.
    private func contextChanged(_ reading: RemoteReading, notice: String?) -> Event {
        let evaluations = reading.sources.evaluations
        if isAwaiting(reading) { return .contextAwaited(evaluations, notice: notice) }
        guard !isWithoutValues(reading) else {
            return .contextWithoutValues(problems: problems(reading), evaluations: evaluations)
        }
        return .contextChanged(news(reading), notice: notice)
    }

    /// What a step of the engine tells. Steps that the menu itself has taken are told by whoever took them.
    func events(for update: RemoteUpdate) -> [Event] {
        func reading() -> RemoteReading { flags.remoteReading(of: update.state) }
        switch update.cause {
        case .progress(let source, let progress): return [.sourceProgressed(source, FetchProgress(progress))]
        case .liveUpdates(let source, let error):
            return [.sourceFollowed(source, obstacle: error.map(\.sentence.asSentence)), standing(update.state)]
        case .fetchStarted(let id):
            // Also of what the menu knows already: the end of a fetch before may have been told since.
            let started: [Event] = id == ownFetch ? [.remoteLoadStarted] : []
            let requested = update.state.sources.indices.filter { update.state.sources[$0].isRequested }
            return started + requested.map { .sourceProgressed($0, .asked) } + [standing(update.state)]
        case .responded(let source):
            return [.sourceProgressed(source, .answered), responded(reading(), update), standing(update.state)]
        case .activatedElsewhere: return [.remoteActivatedElsewhere(news(reading())), standing(update.state)]
        case .activated(let isByMenu):
            return (isByMenu ? [] : [.remoteActivatedElsewhere(news(reading()))]) + [standing(update.state)]
        case .contextChanged(let isElsewhere, let notice):
            let reading = reading()
            // Why a source told of no changes is not so of the one for another context.
            let followed = update.state.sources.indices.map { Event.sourceFollowed($0, obstacle: nil) }
            let told: [Event] =
                if !isElsewhere {
                    [contextChanged(reading, notice: notice)]
                } else if isAwaiting(reading) {
                    []
                } else {
                    [.remoteActivatedElsewhere(news(reading))]
                }
            return followed + told + [standing(update.state)]
        case .fetchEnded(let id, let scope, let hasActivated):
            let ended = id == ownFetch ? [fetched(reading(), scope, hasActivated: hasActivated)] : []
            return ended + [standing(update.state)]
        case .opened: return []
        case .fetchCancelled: return [standing(update.state)]
        case .cached: return update.state.cacheError.map { [.remoteNotKept(reason: $0)] } ?? []
        }
    }

    private func responded(_ reading: RemoteReading, _ update: RemoteUpdate) -> Event {
        if isWithoutValues(reading), !reading.sources.isFetching, let event = contextWithoutValues(reading) {
            return event
        }
        guard update.hasActivated, reading.sources.hasValues else {
            let now = flags.now()
            return .remotePolled(
                waitingCount: reading.waitingCount, at: reading.sources.newestAt ?? now,
                problems: reading.sources.errors(at: now))
        }
        return flags.activation == .manual ? .remoteArrived(news(reading)) : .remoteActivatedElsewhere(news(reading))
    }

    /// That there are no values for a context that a tester has overridden, and can override again, which needs a menu; `nil` if
    /// none is overridden.
    private func contextWithoutValues(_ reading: RemoteReading) -> Event? {
        let evaluations = reading.sources.evaluations
        guard evaluations.contains(where: \.isChanged) else { return nil }
        return .contextWithoutValues(problems: problems(reading), evaluations: evaluations)
    }

    private func failed(_ reading: RemoteReading) -> Event { .remoteFailed(problems: problems(reading)) }

    private func problems(_ reading: RemoteReading) -> [String] {
        reports.withoutValues(reading.sources).map { [$0] } ?? reading.sources.errors(at: flags.now())
    }

    private func isWithoutValues(_ reading: RemoteReading) -> Bool {
        !reading.sources.sources.isEmpty && !reading.sources.hasValues
            && reading.sources.sources.contains { $0.error != nil }
    }

    /// Whether a service is to respond first.
    private func isAwaiting(_ reading: RemoteReading) -> Bool {
        reading.sources.sources.contains { !$0.isLocal && $0.active == nil && $0.error == nil }
    }

    /// How each source is doing.
    func standing(_ state: RemoteState) -> Event { .sourcesRead(state.standing) }
}

extension RemoteState {
    /// How each source is doing, except for those that are built in.
    package var standing: [SourceStanding] {
        sources.filter { !$0.isBuiltIn }.map { source in
            let condition: SourceStanding.Condition
            if let error = source.error {
                condition = .failed(reason: error.sentence.asSentence, keptFrom: source.active?.fetchedAt)
            } else {
                condition = source.active.map { .read(at: $0.fetchedAt) } ?? .unread
            }
            return SourceStanding(
                name: source.address, title: source.name, condition: condition, isWaiting: source.hasUpdate,
                quietUntil: source.isLocal ? nil : source.rateLimitedUntil)
        }
    }
}

extension FetchProgress {
    fileprivate init(_ progress: SourceProgress) {
        switch progress {
        case .received(let bytes, let total): self = .received(bytes: bytes, of: total)
        case .retrying(let attempt, _): self = .askedAgain(attempt: attempt)
        }
    }
}
