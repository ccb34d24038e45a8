import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagSourceFile
import FlagSourceSupport
import Synchronization

// The sources as the menu reaches them.
extension RemoteFiles {
    /// How the menu reaches them.
    var port: RemotePort {
        var follow: (@Sendable (RemotePort.Following) -> @Sendable () -> Void)?
        if let follower = RemoteFollower(self) { follow = { follower.start($0) } }
        return RemotePort(
            open: openForMenu, fetch: fetchForMenu, activate: activateForMenu, keep: keepForMenu,
            refresh: { self.refreshForMenu($0) }, followServices: follow)
    }

    @Sendable private func openForMenu() -> Event {
        do throws(CommandFailure) {
            return .remoteActivated(news(try open()))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    @Sendable private func fetchForMenu() -> Event {
        let hadValues = settings.isSample || state.withLock { $0?.sources.contains { $0.active != nil } ?? false }
        guard hadValues else { return openForMenu() }
        do throws(CommandFailure) {
            let fetched = try fetch()
            return .remoteFetched(
                waitingCount: fetched.differences.count, at: SystemClock.now(), problems: fetched.problems)
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    @Sendable private func activateForMenu() -> Event {
        do throws(CommandFailure) {
            _ = try activate()
            guard let state = state.withLock({ $0 }) else { return openForMenu() }
            return .remoteActivated(news(try remote(state)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    /// Asks services of which something was kept and is on the screen by now. Like a file at the start of a run they hold
    /// at once, unless a fetch waits for its activation or nothing may be changed.
    private func refreshForMenu(_ onStart: () -> Void) -> Event? {
        guard let known = state.withLock({ $0 }) else { return nil }
        let due = known.sources.filter { $0.source.service != nil && $0.active != nil && !$0.hasAnswered }
        guard !due.isEmpty else { return nil }
        onStart()
        var fresh = take(services.ask(due), known)
        if !known.isWaiting, settings.readOnlyRefusal == nil {
            fresh = cache.activate(sources, current: fresh, now: SystemClock.now())
        }
        state.withLock { $0 = fresh }
        do throws(CommandFailure) {
            return .remoteRefreshed(news(try remote(fresh)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    /// Asks services because one of them has told of a change, or because it is time. What differs waits.
    ///
    /// - Returns: the news, and why it failed where it did.
    func poll(_ wanted: KeptSource) -> (event: Event?, failure: SourceError?) {
        guard let known = state.withLock({ $0 }) else { return (nil, nil) }
        let answers = services.ask(known.sources.filter { $0.source == wanted })
        let fresh = take(answers, known)
        state.withLock { $0 = fresh }
        let failure: SourceError? = if case .failure(let error)? = answers[wanted.identity] { error } else { nil }
        guard let count = try? differences(in: fresh).count else { return (nil, failure) }
        let event = Event.remotePolled(
            waitingCount: count, at: SystemClock.now(), problems: fresh.problems.map(Self.sentence))
        return (event, failure)
    }

    @Sendable private func keepForMenu() -> Event? {
        keep().map(Event.remoteNotKept)
    }

    private func news(_ remote: OpenedRemote) -> RemoteNews {
        RemoteNews(
            snapshot: remote.snapshot, fetchedAt: remote.fetchedAt ?? SystemClock.now(),
            problems: remote.sourceProblems, remarks: remote.documentProblems, waitingCount: remote.waitingCount)
    }
}
