#if Server
import FlagModel
import FlagRemote
import FlagTesting
import Flags
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import FlagServer

/// Server: evaluation contexts.
@Suite(.limitedParallelism, .timeLimit(.minutes(10))) struct EvaluationContextsTests {
    private let clock = ManualClock()
    private let service = PlanService()

    /// The engine of a source that was read.
    ///
    /// - Parameter waits: whether a wait ends at once and moves the clock; otherwise it never ends.
    private func engine(isLocal: Bool = false, waits: Bool = false) async -> RemoteEngine {
        let endless = SourceClock(
            now: { [clock] in clock.now }, sleep: { _ in try await Task.sleep(for: .seconds(86_400)) },
            random: { 0.5 })
        let remote = RemoteEngine(
            sources: [ContextSource(service: service, isLocal: isLocal)], cache: RemoteCache(folder: nil),
            clock: waits ? clock.sourceClock : endless)
        remote.open()
        _ = await remote.fetch(.all, isActivating: true)
        return remote
    }

    private func context(_ plan: String) throws -> OFREPContext {
        try OFREPContext(body: Array(#"{"context": {"plan": "\#(plan)"}}"#.utf8))
    }

    /// The value of the flag for a context; `nil` if the source has none.
    private func plan(_ plan: String, in contexts: EvaluationContexts) async throws -> String? {
        let values = try await contexts.values(for: try context(plan))
        let board = FlagBoard(snapshot: values.remote.snapshot(), launch: [:], overrides: [:])
        return board.knownFacts(of: "plan")?.value
    }

    @Test func `ten new contexts are accepted in a second, and known ones always`() async throws {
        let contexts = EvaluationContexts(await engine())
        for number in 0..<10 { #expect(try await plan("p\(number)", in: contexts) == "p\(number)") }
        let error = await #expect(throws: APIError.self) { try await plan("p10", in: contexts) }
        #expect(error?.code == .rateLimited && error?.retryAfter == 1)
        #expect(error.map { Response($0).headers[.retryAfter] } == "1")
        #expect(try await plan("p0", in: contexts) == "p0")
        clock.turn(by: 1)
        #expect(try await plan("p10", in: contexts) == "p10")
        #expect(service.requests == 12, "each context is requested once")
    }

    @Test func `contexts beyond the limit wait until another one is no longer used`() async throws {
        let contexts = EvaluationContexts(await engine())
        for number in 0..<EvaluationContexts.limit {
            if number % EvaluationContexts.newPerSecond == 0 { clock.turn(by: 1) }
            _ = try await plan("p\(number)", in: contexts)
        }
        clock.turn(by: 1)
        let error = await #expect(throws: APIError.self) { try await plan("new", in: contexts) }
        let wait = try #require(error?.retryAfter)
        #expect(error?.code == .rateLimited && (1...60).contains(wait))
        clock.turn(by: Int64(wait))
        #expect(try await plan("new", in: contexts) == "new")
    }

    @Test func `a document with the values for every context is not requested again`() async throws {
        let contexts = EvaluationContexts(await engine(isLocal: true))
        for name in ["pro", "max", "pro"] { #expect(try await plan(name, in: contexts) == name) }
        #expect(service.requests == 1)
    }

    @Test func `values are requested again after the source has responded`() async throws {
        let remote = await engine()
        let contexts = EvaluationContexts(remote)
        let source = try #require(remote.current.sources.first)
        #expect(!contexts.expire(after: source), "no client has evaluated")
        #expect(try await plan("pro", in: contexts) == "pro")
        service.set { $0.suffix = "-2" }
        #expect(try await plan("pro", in: contexts) == "pro")
        _ = await remote.fetch(.all, isActivating: true)
        #expect(contexts.expire(after: source), "clients are told to evaluate again")
        #expect(try await plan("pro", in: contexts) == "pro-2")
    }

    @Test func `a context whose values do not come has neither a value nor a default`() async throws {
        let remote = await engine()
        service.set { $0.isHanging = true }
        let contexts = EvaluationContexts(remote, fetchTime: .milliseconds(20))
        let values = try await contexts.values(for: try context("pro"))
        let overrides: FlagTable = ["plan": FlagOverride(value: "max")]
        let board = FlagBoard(snapshot: values.remote.snapshot(), launch: [:], overrides: overrides)
        let evaluations = FlagEvaluations(board, revision: 1, sources: values.sources)
        let plan = String(buffer: try evaluations.evaluation(board.knownFacts(of: "plan"), of: "plan"))
        #expect(plan.contains(#""value":"max""#), "an override wins anyway")
        let other = board.knownFacts(of: "other")
        let error = #expect(throws: APIError.self) { try evaluations.evaluation(other, of: "other") }
        #expect(error?.code == .general)
        #expect(throws: APIError.self) { try evaluations.requireSources() }
    }

    @Test func `a source that has failed for a context is requested again after a while`() async throws {
        let contexts = EvaluationContexts(await engine())
        service.set { $0.isFailing = true }
        for _ in 0..<3 { #expect(try await contexts.values(for: try context("pro")).sources[0].isWaiting) }
        #expect(service.requests == 2)
        service.set { $0.isFailing = false }
        clock.turn(by: 60)
        #expect(try await plan("pro", in: contexts) == "pro")
    }

    @Test func `values that become out of date while they are requested are requested again`() async throws {
        let remote = await engine()
        let contexts = EvaluationContexts(remote)
        service.set { $0.isHanging = true }
        async let plan = plan("pro", in: contexts)
        try await wait(for: "the first request") { service.requests == 2 }
        #expect(contexts.expire(after: try #require(remote.current.sources.first)))
        service.set { $0.isHanging = false }
        #expect(try await plan == "pro")
        #expect(service.requests == 3)
    }

    @Test func `clients are told when values have come late, and when a failed source may be requested again`()
        async throws
    {
        let contexts = EvaluationContexts(await engine(waits: true), fetchTime: .milliseconds(20))
        let reports = Atomic(0)
        contexts.observe { reports.add(1, ordering: .relaxed) }
        service.set { $0.isHanging = true }
        #expect(try await plan("pro", in: contexts) == nil)
        #expect(reports.load(ordering: .relaxed) == 0)
        service.set { $0.isHanging = false }
        try await wait(for: "the late values") { reports.load(ordering: .relaxed) == 1 }
        #expect(try await plan("pro", in: contexts) == "pro")
        service.set { $0.isFailing = true }
        _ = try await plan("max", in: contexts)
        try await wait(for: "the end of the pause") { reports.load(ordering: .relaxed) == 2 }
    }

    @Test func `a request without a context has the project's values, and is no new context`() async throws {
        let server = try await TestServer(sources: [ContextSource(service: service)])
        for (body, value) in [("{}", "free"), (#"{"plan": "pro"}"#, "pro"), ("{}", "free")] {
            let response = try await server.evaluate("plan", body)
            #expect(response.text.contains(#""value":"\#(value)""#), "\(response.text)")
        }
        #expect(service.requests == 2, "one for the project's context, and one for the plan pro")
        // With more new contexts than a second may have, one is rejected; requests without a context never are.
        var isExceeded = false
        while !isExceeded {
            for number in 0...2 * EvaluationContexts.newPerSecond {
                let context = #"{"plan": "\#(service.requests)-\#(number)"}"#
                isExceeded = try await server.evaluate("plan", context).status == 429 || isExceeded
                #expect(try await server.evaluate("plan").status == 200)
            }
        }
    }

    @Test func `a context that the source rejects is an error of the context`() async throws {
        let server = try await TestServer(sources: [ContextSource(service: service)])
        let response = try await server.evaluate("plan", #"{"plan": 5}"#)
        #expect(response.status == 400 && response.text.contains("INVALID_CONTEXT"), "\(response.text)")
        #expect(response.text.contains("must be a string"), "\(response.text)")
    }

    @Test func `a flag of a source that has not responded yet is not called unknown`() async throws {
        service.set { ($0.isHanging, $0.hangsAlways) = (true, true) }
        let server = try await TestServer(sources: [ContextSource(service: service)], isFetching: false)
        let fetch = Task { await server.flags.fetchAndActivate() }
        var response = try await server.evaluate("plan")
        while response.status == 404 { response = try await server.evaluate("plan") }
        #expect(response.status == 503 && response.text.contains(#""errorCode":"GENERAL""#), "\(response.text)")
        #expect(response.headers["Retry-After"] == "1")
        try await server.flags.setOverride("plan", to: "max")
        #expect(try await server.evaluate("plan").text.contains(#""value":"max""#))
        try await server.flags.clearOverride("plan")
        service.set { ($0.isHanging, $0.hangsAlways) = (false, false) }
        _ = await fetch.value
        let text = try await server.evaluate("plan", #"{"plan": "pro"}"#).text
        #expect(text.contains(#""value":"pro""#) && text.contains(#""reason":"TARGETING_MATCH""#), "\(text)")
        try await server.flags.setOverride("plan", to: "max")
        #expect(try await server.evaluate("plan", #"{"plan": "pro"}"#).text.contains(#""value":"max""#))
    }
}

/// A service with one flag, whose value is the plan in the context.
private final class PlanService: Sendable {
    struct State {
        var requests = 0
        /// The end of each value.
        var suffix = ""
        /// Whether requests for contexts other than the project's take until this is `false`.
        var isHanging = false
        /// Whether all requests do.
        var hangsAlways = false
        var isFailing = false
    }

    private let state = Mutex(State())

    var requests: Int { state.withLock { $0.requests } }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func response(for plan: String) async throws(SourceError) -> String {
        state.withLock { $0.requests += 1 }
        let isProject = plan == "free"
        while state.withLock({ $0.isHanging && (!isProject || $0.hangsAlways) }) {
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { throw SourceError.cancelled("plan") }
        }
        let (suffix, isFailing) = state.withLock { ($0.suffix, $0.isFailing && !isProject) }
        if isFailing { throw SourceError(code: .unreachable, path: "plan", sentence: "it does not respond") }
        return #"{"plan": "\#(plan)\#(suffix)"}"#
    }
}

private struct ContextSource: EvaluatedSource {
    let service: PlanService
    var plan = "free"
    /// Whether one document has the values for every context.
    var isLocal = false

    var identity: SourceIdentity { isLocal ? "plan" : "plan:#\(plan)" }
    var name: String { "plan" }
    var isCached: Bool { false }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        .values(Array(try await service.response(for: plan).utf8), version: nil)
    }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try RemoteDocument(parsing: isLocal ? Array(#"{"plan": "\#(plan)"}"#.utf8) : bytes)
    }

    func overriding(_ contextOverride: ContextOverride) -> any RemoteSource {
        let value = contextOverride.members.first { $0.name == "plan" }?.value
        return ContextSource(
            service: service, plan: value.map { String($0.dropFirst().dropLast()) } ?? plan, isLocal: isLocal)
    }

    func evaluation(overriding contextOverride: ContextOverride, _ document: RemoteDocument?) -> SourceEvaluation {
        SourceEvaluation(
            source: name, context: [.init(name: "plan", value: plan, base: plan, isOwn: false)], document: document)
    }

    func error(in edits: [ContextEdit], to contextOverride: ContextOverride) -> SourceError? {
        for case .set("plan", let value?) in edits where !value.hasPrefix("\"") {
            return SourceError(code: .rejected, path: "plan", sentence: "the plan must be a string")
        }
        return nil
    }
}
#endif
