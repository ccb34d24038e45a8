import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage
import Synchronization

// The sources as the menu reaches them.
extension RemoteFiles {
    /// How the menu reaches them.
    var port: RemotePort {
        var follow: (@Sendable (RemotePort.Following) -> @Sendable () -> Void)?
        if RemoteFollower(self) != nil { follow = followServices }
        var refresh: RemotePort.Asking?
        if sources.contains(where: { $0.service != nil }) { refresh = refreshForMenu }
        return RemotePort(
            open: openOrReopenForMenu, fetch: fetchForMenu, activate: activateForMenu, keep: keepForMenu,
            follow: followContexts, refresh: refresh, followServices: follow, standing: standing,
            changeContext: changeForMenu)
    }

    /// Waits for nobody: where there is nothing but what services would have to be asked for, that comes with the refresh.
    @Sendable private func openForMenu() -> Event? {
        let (known, now) = (state.withLock { $0 }, SystemClock.now())
        let opened = known == nil ? cache.open(sources, now: now) : cache.reopen(sources, current: known, now: now)
        state.withLock { $0 = opened }
        if !settings.isSample, !hasValues(opened), opened.sources.contains(where: { $0.source.service != nil }) {
            return nil
        }
        do throws(CommandFailure) {
            return .remoteActivated(news(try remote(opened)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    @Sendable private func fetchForMenu(_ asker: RemotePort.Asker) async -> RemotePort.Taking? {
        let question = questions.question(askable)
        let answers = await services.answers(question.sources, report: FetchReport(asker.post)) { some in
            asker.takeIn { self.takeArrived(some, to: question) }
        }
        guard !Task.isCancelled else { return nil }
        return { self.takeForMenu(self.current(answers, to: question)) }
    }

    /// Takes what some services have answered to a fetch while others are still waited for.
    private func takeArrived(_ answers: SourceAnswers, to question: Question) -> Event? {
        guard let known = state.withLock({ $0 }) else { return nil }
        let before = inUse
        let fresh = take(current(answers, to: question), known)
        state.withLock { $0 = fresh }
        guard inUse == before else { return arrived(fresh) }
        return hasValues(fresh) ? polled(fresh) : nil
    }

    /// Values that hold while others are still waited for; `nil` while there are none.
    private func arrived(_ state: RemoteState) -> Event? {
        // What is wrong is told of each source, and of all together in the end.
        (try? remote(state)).map { .remoteArrived(news($0)) }
    }

    /// What waits now.
    private func polled(_ state: RemoteState) -> Event? {
        guard let differences = try? differences(in: state) else { return nil }
        return .remotePolled(
            waitingCount: state.hasUpdate ? differences.count : nil, at: state.readAt ?? SystemClock.now(),
            problems: state.sources.compactMap(Self.problem(of:)))
    }

    private func takeForMenu(_ answers: SourceAnswers) -> Event? {
        let before = inUse
        do throws(CommandFailure) {
            let fetched = try takeFetched(answers)
            // What a source says first holds at once.
            if inUse != before { return state.withLock { $0 }.map(refreshed) }
            return .remoteFetched(
                waitingCount: fetched.waitingCount, at: SystemClock.now(), problems: fetched.problems)
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    /// The answers to a question that was put a while ago which still say something.
    private func current(_ answers: SourceAnswers, to question: Question) -> SourceAnswers {
        questions.current(answers, to: question, known: askable)
    }

    /// The sources of which something is in use.
    private var inUse: [String] {
        state.withLock { $0?.sources.filter { $0.active != nil }.map(\.source.identity) ?? [] }
    }

    private func hasValues(_ state: RemoteState) -> Bool {
        sources.isEmpty || state.sources.contains { $0.active != nil }
    }

    private func refreshed(_ state: RemoteState) -> Event {
        do throws(CommandFailure) {
            return .remoteRefreshed(news(try remote(state)))
        } catch {
            let evaluations = evaluations(in: state)
            // Whoever has chosen the context can choose another one, which needs a menu.
            guard evaluations.contains(where: \.isChanged) else { return .remoteFailed(problems: [error.sentence]) }
            return .contextWithoutValues(problems: [error.sentence], evaluations: evaluations)
        }
    }

    @Sendable private func activateForMenu() -> Event {
        do throws(CommandFailure) {
            _ = try activate()
            let active = state.withLock { $0 } ?? cache.open(sources, now: SystemClock.now())
            return .remoteActivated(news(try remote(active)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    /// Asks services that have not answered yet; what was kept of them is on the screen by now. Like a file at the start of
    /// a run they hold at once, unless a fetch waits for its activation or nothing may be changed.
    @Sendable private func refreshForMenu(_ asker: RemotePort.Asker) async -> RemotePort.Taking? {
        guard let known = state.withLock({ $0 }) else { return nil }
        guard known.sources.contains(where: { $0.source.service != nil && !$0.hasAnswered }) else { return nil }
        asker.post(.remoteLoadStarted)
        let question = questions.question(known.sources)
        let answers = await services.answers(
            question.sources, where: { !$0.hasAnswered }, report: FetchReport(asker.post)
        ) { some in
            asker.takeIn { self.takeRefresh(some, to: question).flatMap(self.arrived) }
        }
        guard !Task.isCancelled else { return nil }
        return { self.takeRefresh(answers, to: question).map(self.refreshed) }
    }

    private func takeRefresh(_ answers: SourceAnswers, to question: Question) -> RemoteState? {
        guard let known = state.withLock({ $0 }) else { return nil }
        var fresh = take(current(answers, to: question), known)
        if !known.hasUpdate, settings.readOnlyRefusal == nil {
            fresh = cache.activate(sources, current: fresh, now: SystemClock.now())
        }
        state.withLock { $0 = fresh }
        return fresh
    }

    /// Takes what a service has answered because it has told of a change, or because it was time. What differs waits.
    ///
    /// - Returns: the news, and why it failed where it did.
    func takePoll(
        _ answers: SourceAnswers, of source: KeptSource, to question: Question
    ) -> (event: Event?, failure: SourceError?) {
        guard let known = state.withLock({ $0 }) else { return (nil, nil) }
        let before = inUse
        let answers = current(answers, to: question)
        let fresh = take(answers, known)
        state.withLock { $0 = fresh }
        if inUse != before { return (refreshed(fresh), nil) }
        // An answer that cannot be understood is found out only now.
        let failure = answers.isEmpty ? nil : fresh.sources.first { $0.source == source }?.problem?.error
        return (polled(fresh), failure)
    }

    /// How every source stands.
    @Sendable func standing() -> [SourceStanding] {
        guard let known = state.withLock({ $0 }), !settings.isSample else { return [] }
        return zip(settings.sources, known.sources).map { setting, source in
            let condition: SourceStanding.Condition
            if let problem = source.problem {
                condition = .failed(reason: problem.error.sentence.asSentence, keptFrom: problem.lastGood)
            } else {
                condition = source.active.map { .read(at: $0.fetchedAt) } ?? .unread
            }
            return SourceStanding(
                name: setting.shown, title: setting.title, condition: condition, isWaiting: source.hasUpdate,
                quietUntil: source.source.service == nil ? nil : source.throttledUntil(at: SystemClock.now()))
        }
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
    @Sendable private func openOrReopenForMenu() -> Event? {
        guard let known = state.withLock({ $0 }) else { return openForMenu() }
        guard takeContexts() else {
            // All else that changes here the menu has asked for, and was told.
            return known.sources.contains { $0.active != nil } ? nil : openForMenu()
        }
        let fresh = reevaluate()
        serviceFollowing.withLock { $0 }?.following.refresh()
        // What holds is told once it is known.
        if isAwaited(fresh) { return nil }
        do throws(CommandFailure) {
            return .remoteActivated(news(try remote(fresh)))
        } catch {
            return .remoteFailed(problems: [error.sentence])
        }
    }

    @Sendable private func changeForMenu(_ change: ContextChange) -> Event {
        let notice: String?
        do throws(CommandFailure) {
            notice = try self.change(change)
        } catch {
            return .contextRefused(reason: error.sentence)
        }
        let fresh = reevaluate()
        if isAwaited(fresh) { return .contextAwaited(evaluations(in: fresh), notice: notice) }
        do throws(CommandFailure) {
            return .contextChanged(news(try remote(fresh)), notice: notice)
        } catch {
            return .contextWithoutValues(problems: [error.sentence], evaluations: evaluations(in: fresh))
        }
    }

    /// Reads in their new way what is kept of the sources. Those of which nothing is are asked with the next refresh.
    private func reevaluate() -> RemoteState {
        let fresh = cache.reopen(sources, current: state.withLock { $0 }, now: SystemClock.now())
        state.withLock { $0 = fresh }
        restartFollowing()
        return fresh
    }

    /// Whether a service is to say first what holds.
    private func isAwaited(_ state: RemoteState) -> Bool {
        state.sources.contains { $0.source.service != nil && $0.active == nil && $0.problem == nil }
    }

    /// Tells whenever somebody has decided something about the sources.
    @Sendable private func followContexts(
        _ onChange: @escaping @Sendable () -> Void
    ) throws -> @Sendable () -> Void {
        guard !settings.isSample else { return {} }
        let watch = try contexts.watch(onChange)
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
