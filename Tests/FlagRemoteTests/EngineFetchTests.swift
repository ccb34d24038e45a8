import FlagTesting
import TestSupport
import Testing

@testable import FlagRemote

/// Requests of the engine.
@Suite(.timeLimit(.minutes(10)))
struct EngineFetchTests {
    private let place = EnginePlace()
    private let gate = Gate()
    /// A source that responds when the gate is open.
    private let source: MemorySource

    init() { source = MemorySource("a", #"{"a": 1}"#, gate: gate) }

    @Test func `single flight: eight callers share one request and return after its values are cached`() async {
        let engine = place.engine([source])
        let updates = engine.updates()
        let callers = (1...8).map { _ in
            Task {
                _ = await engine.fetch(.all)
                return place.engine([MemorySource("a")]).value()
            }
        }
        await updates.waitForFetches(8)
        await gate.open()
        for caller in callers { #expect(await caller.value == "1") }
        #expect(source.versions == [nil])
    }

    @Test func `progress of many pieces is throttled, but the first and the last are always reported`() async {
        let pieces = (1...1_000).map { SourceProgress.received(bytes: $0, of: nil) }
        let engine = place.engine([MemorySource("a", gate: gate, progress: pieces)])
        let updates = engine.updates()
        let fetch = Task { await engine.fetch(.all) }
        var reported: [SourceProgress] = []
        for await update in updates {
            guard case .progress(_, let progress) = update.cause else { continue }
            reported.append(progress)
            if progress == pieces.last { break }
        }
        #expect(reported.first == pieces.first)
        #expect(reported.count < 100, "\(reported.count) of 1,000 pieces reported")
        await gate.open()
        _ = await fetch.value
    }

    @Test func `cancelling one of two fetches does not cancel their shared request`() async {
        let engine = place.engine([source])
        let (updates, id) = (engine.updates(), engine.makeFetchID())
        let (cancelled, other) = (Task { await engine.fetch(.all, id: id) }, Task { await engine.fetch(.all) })
        await updates.waitForFetches(2)
        engine.cancel(id)
        await gate.open()
        #expect(await other.value == .fetchedFromRemote)
        #expect(await source.cancellations.first { _ in true } == false)
        #expect(engine.value() == "1")
        _ = await cancelled.value
    }

    @Test func `cancelling the only fetch does not cancel a request that live updates started`() async {
        let engine = place.engine([source])
        let (updates, id) = (engine.updates(), engine.makeFetchID())
        let update = Task { await engine.refresh(0, source.identity) }
        await updates.waitForFetches(1)
        engine.request(.all, id: id)
        engine.cancel(id)
        await gate.open()
        #expect(await update.value == nil)
        #expect(engine.value() == "1" && source.versions.count == 1)
    }

    @Test func `cancelling the only fetch cancels its request and discards its values; the next fetch requests again`()
        async
    {
        let engine = place.engine([source])
        let (updates, id) = (engine.updates(), engine.makeFetchID())
        let cancelled = Task { await engine.fetch(.all, id: id) }
        await updates.waitForFetches(1)
        engine.cancel(id)
        _ = await cancelled.value
        await gate.open()
        #expect(engine.value() == nil && engine.current.status == .idle)
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.value() == "1")
    }

    @Test func `a request that exceeds the time limit is cancelled, and the error names the limit`() async {
        let engine = place.engine([source], timeLimit: .zero)
        let outcome = await engine.fetch(.all)
        #expect(outcome.failure?.contains("no response within 0 seconds") == true, "\(outcome)")
        await gate.open()
        #expect(await source.cancellations.first { _ in true } == true)
        #expect(engine.value() == nil)
    }

    @Test(arguments: [
        SourceError.Code.missing, .unreadable, .notAFile, .tooLarge, .malformed, .unreachable, .rateLimited,
        .refused,
        .rejected, .faulty, .timedOut, .insecure,
    ])
    func `values stay in use after each kind of failure, and the status shows it until the next response`(
        code: SourceError.Code
    ) async throws {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        source.fail(code)
        place.clock.turn(by: 60)
        let sentence = try #require(await engine.fetch(.all).failure)
        #expect(sentence == "a: no response. The values of 2026-11-21T10:00:00Z stay in use.")
        #expect(engine.current.status == .failed(sentence) && engine.current.sources[0].error?.code == code)
        #expect(engine.value() == "1" && place.engine([source]).value() == "1")
        source.respond(#"{"a": 1}"#)
        place.clock.turn(by: 60)
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.current.status == .loaded(at: place.clock.now) && engine.current.errors.isEmpty)
    }

    @Test func `a file is read by the first fetch if the engine opens from the cache`() async throws {
        let file = RemoteFile(try place.write(#"{"a": 1}"#, to: "flags.json"))
        place.engine([file]).save()
        try place.write(#"{"a": 2}"#, to: "flags.json")
        let engine = place.engine([file], isFromCache: true)
        #expect(engine.value() == "1" && !engine.current.sources[0].hasResponded)
        _ = await engine.fetch(.all, isActivating: true)
        #expect(engine.value() == "2" && engine.current.sources[0].hasResponded)
    }

    @Test(arguments: [
        (FetchScope.nothing, 0, 0), (.withoutValues, 0, 1), (.olderThan(.seconds(60)), 0, 1),
        (.withoutResponse, 1, 1), (.all, 1, 1),
    ])
    func `the fetch scope decides whether sources with and without cached values are requested`(
        scope: FetchScope, cachedCount: Int, emptyCount: Int
    ) async {
        _ = await place.engine([MemorySource("cached", #"{"a": 1}"#)]).fetch(.all)
        place.clock.turn(by: 59)
        let (cached, empty) = (MemorySource("cached", #"{"a": 2}"#), MemorySource("empty", #"{"b": 2}"#))
        let engine = place.engine([cached, empty])
        let outcome = await engine.fetch(scope)
        #expect(cached.versions.count == cachedCount && empty.versions.count == emptyCount)
        #expect(outcome == (emptyCount == 0 ? .usedPreFetched : .fetchedFromRemote))
    }

    @Test func `at launch a source that failed less than a minute ago is skipped if another source has values`() async {
        let (failing, good) = (MemorySource("failing"), MemorySource("good", #"{"a": 1}"#))
        failing.fail(.unreachable)
        _ = await place.engine([failing, good]).fetch(.all)
        place.clock.turn(by: 59)
        let engine = place.engine([failing, good])
        #expect(await engine.fetch(.withoutValues) == .usedPreFetched)
        #expect(failing.versions.count == 1 && engine.current.sources[0].error?.sentence.contains("for 1 s") == true)
        _ = await place.engine([failing]).fetch(.withoutValues)
        #expect(failing.versions.count == 2)
        place.clock.turn(by: 60)
        _ = await place.engine([failing, good]).fetch(.withoutValues)
        #expect(failing.versions.count == 3 && good.versions.count == 1)
    }
}
