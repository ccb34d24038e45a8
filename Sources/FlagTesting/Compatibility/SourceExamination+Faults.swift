import FlagModel
import FlagRemote
import Flags
import Logging
import Synchronization

// What a service does to its clients, seen from the app.
extension SourceExamination {
    mutating func faults() async throws {
        var sentences: [String: SourceFault] = [:]
        for fault in SourceFault.allCases {
            // A place of its own, as a service that wants to be left alone is, across restarts.
            let place = try TemporaryPlace()
            server.recover()
            try await require(inStore: place.store([try source()]), has: "a first fetch")
            await fault.strike(server)
            let store = place.store([try source(fault.limits)])
            let outcome = await store.fetchAndActivate()
            requireValues(of: store, "after \(fault)")
            for line in place.log { requireNoSecret(in: line, "the log") }
            if fault == .refused { try await server.accept() }
            // Whoever asks with a version is not lied to by 304.
            guard fault != .unaskedNotModified || !subject.hasVersions else { continue }
            guard case .failed(let sentence) = outcome else {
                require(false, "\(fault) counts as \(outcome).")
                continue
            }
            check(sentence, of: fault, &sentences)
        }
        server.recover()
        try await codes()
    }

    private mutating func check(_ sentence: String, of fault: SourceFault, _ known: inout [String: SourceFault]) {
        requireNoSecret(in: sentence, "the sentence for \(fault)")
        require(sentence.contains("stay in use"), "The sentence for \(fault) does not say what is in use: \(sentence)")
        require(
            !sentence.contains("Error") && !sentence.contains("NIO") && !sentence.contains("Optional"),
            "The sentence for \(fault) is one for programmers: \(sentence)")
        // A busy kernel sometimes tells of a refusal as of a reset, without saying which.
        if let other = known.updateValue(fault, forKey: sentence), Set([fault, other]) != [.refused, .reset] {
            require(false, "\(fault) and \(other) have one sentence: \(sentence)")
        }
    }

    /// What the source itself says.
    private mutating func codes() async throws {
        for fault in SourceFault.allCases {
            server.recover()
            await fault.strike(server)
            let source = try source(fault.limits)
            var error = await Self.failure(of: source)
            if fault == .refused { try await server.accept() }
            if error == nil, fault == .malformed || fault == .wrongType { error = try await undecodable(source) }
            guard let error else {
                require(false, "\(fault) is no failure.")
                continue
            }
            if let code = fault.code { require(error.code == code, "\(fault) is \(error.code), not \(code): \(error)") }
            if fault == .status429RetryAfter {
                require(
                    error.retryAfter == .seconds(90),
                    "\(fault): the wait is \(error.retryAfter.map { "\($0)" } ?? "lost").")
            }
        }
        server.recover()
    }

    /// Some sources find out only when they decode.
    private func undecodable(_ source: any RemoteSource) async throws -> SourceError? {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return nil }
        do throws(DocumentError) {
            _ = try source.decode(bytes)
            return nil
        } catch {
            return SourceError(code: .malformed, path: source.name, sentence: "\(error)")
        }
    }

    mutating func start() async throws {
        let place = try TemporaryPlace()
        try await require(inStore: place.store([try source()]), has: "a first fetch")
        server.inject(.hang, times: .max)
        let limit = Duration.milliseconds(200)
        var lateness: [Duration] = []
        // A delay of its own a start has each time. A busy machine is late to wake a task, but not each time, and not this
        // one alone: beside it another sleeps for as long.
        while lateness.count < 5, lateness.allSatisfy({ $0 > .seconds(2) }) {
            let store = place.store([try source()])
            async let witness = Self.time { try? await Task.sleep(for: limit) }
            var outcome: FetchOutcome?
            let time = await Self.time { outcome = await store.start(waitingAtMost: limit) }
            lateness.append(time - (await witness))
            require(outcome == nil, "A fetch from a service that hangs has ended: \(outcome.map { "\($0)" } ?? "")")
            requireValues(of: store, "while the service hangs")
        }
        let least = lateness.min() ?? .zero
        require(least <= .seconds(2), "A start that may wait \(limit) takes \(least) longer than that.")
    }

    private static func time(_ work: () async -> Void) async -> Duration {
        let start = ContinuousClock.now
        await work()
        return ContinuousClock.now - start
    }

    mutating func recovery() async throws {
        let place = try TemporaryPlace()
        await server.refuse()
        let store = place.store([try source()])
        let outcome = await store.fetchAndActivate()
        if case .failed = outcome {} else { require(false, "A service that refuses counts as \(outcome).") }
        try await server.accept()
        server.inject(.reset)
        if subject.asksOnce { await require(store, isAskedOnceAfter: "a reset") }
        try await require(inStore: store, has: "a service that is back, but breaks off once")
        server.inject(.status(503))
        let again = try TemporaryPlace().store([try source()])
        if subject.asksOnce { return await require(again, isAskedOnceAfter: "503") }
        let later = await again.fetchAndActivate()
        require(later == .fetchedFromRemote, "One 503 in a fetch is not got over: \(later)")
    }

    private mutating func require(_ store: FlagStore, isAskedOnceAfter fault: String) async {
        server.forgetRequests()
        let outcome = await store.fetchAndActivate()
        if case .failed = outcome {} else { require(false, "A fetch that ends with \(fault) counts as \(outcome).") }
        let count = struckRequests
        require(count == 1, "After \(fault) a fetch has asked \(count) times, not once.")
    }

    /// Ten years there and back, in peace and while the service wants to be left alone.
    mutating func clockJumps() async throws {
        let decade: Int64 = 10 * 365 * 86_400
        for jump in [decade, -decade] {
            let place = try TemporaryPlace()
            server.recover()
            let store = place.store([try source()], clock: clock.sourceClock)
            require(await store.fetchAndActivate() == .fetchedFromRemote, "The first fetch fails.")
            clock.turn(by: jump)
            require(await store.fetchAndActivate(), isFetchedAfter: "a jump of the clock by \(jump) s")
            requireValues(of: store, "after a jump of the clock by \(jump) s")
            server.inject(.status(429, headers: [("Retry-After", "90")]), times: .max)
            if case .failed = await store.fetchAndActivate() {} else { require(false, "429 is no failure.") }
            server.recover()
            clock.turn(by: -jump)
            let again = place.store([try source()], clock: clock.sourceClock)
            requireValues(of: again, "at a start after the clock was set right by \(-jump) s")
            let outcome = await again.fetchAndActivate()
            require(
                outcome == .fetchedFromRemote,
                "A service that wanted 90 s is still left alone after the clock was set right by \(-jump) s: \(outcome)"
            )
        }
    }

    /// A service that looks at the date of a signature may refuse it. Then the user has to know what to set right.
    private mutating func require(_ outcome: FetchOutcome, isFetchedAfter event: String) {
        switch outcome {
        case .fetchedFromRemote: break
        case .failed(let sentence) where sentence.contains("clock"): break
        default: require(false, "After \(event) a fetch ends as \(outcome).")
        }
    }

    /// An hour of virtual time for each fault, in which a store of an app asks in turn, every half minute where all is well.
    mutating func restraint() async throws {
        for fault in SourceFault.allCases {
            server.recover()
            let requests = subject.lasting.contains(fault) ? nil : fault.requestsPerFetch(isAskedOnce: subject.asksOnce)
            let other = subject.asksAnotherWay.contains(fault) ? 1 : 0
            try await restraint("\(fault)", requests, once: other, fault.limits) { await fault.strike($0) }
            if fault == .refused { try await server.accept() }
        }
        server.recover()
        try await restraint("503 with a wait of ten minutes", 1) {
            $0.inject(.status(503, headers: [("Retry-After", "600")]), times: .max)
        }
    }

    /// - Parameter requestsPerFetch: how many requests a fetch may take, where one takes a single one in good health; `nil` where
    ///   there may be no other after the first.
    /// - Parameter once: how many more there may be in all.
    private mutating func restraint(
        _ name: String, _ requestsPerFetch: Int?, once: Int = 0, _ limits: SourceLimits = SourceFault.patient,
        strike: (LoopbackServer) async -> Void
    ) async throws {
        let place = try TemporaryPlace()
        let source = PolledSource(try source(limits), every: .seconds(30))
        let hour = HaltingClock(clock, after: .seconds(3_600))
        let store = place.store([source], clock: hour.sourceClock)
        await strike(server)
        server.forgetRequests()
        let following = Task { await store.followRemote() }
        try await hour.waitForHalt()
        following.cancel()
        await following.value
        let (fetches, requests) = (source.fetches, struckRequests)
        guard case .failed(let last) = store.remoteStatus else {
            return require(false, "A service that does \(name) for an hour is believed: \(store.remoteStatus)")
        }
        // After half a minute, and then after pauses of 1, 2, 4, 8 and 16 minutes; the next would be over after the hour.
        require(
            2...6 ~= fetches, "A service that does \(name) for an hour is asked \(fetches) times; last it said: \(last)"
        )
        let most = once + (requestsPerFetch.map { $0 * fetches * subject.requestsPerFetch } ?? 1)
        require(
            requests <= most, "A service that does \(name) gets \(requests) requests in an hour, not \(most) at most.")
    }

    private mutating func require(inStore store: FlagStore, has what: String) async throws {
        let outcome = await store.fetchAndActivate()
        require(outcome == .fetchedFromRemote, "\(what) fails: \(outcome)")
        requireValues(of: store, "after \(what)")
    }

    private mutating func requireValues(of store: FlagStore, _ moment: String) {
        let snapshot = store.snapshot()
        for (key, value) in subject.values {
            let found = try? snapshot.string(key)
            require(found == value, "\(key) has lost its last good value \(moment): \(found ?? "none").")
        }
    }
}
