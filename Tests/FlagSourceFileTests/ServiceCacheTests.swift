import FlagModel
import FlagRemote
import FlagSourceFile
import Testing

@Suite("The cache of what services say")
struct ServiceCacheTests {
    private let memory = MemoryCache()
    private let source = KeptSource.service(Service())

    private struct Service: RemoteSource {
        let identity = "service:one"
        let name = "one"

        func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { .unchanged }
    }

    private func value(_ state: RemoteState) -> String? { state.snapshot().values["a"]?.string }

    private func answer(_ text: String, version: String?) -> SourceAnswers {
        [source.identity: .success(.values(Array(text.utf8), version: version))]
    }

    private func failure(_ code: SourceError.Code, _ retryAfter: Duration? = nil) -> SourceAnswers {
        [source.identity: .failure(SourceError(code: code, path: "one", sentence: "no", retryAfter: retryAfter))]
    }

    /// Takes an answer and stores what comes of it.
    private func take(_ answers: SourceAnswers, at seconds: Int64) throws -> RemoteState {
        var state = memory.cache.open([source], now: Timestamp(seconds: seconds))
        state = memory.cache.take(answers, current: state, now: Timestamp(seconds: seconds))
        try memory.cache.store(state.takeWrites())
        return state
    }

    private func opened(at seconds: Int64) -> RemoteState {
        memory.cache.open([source], now: Timestamp(seconds: seconds))
    }

    @Test func theFirstAnswerHoldsAndTheNextWaits() throws {
        #expect(opened(at: 5).sources[0].active == nil && opened(at: 5).problems.isEmpty)
        let first = try take(answer(#"{"a": "1"}"#, version: "\"v1\""), at: 10)
        #expect(value(first) == "1" && !first.isWaiting && first.sources[0].version == "\"v1\"")
        let second = try take(answer(#"{"a": "2"}"#, version: "\"v2\""), at: 20)
        #expect(value(second) == "1" && second.isWaiting)
        let again = opened(at: 30)
        #expect(value(again) == "1" && again.isWaiting && again.sources[0].version == "\"v2\"")
        var activated = memory.cache.activate([source], now: Timestamp(seconds: 40))
        try memory.cache.store(activated.takeWrites())
        let last = opened(at: 50)
        #expect(value(last) == "2" && !last.isWaiting && last.fetchedAt == Timestamp(seconds: 20))
    }

    @Test(
        "a malformed catalog neither takes the values of its answer nor the catalog of before, in this run and the next"
    )
    func malformedCatalog() throws {
        func answer(_ value: String, _ catalog: String) -> SourceAnswers {
            self.answer(#"{"a": "\#(value)", "config_categories": "\#(catalog)"}"#, version: value)
        }
        func activate(at seconds: Int64) throws {
            var state = memory.cache.activate([source], now: Timestamp(seconds: seconds))
            try memory.cache.store(state.takeWrites())
        }
        func categories(_ state: RemoteState) -> [String] { state.snapshot().catalog.categories.map(\.name.string) }
        let good = #"[{\"category\": \"C\", \"items\": [{\"key\": \"a\"}]}]"#
        _ = try take(answer("1", good), at: 10)
        for (value, seconds) in [("2", 20), ("3", 30)] as [(String, Int64)] {
            #expect(try take(answer(value, "["), at: seconds).hasUpdate)
            try activate(at: seconds)
            let next = opened(at: seconds + 1)
            #expect(self.value(next) == value && !next.isWaiting && categories(next) == ["C"])
            #expect(next.sources[0].version == value && next.snapshot().problems.count == 1)
        }
        _ = try take(answer("4", good.replacing("C", with: "D")), at: 40)
        try activate(at: 40)
        #expect(value(opened(at: 41)) == "4" && categories(opened(at: 41)) == ["D"])
        #expect(!memory.names.contains { $0.hasSuffix(".catalog") }, "nobody needs it any more")
    }

    @Test("an answer that says the same in other words waits, but no other values do")
    func otherWords() throws {
        let first = try take(answer(#"{"a": "1", "b": "2"}"#, version: "v1"), at: 10)
        #expect(!first.sources[0].hasUpdate)
        let same = try take(answer(#"{"b": "2", "a": "1"}"#, version: "v2"), at: 20)
        #expect(same.isWaiting && !same.sources[0].hasUpdate && same.sources[0].version == "v2")
        let other = try take(answer(#"{"b": "3", "a": "1"}"#, version: "v3"), at: 30)
        #expect(other.sources[0].hasUpdate)
    }

    // MARK: several runs on one cache

    /// A run that has been open since the first version, while others do what they do.
    private func longRun() throws -> RemoteState {
        let state = try take(answer(#"{"a": "1"}"#, version: "v1"), at: 10)
        #expect(value(state) == "1")
        return state
    }

    @Test func whatAnotherRunHasActivatedWaitsInThisOne() throws {
        let open = try longRun()
        _ = try take(answer(#"{"a": "2"}"#, version: "v2"), at: 20)
        var activated = memory.cache.activate([source], now: Timestamp(seconds: 21))
        try memory.cache.store(activated.takeWrites())
        var asked = memory.cache.take(
            answer(#"{"a": "2"}"#, version: "v2"), current: open, now: Timestamp(seconds: 30))
        #expect(value(asked) == "1" && asked.isWaiting && asked.sources[0].version == "v2")
        asked = memory.cache.activate([source], current: asked, now: Timestamp(seconds: 40))
        #expect(value(asked) == "2" && !asked.isWaiting)
        try memory.cache.store(asked.takeWrites())
        #expect(value(opened(at: 50)) == "2" && opened(at: 50).sources[0].version == "v2")
    }

    @Test(arguments: [true, false])
    func whatAnotherRunHasFetchedGoesOnWaiting(isRefused: Bool) throws {
        let open = try longRun()
        _ = try take(answer(#"{"a": "2"}"#, version: "v2"), at: 20)
        let nothing = isRefused ? failure(.throttled, .seconds(60)) : [source.identity: .success(.unchanged)]
        var asked = memory.cache.take(nothing, current: open, now: Timestamp(seconds: 30))
        try memory.cache.store(asked.takeWrites())
        let next = opened(at: 31)
        #expect(next.isWaiting && next.sources[0].version == "v2")
        #expect((next.sources[0].throttledUntil(at: Timestamp(seconds: 31)) != nil) == isRefused)
        #expect(next.fetchedAt == Timestamp(seconds: isRefused ? 10 : 30))
    }

    @Test func contentThatIsNotThatOfItsRecordHasNoVersion() throws {
        _ = try longRun()
        let record = try #require(memory[".json"])
        _ = try take(answer(#"{"a": "2"}"#, version: "v2"), at: 20)
        var activated = memory.cache.activate([source], now: Timestamp(seconds: 21))
        try memory.cache.store(activated.takeWrites())
        // The record of another run comes last.
        let name = try #require(memory.names.first { $0.hasSuffix(".json") })
        try memory.cache.store([.write(name: name, bytes: Array(record.utf8))])
        let next = opened(at: 30)
        #expect(value(next) == "2" && next.sources[0].version == nil, "so that the next question has an answer")
    }

    @Test func whatCouldNotBeStoredIsTriedAgainAndKnownMeanwhile() throws {
        var state = memory.cache.open([source], now: Timestamp(seconds: 10))
        state = memory.cache.take(answer(#"{"a": "1"}"#, version: "v1"), current: state, now: Timestamp(seconds: 10))
        state.putBack(state.takeWrites())
        let again = memory.cache.reopen([.service(Rereader())], current: state, now: Timestamp(seconds: 20))
        #expect(value(again) == "one" && again.sources[0].version == "v1")
        state = memory.cache.take(answer(#"{"a": "2"}"#, version: "v2"), current: state, now: Timestamp(seconds: 30))
        state = memory.cache.take(
            [source.identity: .success(.unchanged)], current: state, now: Timestamp(seconds: 40))
        state.putBack(state.takeWrites())
        let writes = state.takeWrites()
        #expect(writes.count == 4, "the record once, and once amended: \(writes.map(\.self).count)")
        try memory.cache.store(writes)
        let next = opened(at: 50)
        #expect(value(next) == "1" && next.isWaiting && next.sources[0].version == "v2")
    }

    /// A source of the same identity that reads its bytes in another way, as for another context.
    private struct Rereader: RemoteSource {
        let identity = "service:one"
        let name = "one"

        func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { .unchanged }
        func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
            try RemoteDocument(parsing: Array(String(decoding: bytes, as: UTF8.self).replacing("1", with: "one").utf8))
        }
    }

    @Test func whatIsKeptIsReadInItsNewWayAndStaysAsItStood() throws {
        let first = try take(answer(#"{"a": "1"}"#, version: "v1"), at: 10)
        let failed = memory.cache.take(failure(.timedOut), current: first, now: Timestamp(seconds: 20))
        let again = memory.cache.reopen(
            [.service(Rereader())], current: failed, now: Timestamp(seconds: 30))
        #expect(value(again) == "one" && again.sources[0].version == "v1")
        #expect(again.sources[0].hasAnswered && again.problems == failed.problems && again.problems.count == 1)
        #expect(again.fetchedAt == Timestamp(seconds: 10))
    }

    @Test func whyNothingCameOfAnythingStaysKnown() throws {
        let failed = memory.cache.take(
            failure(.refused), current: opened(at: 10), now: Timestamp(seconds: 10))
        let again = memory.cache.reopen([source], current: failed, now: Timestamp(seconds: 20))
        #expect(again.problems.count == 1 && again.problems == failed.problems)
        #expect(
            memory.cache.reopen([context("service:other")], current: failed, now: Timestamp(seconds: 20)).problems
                .isEmpty)
    }

    private struct Context: RemoteSource {
        let identity: String
        let name = "one"

        func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { .unchanged }
    }

    private func context(_ identity: String) -> KeptSource { .service(Context(identity: identity)) }

    @Test func ofSeveralEnvironmentsThatUsedLastIsFound() throws {
        #expect(memory.cache.keptIdentity(of: "service:one#ana") == nil)
        try keep("service:one#ana.first", at: 1)
        try keep("service:one#ana.second", at: 3)
        try keep("service:one#ana.third", at: 2)
        try keep("service:one#anabel.first", at: 9)
        #expect(memory.cache.keptIdentity(of: "service:one#ana") == "service:one#ana.second")
        #expect(memory.cache.keptIdentity(of: "service:one#ana.third") == "service:one#ana.third")
        try keep("service:one#ana", at: 1)
        #expect(memory.cache.keptIdentity(of: "service:one#ana") == "service:one#ana")
    }

    @Test func whereNothingIsKeptARecordAloneIsNoIdentityInUse() throws {
        let opened = memory.cache.open([context("service:one#ana")], now: Timestamp(seconds: 10))
        let failure = SourceError(code: .timedOut, path: "one", sentence: "no")
        let answers: SourceAnswers = ["service:one#ana": .failure(failure)]
        var state = memory.cache.take(answers, current: opened, now: Timestamp(seconds: 10))
        try memory.cache.store(state.takeWrites())
        #expect(memory.names.contains { $0.hasSuffix(".json") }, "that it was asked in vain is noted")
        #expect(memory.cache.keptIdentity(of: "service:one#ana") == nil)
        try keep("service:one#ana.first", at: 1)
        #expect(memory.cache.keptIdentity(of: "service:one#ana") == "service:one#ana.first")
    }

    /// Keeps values of a context.
    private func keep(_ identity: String, at day: Int64) throws {
        let answers: SourceAnswers = [identity: .success(.values(Array(#"{"a": "1"}"#.utf8), version: "v"))]
        let now = Timestamp(seconds: day * 86_400)
        let opened = memory.cache.open([context(identity)], now: now)
        var state = memory.cache.take(answers, current: opened, now: now)
        try memory.cache.store(state.takeWrites())
    }

    private func isKept(_ identity: String) -> Bool {
        memory.cache.open([context(identity)], now: Timestamp(seconds: 0)).sources[0].active != nil
    }

    @Test func contextsThatNobodyUsesAreForgottenAndNoOthers() throws {
        for identity in ["service:one#old", "service:one#active", "service:two#old", "service:three", "/a/file#old"] {
            try keep(identity, at: 1)
        }
        try keep("service:one#young", at: 20)
        try keep("service:one#now", at: 31)
        let names = memory.names
        try memory.cache.removeOldContexts(
            besides: [context("service:one#now"), context("service:one#active")], now: Timestamp(seconds: 31 * 86_400))
        #expect(memory.names == names, "30 days are not over")
        try memory.cache.removeOldContexts(
            besides: [context("service:one#now"), context("service:one#active")],
            now: Timestamp(seconds: 31 * 86_400 + 1))
        #expect(!isKept("service:one#old") && memory.names.count == names.count - 2)
        for identity in ["service:one#active", "service:two#old", "service:three", "/a/file#old", "service:one#young"] {
            #expect(isKept(identity), "\(identity)")
        }
    }

    /// Reads what is kept of a context, as a run does that can reach no service.
    private func use(_ identity: String, at day: Int64, isSwitching: Bool = false) throws -> [CacheWrite] {
        let now = Timestamp(seconds: day * 86_400)
        var state =
            isSwitching
            ? memory.cache.reopen([context(identity)], current: nil, now: now)
            : memory.cache.open([context(identity)], now: now)
        let writes = state.takeWrites()
        try memory.cache.store(writes)
        return writes
    }

    @Test(arguments: [false, true]) func aContextThatIsUsedIsKeptHoweverLongItsServiceSaysNothing(isSwitching: Bool)
        throws
    {
        for identity in ["service:one#used", "service:one#unused", "service:three", "/a/file#old"] {
            try keep(identity, at: 1)
        }
        #expect(try use("service:one#used", at: 2, isSwitching: isSwitching).isEmpty, "not with each reading")
        #expect(try use("service:one#used", at: 25, isSwitching: isSwitching).count == 1)
        #expect(try use("service:one#used", at: 26, isSwitching: isSwitching).isEmpty)
        for identity in ["service:three", "/a/file#old"] {
            #expect(try use(identity, at: 25, isSwitching: isSwitching).isEmpty, "it is kept anyway")
        }
        let failure: SourceAnswers = [
            "service:one#used": .failure(
                SourceError(code: .throttled, path: "one", sentence: "no", retryAfter: .seconds(1)))
        ]
        let now = Timestamp(seconds: 25 * 86_400)
        let opened = memory.cache.open([context("service:one#used")], now: now)
        var failed = memory.cache.take(failure, current: opened, now: now)
        try memory.cache.store(failed.takeWrites())
        try keep("service:one#now", at: 55)
        try memory.cache.removeOldContexts(
            besides: [context("service:one#now")], now: Timestamp(seconds: 55 * 86_400))
        #expect(isKept("service:one#used") && !isKept("service:one#unused"))
        try memory.cache.removeOldContexts(
            besides: [context("service:one#now")], now: Timestamp(seconds: 55 * 86_400 + 3))
        #expect(!isKept("service:one#used"))
    }

    @Test func ofManyContextsTheNewestAreKept() throws {
        for number in 1...30 { try keep("service:one#\(number)", at: Int64(number)) }
        try keep("service:two#1", at: 1)
        try memory.cache.removeOldContexts(besides: [context("service:one#2")], now: Timestamp(seconds: 30 * 86_400))
        let kept = (1...30).filter { isKept("service:one#\($0)") }
        #expect(kept == [2] + Array(12...30), "the one in use, and the newest besides")
        #expect(isKept("service:two#1"))
        let names = memory.names
        #expect(names.count == 2 * 21, "nothing of them is left: \(names)")
    }

    @Test func whatIsUnchangedIsAsNewAsTheQuestion() throws {
        _ = try take(answer(#"{"a": "1"}"#, version: "\"v1\""), at: 10)
        #expect(try take([source.identity: .success(.unchanged)], at: 20).fetchedAt == Timestamp(seconds: 20))
        #expect(opened(at: 30).fetchedAt == Timestamp(seconds: 20) && opened(at: 30).sources[0].version == "\"v1\"")
        let same = try take(answer(#"{"a": "1"}"#, version: "\"v2\""), at: 40)
        #expect(!same.isWaiting && same.fetchedAt == Timestamp(seconds: 40) && same.sources[0].version == "\"v2\"")
    }

    @Test(arguments: ["{", "7", ""])
    func aBadAnswerNeverReplacesAGoodOne(text: String) throws {
        _ = try take(answer(#"{"a": "1"}"#, version: "\"v1\""), at: 10)
        let bad = try take(answer(text, version: "\"v2\""), at: 20)
        #expect(value(bad) == "1" && bad.problems.first?.error.code == .malformed && bad.sources[0].version == "\"v1\"")
        #expect(bad.problems.first?.lastGood == Timestamp(seconds: 10))
        #expect(opened(at: 30).fetchedAt == Timestamp(seconds: 10))
    }

    @Test func aServiceThatWantsToBeLeftAloneIsAcrossRuns() throws {
        _ = try take(answer(#"{"a": "1"}"#, version: nil), at: 10)
        let state = try take(failure(.throttled, .seconds(90)), at: 20)
        #expect(value(state) == "1" && state.problems.count == 1)
        let next = opened(at: 30)
        #expect(next.sources[0].throttledUntil(at: Timestamp(seconds: 109)) == Timestamp(seconds: 110))
        #expect(next.sources[0].throttledUntil(at: Timestamp(seconds: 110)) == nil)
        _ = try take(answer(#"{"a": "1"}"#, version: nil), at: 120)
        #expect(opened(at: 130).sources[0].throttledUntil(at: Timestamp(seconds: 30)) == nil)
        #expect(try take(failure(.unreachable), at: 140).sources[0].throttledUntil(at: Timestamp(seconds: 141)) == nil)
    }

    @Test func aServiceAndAFileOfOneNameStayApart() throws {
        let folder = try TemporaryFolder()
        let file = KeptSource.file(try folder.write(#"{"a": "file"}"#, to: "a.json"))
        let state = memory.cache.open([file, source], now: Timestamp(seconds: 10))
        let both = memory.cache.take(
            answer(#"{"a": "1", "b": "2"}"#, version: nil), current: state, now: Timestamp(seconds: 10))
        #expect(both.snapshot().values == ["a": "file", "b": "2"])
        #expect(file != source && source == .service(Service()))
    }
}
