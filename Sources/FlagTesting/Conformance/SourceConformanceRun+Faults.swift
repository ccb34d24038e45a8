#if Network
import FlagRemote
import Flags

// Checks how a store of an app handles faults of the service.
extension SourceConformanceRun {
    mutating func faults() async throws {
        var faultsBySentence: [String: SourceFault] = [:]
        for fault in SourceFault.allCases {
            // A new place for each fault, as a rate limit lasts across restarts.
            let place = TemporaryPlace()
            server.recover()
            try await require(inStore: place.store([try source()]), has: "a first fetch")
            await fault.inject(into: server)
            let store = place.store([try source(fault.limits)])
            let outcome = await store.fetchAndActivate()
            requireValues(of: store, "after \(fault)")
            for line in place.log { requireNoSecret(in: line, "the log") }
            try await requireCode(of: fault)
            if fault == .refused { try await server.accept() }
            // Status 304 is a correct response to a request with a version.
            guard fault != .unrequestedNotModified || !suite.hasVersions else { continue }
            guard let sentence = requireFailed(outcome, "A fetch that meets \(fault)") else { continue }
            check(sentence, of: fault)
            // A busy kernel sometimes reports a refused connection as a reset.
            if let other = faultsBySentence.updateValue(fault, forKey: sentence),
                Set([fault, other]) != [.refused, .reset]
            {
                require(false, "\(fault) and \(other) have one sentence: \(sentence)")
            }
        }
        try await explanations()
        server.recover()
    }

    /// Requires that errors quote the service's explanations.
    private mutating func explanations() async throws {
        for (reply, code, words) in suite.explanations {
            server.inject(reply, times: .max)
            let error = await Self.failure(of: try source())
            let text = error.map { "\($0)" } ?? "no error"
            require(
                error?.code == code && error?.sentence.contains(words) == true,
                "An explained error should be \(code) with the words '\(words)', but is: \(text)")
            requireNoSecret(in: text, "an explained error")
        }
    }

    /// Requires that a fetch has failed; returns the sentence that says why.
    private mutating func requireFailed(_ outcome: FetchOutcome, _ fetch: String) -> String? {
        if case .failed(let sentence) = outcome { return sentence }
        require(false, "\(fetch) should fail, but ended as \(outcome).")
        return nil
    }

    private mutating func check(_ sentence: String, of fault: SourceFault) {
        requireNoSecret(in: sentence, "the sentence for \(fault)")
        require(sentence.contains("stay in use"), "The sentence for \(fault) does not say what is in use: \(sentence)")
        require(
            !["Error", "NIO", "Optional"].contains(where: sentence.contains),
            "The sentence for \(fault) is one for programmers: \(sentence)")
    }

    /// Checks the code of the error that the source throws.
    private mutating func requireCode(of fault: SourceFault) async throws {
        let source = try source(fault.limits)
        var error = await Self.failure(of: source)
        // A client that never retries may have used a connection that the fault before has ended.
        if suite.neverRetries, error?.code == .unreachable, fault.code != .unreachable {
            error = await Self.failure(of: source)
        }
        guard let error else { return require(false, "\(fault) is not an error.") }
        if let code = fault.code { require(error.code == code, "\(fault) is \(error.code), not \(code): \(error)") }
        if fault == .status429RetryAfter {
            require(
                error.retryAfter == .seconds(SourceFault.retryAfter),
                "\(fault): retryAfter is \(error.retryAfter.map { "\($0)" } ?? "lost").")
        }
    }

    mutating func start() async throws {
        let place = TemporaryPlace()
        try await require(inStore: place.store([try source()]), has: "a first fetch")
        server.inject(.hang, times: .max)
        let store = place.store([try source()])
        let start = ContinuousClock.now
        let outcome = await store.start(waitingAtMost: .milliseconds(200))
        let time = ContinuousClock.now - start
        require(outcome == nil, "A fetch from a service that hangs has ended: \(outcome.map { "\($0)" } ?? "")")
        requireValues(of: store, "while the service hangs")
        // A generous limit, as a busy machine may wake the task late. A start that waits for the service takes a minute.
        require(time < .seconds(30), "A start with a limit of 200 ms takes \(time).")
    }

    mutating func recovery() async throws {
        let place = TemporaryPlace()
        await server.refuse()
        let store = place.store([try source()])
        _ = requireFailed(await store.fetchAndActivate(), "A fetch without a connection")
        try await server.accept()
        server.inject(.reset)
        if suite.neverRetries { await require(store, isNotRetriedAfter: "a reset") }
        try await require(inStore: store, has: "a fetch with one reset")
        server.inject(.status(503))
        let newStore = TemporaryPlace().store([try source()])
        if suite.neverRetries { return await require(newStore, isNotRetriedAfter: "503") }
        let newOutcome = await newStore.fetchAndActivate()
        require(newOutcome == .fetchedFromRemote, "One 503 is not retried: \(newOutcome)")
    }

    private mutating func require(_ store: FlagStore, isNotRetriedAfter fault: String) async {
        server.forgetRequests()
        _ = requireFailed(await store.fetchAndActivate(), "A fetch that meets \(fault)")
        let count = targetedRequests
        require(count == 1, "A fetch that meets \(fault) makes \(count) requests instead of one.")
    }

    /// Moves the clock ten years ahead while the service is healthy, and back again while the store waits because of a
    /// rate limit. Then does the same with ten years back and ahead again.
    mutating func clockJumps() async throws {
        let decade: Int64 = 10 * 365 * 86_400
        for jump in [decade, -decade] {
            let place = TemporaryPlace()
            server.recover()
            let store = place.store([try source()], clock: clock.sourceClock)
            require(await store.fetchAndActivate() == .fetchedFromRemote, "The first fetch fails.")
            clock.turn(by: jump)
            let second = await store.fetchAndActivate()
            // A service may reject a signature with a wrong date.
            let blamesClock = if case .failed(let sentence) = second { sentence.contains("clock") } else { false }
            require(
                second == .fetchedFromRemote || blamesClock,
                "After a jump of the clock by \(jump) s a fetch ends as \(second).")
            requireValues(of: store, "after a jump of the clock by \(jump) s")
            server.inject(.status(429, headers: [("Retry-After", "90")]), times: .max)
            _ = requireFailed(await store.fetchAndActivate(), "A fetch that gets status 429")
            server.recover()
            clock.turn(by: -jump)
            let restarted = place.store([try source()], clock: clock.sourceClock)
            requireValues(of: restarted, "after a restart with the clock moved back by \(-jump) s")
            let outcome = await restarted.fetchAndActivate()
            require(
                outcome == .fetchedFromRemote,
                "The wait of 90 s has not ended after the clock was moved back by \(-jump) s: \(outcome)"
            )
        }
    }

    /// Counts the requests in an hour of virtual time, for each fault. The store polls every half minute, but less
    /// often while the service fails.
    mutating func backoff() async throws {
        for fault in SourceFault.allCases {
            server.recover()
            let requests = fault.requestsPerFetch(neverRetries: suite.neverRetries)
            // A slow response ends by a time limit. On a busy machine, one request more was seen; why is not known.
            let further = suite.fallbackFaults.contains(fault) || fault == .drip ? 1 : 0
            try await backoff("\(fault)", requests, once: further, fault.limits) {
                await fault.inject(into: $0)
            }
            if fault == .refused { try await server.accept() }
        }
        server.recover()
        try await backoff("503 with a wait of ten minutes", 1) {
            $0.inject(.status(503, headers: [("Retry-After", "600")]), times: .max)
        }
    }

    /// - Parameters:
    ///   - requestsPerFetch: the maximum number of requests of a failed fetch, for a source whose successful fetch
    ///     sends one request.
    ///   - once: the number of further requests that are allowed in the hour.
    private mutating func backoff(
        _ name: String, _ requestsPerFetch: Int, once: Int = 0, _ limits: SourceLimits = SourceFault.generous,
        inject: (LoopbackServer) async -> Void
    ) async throws {
        let place = TemporaryPlace()
        let watch = SourceWatch()
        let source = WatchedSource(base: try source(limits), watch: watch, interval: .seconds(30))
        let store = place.store([source], clock: clock.haltingClock(after: .seconds(3_600)))
        await inject(server)
        server.forgetRequests()
        let subscription = Task { await store.followRemote() }
        try await wait(for: "end of the hour") { clock.hasHalted }
        subscription.cancel()
        await subscription.value
        let (fetches, requests) = (watch.state.fetches, targetedRequests)
        guard case .failed(let last) = store.remoteStatus else {
            return require(false, "After an hour of \(name) the status is \(store.remoteStatus).")
        }
        // Fetches after half a minute, and then after pauses of 1, 2, 4, 8 and 16 minutes; the next pause would end
        // after the hour.
        require(
            2...6 ~= fetches, "An hour of \(name) takes \(fetches) fetches; the last error: \(last)"
        )
        let most = once + requestsPerFetch * fetches * suite.requestsPerFetch
        require(
            requests <= most, "An hour of \(name) takes \(requests) requests, more than \(most).")
    }

    private mutating func require(inStore store: FlagStore, has fetch: String) async throws {
        var outcome = await store.fetchAndActivate()
        // The server has closed the connection of an earlier fault, and the client may not have noticed yet.
        if suite.neverRetries, case .failed = outcome { outcome = await store.fetchAndActivate() }
        require(outcome == .fetchedFromRemote, "\(fetch) fails: \(outcome)")
        requireValues(of: store, "after \(fetch)")
    }

    private mutating func requireValues(of store: FlagStore, _ moment: String) {
        let snapshot = store.snapshot()
        for (key, value) in suite.values {
            let current = try? snapshot.string(key)
            require(current == value, "\(key) lost its last good value \(moment): \(current ?? "none").")
        }
    }
}
#endif
