import FlagModel
import FlagRemote
import FlagSourceFile
import Testing

@testable import FlagMenuCLI

/// Answers come in any order; what they say holds in the order in which the questions were put.
@Suite struct QuestionOrderTests {
    private struct Service: RemoteSource {
        let identity: String
        var name: String { identity }

        func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { .unchanged }
    }

    private let cache = RemoteCache(
        files: CacheFiles(read: { _ in nil }, write: { _, _ in }, remove: { _ in }, names: { [] }))
    private let sources = ["one", "two"].map { KeptSource.service(Service(identity: $0)) }

    private func values(_ version: String) -> Result<SourceAnswer, SourceError> {
        .success(.values(Array("{}".utf8), version: version))
    }

    /// What is known once a source has said that it has a version.
    private func known(_ version: String?) -> [RemoteState.Source] {
        let now = Timestamp(seconds: 10)
        let opened = cache.open(sources, now: now)
        guard let version else { return opened.sources }
        return cache.take(["one": values(version)], current: opened, now: now).sources
    }

    @Test func `an older answer takes the place of none that is newer`() {
        let order = QuestionOrder()
        let (all, one) = (order.question(known(nil)), order.question(known(nil)))
        #expect(order.current(["one": values("v2")], to: one, known: known(nil)).count == 1)
        let late = order.current(["one": values("v1"), "two": values("v1")], to: all, known: known("v2"))
        #expect(Set(late.keys) == ["two"])
        let failure = SourceError(code: .timedOut, path: "one", sentence: "no")
        #expect(order.current(["one": .failure(failure)], to: all, known: known("v2")).isEmpty)
        #expect(order.current(["one": values("v3")], to: order.question(known("v2")), known: known("v2")).count == 1)
    }

    @Test func `that nothing has changed says nothing once another version is known`() {
        let order = QuestionOrder()
        let question = order.question(known("v1"))
        #expect(order.current(["one": .success(.unchanged)], to: question, known: known("v2")).isEmpty)
        #expect(order.current(["one": .success(.unchanged)], to: question, known: known("v1")).count == 1)
    }
}
