import FlagModel
import FlagTesting
import Synchronization
import TestSupport
import Testing

@testable import FlagRemote

/// Context overrides in the engine.
@Suite(.timeLimit(.minutes(10)))
struct EngineContextTests {
    private let place = EnginePlace()

    @Test func `a context is replaced once, and never by an older one`() throws {
        let engine = place.engine([UserSource()])
        var contexts: FlagTable<ContextOverride> = [:]
        func replace(_ user: String, at revision: Int) {
            contexts["people"] = ContextOverride()
            contexts["people"]?.apply(.set(name: "user", value: user))
            engine.replaceContexts(with: contexts, at: revision, isRequested: false)
        }
        let causes = Mutex<[Bool]>([])
        engine.observe(
            { update in
                if case .contextChanged(let isRequested) = update.cause { causes.withLock { $0.append(isRequested) } }
            }, afterwards: {})
        replace("2", at: 2)
        replace("2", at: 3)
        replace("1", at: 1)
        #expect(engine.current.sources[0].identity == "people#2")
        replace("4", at: 5)
        replace("4", at: 7)
        replace("3", at: 6)
        #expect(engine.current.sources[0].identity == "people#4" && causes.withLock { $0 } == [false, false])
    }

    @Test func `a watching engine applies values that another one activates for the same context override`()
        async throws
    {
        let source = MemorySource("people#2", #"{"user": 2}"#)
        let (app, menu) = (place.engine([UserSource(other: source)]), place.engine([UserSource(other: source)]))
        app.watch()
        try app.changeUser(to: "2")
        try menu.changeUser(to: "2")
        _ = await menu.fetch(.all)
        source.respond(#"{"user": 22}"#)
        _ = await menu.fetch(.all)
        menu.activate()
        menu.save()
        try await wait(for: "the value that the menu activated") { app.value("user") == "22" }
    }

    @Test func `a fetch whose context changes to a rate-limited one ends without another request`() async throws {
        let (gate, second) = (Gate(), MemorySource("people#2"))
        second.fail(.rateLimited)
        let engine = place.engine([UserSource(gate: gate, other: second)])
        try engine.changeUser(to: "2")
        _ = await engine.fetch(.all)
        try engine.changeUser(to: nil)
        let updates = engine.updates()
        let fetch = Task { await engine.fetch(.all) }
        await updates.waitForFetches(1)
        try engine.changeUser(to: "2")
        let reason = await fetch.value.failure
        #expect(reason?.contains("rate limited") == true && second.versions.count == 1)
        #expect(!engine.current.isFetching)
        await gate.open()
    }

    @Test func `choosing a context applies its cached values, never those of another context`() async throws {
        let engine = place.engine([UserSource()])
        _ = await engine.fetch(.all)
        try engine.changeUser(to: "2")
        #expect(engine.value("user") == nil)
        _ = await engine.fetch(.all)
        #expect(engine.value("user") == "2")
        try engine.changeUser(to: nil)
        #expect(engine.value("user") == "1")
    }

    @Test func `an app that follows its sources gets the values of a new context without a fetch`() async throws {
        let engine = place.engine([UserSource()])
        _ = await engine.fetch(.all)
        let following = Task { await engine.followUpdates() }
        defer { following.cancel() }
        try await wait(for: "the subscription") { engine.state.withLock { $0.subscriptions == 1 } }
        try engine.changeUser(to: "2")
        try await wait(for: "the values of the new context") { engine.value("user") == "2" }
    }

    @Test func `a request for the previous context is discarded, and its fetch returns the values of the new one`()
        async throws
    {
        let gate = Gate()
        let engine = place.engine([UserSource(gate: gate)])
        let updates = engine.updates()
        let fetch = Task { await engine.fetch(.all) }
        await updates.waitForFetches(1)
        try engine.changeUser(to: "2")
        await gate.open()
        #expect(await fetch.value == .fetchedFromRemote)
        #expect(engine.value("user") == "2")
        #expect(place.cache.cachedIdentity(of: "people#1") == nil)
        #expect(place.cache.cachedIdentity(of: "people#2") != nil)
    }

    /// The sources whose contexts then change so that they differ again.
    @Test(arguments: [("people", "3", "people#1"), ("guests", nil, "people#2")] as [(String, String?, SourceIdentity)])
    func `a source whose context becomes a duplicate is rejected until the contexts differ`(
        source: String, user: String?, identity: SourceIdentity
    ) throws {
        let engine = place.engine([UserSource(), UserSource(name: "guests", user: "2")])
        #expect(engine.current.errors.isEmpty)
        try engine.changeUser(of: "guests", to: "1")
        #expect(engine.current.sources[1].error?.code == .rejected && engine.current.sources[0].error == nil)
        try engine.changeUser(of: source, to: user)
        #expect(engine.current.errors.isEmpty && engine.current.sources[1].identity == identity)
    }

    @Test func `a duplicate works when the first source gets another context`() throws {
        let engine = place.engine([UserSource(), UserSource(name: "guests")])
        #expect(engine.current.sources[1].error?.code == .rejected)
        try engine.changeUser(to: "3")
        #expect(engine.current.errors.isEmpty && engine.current.sources[1].identity == "people#1")
    }
}
