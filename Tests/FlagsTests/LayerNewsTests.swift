import FlagModel
import Synchronization
import Testing

@testable import Flags

@Suite("News of layers", .timeLimit(.minutes(10)))
struct LayerNewsTests {
    @Test(
        "only changes of the key and of the layers that matter are told",
        arguments: [
            (nil, [.remote], true), (nil, [.default, .remote], true), (nil, [.override], false),
            ("a", [.remote], true), ("b", [.remote], false), ("a", [.launch, .team], false),
        ] as [(String?, Set<Layer>, Bool)])
    func telling(key: String?, layers: Set<Layer>, isTold: Bool) async {
        let (signals, news) = AsyncStream.makeStream(of: Void.self)
        LayerFeed(key: key, layers: layers, news: news).tell(of: ["a", "c"], in: [.remote, .default])
        news.finish()
        #expect(await signals.reduce(0) { count, _ in count + 1 } == (isTold ? 1 : 0))
    }

    @Test("a signal comes at once, and after a change that no effective value shows; ended, they end")
    func hiddenChange() async throws {
        let flags = FlagStore.inMemory(["a": "remote"])
        try flags.setOverride("a", to: "override")
        let news = flags.layerNews(of: "a", in: [.remote])
        var signals = news.signals.makeAsyncIterator()
        #expect(await signals.next() != nil)
        flags.updateRemote(["a": "newer"])
        #expect(await signals.next() != nil)
        news.end()
        #expect(await signals.next() == nil)
        #expect(flags.state.withLock { $0.layerFeeds.isEmpty })
    }

    @Test("the highest of some layers whose text can be read gives the value, whatever code declares")
    func reading() throws {
        let flags = FlagStore.inMemory(["a": "1"])
        try flags.setOverride("a", to: "x")
        func value(_ layers: [Layer]) -> Int? {
            flags.value(of: "a", at: flags.snapshot(), in: layers, typeName: "int", by: FlagReading.int)
        }
        #expect(value(Layer.allCases) == 1)
        #expect(value([.launch, .override, .team]) == nil)
    }

    @Test("a store that nobody holds any more ends its signals")
    func endOfStore() async {
        var flags: FlagStore? = .inMemory()
        let news = flags?.layerNews(in: [.override])
        flags = nil
        var signals = news?.signals.makeAsyncIterator()
        // The first one waits already.
        #expect(await signals?.next() != nil)
        #expect(await signals?.next() == nil)
    }
}
