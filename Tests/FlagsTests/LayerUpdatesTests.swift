import FlagModel
import Testing

@testable import Flags

@Suite(.timeLimit(.minutes(10)))
struct LayerUpdatesTests {
    @Test(
        arguments: [
            (nil, [.remote], true), (nil, [.default, .remote], true), (nil, [.override], false),
            ("a", [.remote], true), ("b", [.remote], false), ("a", [.launch, .team], false),
        ] as [(String?, [FlagLayer], Bool)])
    func `only changes of the given key and layers are reported`(key: String?, layers: [FlagLayer], isReported: Bool) {
        let new = StoreContents(LayerValues([.default: LayerContent(ValueTable(["a": "1", "c": "1"]))]))
        let change = StoreChange(.pushed, in: [.remote, .default], from: StoreContents(LayerValues()), to: new)
        #expect(change.affects(key, in: layers) == isReported)
    }

    @Test func `signals come immediately and after changes under an override, until the updates end`() async throws {
        let flags = FlagStore.inMemory(["a": "remote"])
        try await flags.setOverride("a", to: "override")
        let updates = flags.layerUpdates(of: "a", in: [.remote])
        var signals = updates.stream.makeAsyncIterator()
        #expect(await signals.next() != nil)
        flags.updateRemote(["a": "newer"])
        #expect(await signals.next() != nil)
        updates.continuation.finish()
        #expect(await signals.next() == nil)
        #expect(flags.publication.count == 1)
    }

    @Test func `a value is read from the highest of the given layers that has a valid text`() async throws {
        let flags = FlagStore.inMemory(["a": "1"])
        try await flags.setOverride("a", to: "x", .unchecked)
        func value(_ layers: [FlagLayer]) -> Int? {
            flags.value(of: "a", at: flags.snapshot(), in: layers, typeName: "int", by: FlagReading.int)
        }
        #expect(value(FlagLayer.allCases) == 1)
        #expect(value([.launch, .override, .team]) == nil)
    }

    @Test func `a released store ends its signals`() async {
        var flags: FlagStore? = .inMemory()
        let updates = flags?.layerUpdates(in: [.override])
        flags = nil
        var signals = updates?.stream.makeAsyncIterator()
        // The first signal is already waiting.
        #expect(await signals?.next() != nil)
        #expect(await signals?.next() == nil)
    }
}
