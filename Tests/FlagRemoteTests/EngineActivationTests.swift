import FlagModel
import FlagTesting
import Synchronization
import TestSupport
import Testing

@testable import FlagRemote

@Suite("Activation and order of sources in the engine", .timeLimit(.minutes(10)))
struct EngineActivationTests {
    private let place = EnginePlace()

    @Test("with manual activation the first values are in use at once, and later ones wait, also across starts")
    func manual() async {
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

    @Test("with activation at the next launch even the first values wait for it")
    func nextLaunch() async {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source], activation: .nextLaunch)
        _ = await engine.fetch(.all)
        #expect(engine.value() == nil && engine.current.isWaiting)
        #expect(place.engine([source], activation: .nextLaunch).value() == "1")
    }

    @Test(
        "values that a source has told of are in use without any activation only if that is immediate",
        arguments: [(Activation.immediately, "2"), (.manual, "1"), (.nextLaunch, "1")])
    func following(activation: Activation, expected: String) async {
        _ = await place.engine([MemorySource("a", #"{"a": 1}"#)]).fetch(.all)
        let (hints, hint) = AsyncStream.makeStream(of: SourceHint.self)
        let engine = place.engine([MemorySource("a", #"{"a": 2}"#, hints: hints)], activation: activation)
        hint.yield(.changed)
        hint.finish()
        await engine.follow()
        #expect(engine.value() == expected && engine.current.isWaiting == (expected == "1"))
    }

    @Test("a fetch that activates leaves what waits in other sources to an activation")
    func activatingFetchOfOthers() async {
        let (waiting, unanswered) = (MemorySource("a", #"{"a": 1}"#), MemorySource("b", #"{"b": 1}"#))
        let gate = Gate()
        let engine = place.engine([waiting, MemorySource("c", #"{"c": 1}"#, gate: gate), unanswered])
        unanswered.fail(.unreachable)
        let first = Task { await engine.fetch(.all) }
        await gate.open()
        _ = await first.value
        waiting.respond(#"{"a": 2}"#)
        #expect(await engine.refresh(0, waiting.identity) == nil)
        unanswered.respond(#"{"b": 1}"#)
        _ = await engine.fetch(.unanswered, isActivating: true)
        #expect(engine.value("b") == "1" && engine.value("a") == "1" && engine.current.hasUpdate)
    }

    @Test("the first values that a rate-limited source tells are in use, and whoever observes is told so")
    func firstValuesOfLiveUpdate() async {
        let source = TellingSource()
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        let updates = engine.updates()
        #expect(await engine.refresh(0, source.identity) != nil)
        source.tell(#"{"a": 1}"#)
        _ = await engine.refresh(0, source.identity)
        for await update in updates where !update.state.sources[0].isRequested && update.state.hasValues {
            #expect(update.hasActivated && update.state.activations > 0)
            break
        }
        #expect(engine.value() == "1")
    }

    /// A source that is rate limited and tells values by itself.
    private final class TellingSource: RemoteSource {
        let name = "telling"
        let identity: SourceIdentity = "telling"
        private let told = Mutex<SourceAnswer?>(nil)

        func tell(_ document: String) { told.withLock { $0 = .values(Array(document.utf8), version: nil) } }

        func takeUpdate(since version: String?) -> SourceAnswer? { told.withLock { $0 } }

        func fetch(
            since version: String?, progress: @escaping ProgressHandler
        ) async throws(SourceError) -> SourceAnswer {
            throw SourceError(code: .throttled, path: name, sentence: "too many requests", retryAfter: .seconds(3_600))
        }
    }

    @Test("a fetch that activates has its values in use when it returns, and so have those that share its request")
    func activatingFetch() async {
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

    @Test("a response that says the same in other bytes waits, but is no update")
    func sameValues() async {
        let source = MemorySource("a", #"{"a": 1}"#)
        let engine = place.engine([source])
        _ = await engine.fetch(.all)
        source.respond(#"{ "a" : 1 }"#)
        _ = await engine.fetch(.all)
        #expect(engine.current.isWaiting && !engine.current.hasUpdate)
    }

    @Test("values that another engine has activated are taken over and told as such, its own are not")
    func activatedElsewhere() async {
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

    @Test("the first source that has a key wins, whichever responds first and whichever fails later")
    func order() async {
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

    @Test("of two sources with one identity the later is never requested and says why")
    func duplicates() async {
        let (first, second) = (MemorySource("a", #"{"a": 1}"#), MemorySource("a", #"{"a": 2, "b": 2}"#))
        let engine = place.engine([first, second])
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.value("a") == "1" && engine.value("b") == nil && second.versions.isEmpty)
        let duplicate = engine.current.sources[1]
        #expect(duplicate.isUnavailable && duplicate.error?.sentence.contains("duplicate of a") == true)
    }

    @Test("a file may be there twice")
    func repeatedFile() throws {
        let file = RemoteFile(try place.write(#"{"a": 1}"#, to: "flags.json"))
        let engine = place.engine([file, file])
        #expect(engine.current.errors.isEmpty && engine.current.sources.allSatisfy { $0.active != nil })
    }
}
