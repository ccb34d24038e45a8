import FlagModel
import FlagTesting
import TestSupport
import Testing

@testable import FlagRemote

/// Activation and order of sources in the engine.
@Suite(.timeLimit(.minutes(10)))
struct EngineActivationTests {
    private let place = EnginePlace()

    @Test func `with manual activation the first values apply immediately; later ones wait, also after a restart`()
        async
    {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        #expect(engine.value() == "1" && !engine.current.hasUpdate)
        source.respond(#"{"a": 2}"#)
        _ = await engine.fetch(.all)
        for engine in [engine, place.engine([source])] {
            #expect(engine.value() == "1" && engine.current.hasUpdate)
            #expect(engine.activate() && engine.value() == "2")
            #expect(!engine.activate() && !engine.current.isWaiting)
        }
    }

    @Test func `the warnings of a document of defaults are published`() async {
        let warning = DocumentIssue(sentence: "an entry was left out")
        let defaults = MemorySource("defaults", decoded: RemoteDocument(defaults: ["a": "1"], issues: [warning]))
        let engine = place.engine([MemorySource("a"), defaults])
        _ = await engine.fetch(.all)
        let snapshot = engine.current.snapshot()
        #expect(snapshot.defaults == ["a": "1"] && snapshot.issues.map(\.sentence) == ["an entry was left out"])
    }

    @Test func `with activation at the next launch even the first values wait for the launch`() async {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source], activation: .nextLaunch)
        _ = await engine.fetch(.all)
        #expect(engine.value() == nil && engine.current.isWaiting)
        #expect(place.engine([source], activation: .nextLaunch).value() == "1")
    }

    @Test(arguments: [(Activation.immediately, "2"), (.manual, "1"), (.nextLaunch, "1")])
    func `values of a live update apply without activate() only if the activation is immediate`(
        activation: Activation, expected: String
    ) async {
        _ = await place.engine([MemorySource("a", #"{"a": 1}"#)]).fetch(.all)
        let (liveUpdates, event) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let engine = place.engine([MemorySource("a", #"{"a": 2}"#, liveUpdates: liveUpdates)], activation: activation)
        event.yield(.changed)
        event.finish()
        await engine.followUpdates()
        #expect(engine.value() == expected && engine.current.isWaiting == (expected == "1"))
    }

    @Test func `a fetch that activates does not activate waiting values of sources it did not fetch`() async {
        let (waiting, unavailable) = (MemorySource("a", #"{"a": 1}"#), MemorySource("b", #"{"b": 1}"#))
        let gate = Gate()
        let engine = place.engine([waiting, MemorySource("c", #"{"c": 1}"#, gate: gate), unavailable])
        unavailable.fail(.unreachable)
        let first = Task { await engine.fetch(.all) }
        await gate.open()
        _ = await first.value
        waiting.respond(#"{"a": 2}"#)
        #expect(await engine.refresh(0, waiting.identity) == nil)
        unavailable.respond(#"{"b": 1}"#)
        _ = await engine.fetch(.withoutResponse, isActivating: true)
        #expect(engine.value("b") == "1" && engine.value("a") == "1" && engine.current.hasUpdate)
    }

    @Test func `the first values of a rate-limited source's live update apply, and observers get an update`() async {
        let source = MemorySource("a")
        source.fail(.rateLimited, retryAfter: .seconds(3_600))
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        let updates = engine.updates()
        #expect(await engine.refresh(0, source.identity) != nil)
        source.report(#"{"a": 1}"#)
        _ = await engine.refresh(0, source.identity)
        for await update in updates where !update.state.sources[0].isRequested && update.state.hasValues {
            #expect(update.hasActivated && update.state.activations > 0)
            break
        }
        #expect(engine.value() == "1")
    }

    @Test func `the values of an activating fetch apply when it returns, even if it shares a request`() async {
        let gate = Gate()
        _ = await place.engine([MemorySource("a", #"{"a": 1}"#)]).fetch(.all)
        let engine = place.engine([MemorySource("a", #"{"a": 2}"#, gate: gate)])
        let updates = engine.updates()
        let (plain, activating) = (
            Task { await engine.fetch(.all) }, Task { await engine.fetch(.all, isActivating: true) }
        )
        await updates.waitForFetches(2)
        await gate.open()
        _ = await activating.value
        #expect(engine.value() == "2")
        _ = await plain.value
    }

    @Test func `a response with the same values in other bytes waits, but is not an update`() async {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        source.respond(#"{ "a" : 1 }"#)
        _ = await engine.fetch(.all)
        #expect(engine.current.isWaiting && !engine.current.hasUpdate)
    }

    @Test
    func
        `values activated by another engine apply and count as an activation; an engine's own activation is not counted twice`()
        async
    {
        let source = MemorySource("a", #"{"a": 1}"#)
        let menu = place.engine([source])
        _ = await menu.fetch(.all)
        let app = place.engine([source])
        source.respond(#"{"a": 2}"#)
        place.clock.turn(by: 1)
        _ = await menu.fetch(.all, isActivating: true)
        for (engine, count) in [(app, 1), (menu, 0)] {
            let before = engine.current.activations
            engine.reloadActivated()
            #expect(engine.value() == "2" && engine.current.activations - before == count)
        }
    }

    @Test func `the first source that has a key wins, in any order of responses and after a failure`() async {
        let gate = Gate()
        let (first, second) = (
            MemorySource("first", #"{"a": 1}"#, gate: gate), MemorySource("second", #"{"a": 2, "b": 2}"#)
        )
        let engine = place.engine([first, second])
        let updates = engine.updates()
        let fetch = Task { await engine.fetch(.all) }
        for await update in updates {
            guard case .responded(1) = update.cause else { continue }
            #expect(update.state.snapshot().values["a"]?.string == "2" && update.state.isFetching)
            break
        }
        await gate.open()
        #expect(await fetch.value == .fetchedFromRemote)
        #expect(engine.value("a") == "1" && engine.value("b") == "2")
        first.fail(.unreachable)
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.value("a") == "1" && engine.current.errors.count == 1)
        #expect(engine.current.status == .loaded(at: place.clock.now))
    }

    @Test func `the second of two sources with the same identity is never requested and has an error`() async {
        let (first, second) = (MemorySource("a", #"{"a": 1}"#), MemorySource("a", #"{"a": 2, "b": 2}"#))
        let engine = place.engine([first, second])
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.value("a") == "1" && engine.value("b") == nil && second.versions.isEmpty)
        let duplicate = engine.current.sources[1]
        #expect(duplicate.isUnavailable && duplicate.error?.sentence.contains("duplicate of a") == true)
    }

    @Test func `the same file may be configured twice`() throws {
        let file = RemoteFile(try place.write(#"{"a": 1}"#, to: "flags.json"))
        let engine = place.engine([file, file])
        #expect(engine.current.errors.isEmpty && engine.current.sources.allSatisfy { $0.active != nil })
    }
}
