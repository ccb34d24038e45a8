import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagSourceFile
import FlagSourceSupport
import FlagStorage
import Synchronization

// The sources as the menu reaches them.
extension RemoteFiles {
    /// How the menu reaches them.
    var port: RemotePort {
        var follow: (@Sendable (RemotePort.Following) -> @Sendable () -> Void)?
        if RemoteFollower(self) != nil { follow = followServices }
        return RemotePort(
            open: openOrReopenForMenu, fetch: fetchForMenu, activate: activateForMenu, keep: keepForMenu,
            follow: followContexts, refresh: { self.refreshForMenu($0) }, followServices: follow,
            changeContext: { self.changeForMenu($0, $1) })
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
            problems: remote.sourceProblems, remarks: remote.documentProblems, waitingCount: remote.waitingCount,
            evaluations: remote.evaluations)
    }
}

// What a tester decides about sources, in the menu and beside it.
extension RemoteFiles {
    /// Opens the sources; where they are open, has in force what somebody decides about them elsewhere.
    @Sendable private func openOrReopenForMenu() -> Event {
        guard let known = state.withLock({ $0 }), known.sources.contains(where: { $0.active != nil }) else {
            return openForMenu()
        }
        do throws(CommandFailure) {
            let isOther = takeContexts()
            return .remoteActivated(news(try isOther ? reevaluate({}) : remote(known)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    private func changeForMenu(_ change: ContextChange, _ onStart: () -> Void) -> Event {
        let notice: String?
        do throws(CommandFailure) {
            notice = try self.change(change)
        } catch {
            return .contextRefused(reason: error.sentence)
        }
        do throws(CommandFailure) {
            return .contextChanged(news(try reevaluate(onStart)), notice: notice)
        } catch {
            let known = state.withLock { $0 }.map(evaluations(in:)) ?? []
            return .contextWithoutValues(problems: [error.sentence], evaluations: known)
        }
    }

    /// Reads in their new way what is kept of the sources, and asks those of which nothing is.
    private func reevaluate(_ onStart: () -> Void) throws(CommandFailure) -> OpenedRemote {
        var fresh = cache.reopen(sources, current: state.withLock { $0 }, now: SystemClock.now())
        let unknown = fresh.sources.filter { $0.source.service != nil && $0.active == nil }
        if !unknown.isEmpty {
            onStart()
            fresh = take(services.ask(unknown), fresh)
        }
        state.withLock { $0 = fresh }
        restartFollowing()
        return try remote(fresh)
    }

    /// Tells whenever somebody has decided something about the sources. Where that cannot be followed it comes with the next
    /// start.
    @Sendable private func followContexts(_ onChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard !settings.isSample, let watch = try? contexts.watch(onChange) else { return {} }
        return { watch.cancel() }
    }

    @Sendable private func followServices(_ following: RemotePort.Following) -> @Sendable () -> Void {
        serviceFollowing.withLock { $0 = ServiceFollowing(following: following) }
        restartFollowing()
        return { self.serviceFollowing.withLock { $0 = nil } }
    }

    /// Follows the services for whom they are asked by now.
    private func restartFollowing() {
        let follower = RemoteFollower(self)
        serviceFollowing.withLock { current in
            guard let following = current?.following else { return }
            current = nil
            current = ServiceFollowing(following: following, end: follower?.start(following))
        }
    }
}

/// The following of services that is going on; it ends with the last reference.
final class ServiceFollowing: Sendable {
    let following: RemotePort.Following
    private let end: (@Sendable () -> Void)?

    init(following: RemotePort.Following, end: (@Sendable () -> Void)? = nil) {
        self.following = following
        self.end = end
    }

    deinit { end?() }
}
