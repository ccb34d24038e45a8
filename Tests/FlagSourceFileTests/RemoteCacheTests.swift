import FlagModel
import FlagRemote
import FlagSourceFile
import Testing

@Suite("The cache of remote documents")
struct RemoteCacheTests {
    let folder: TemporaryFolder
    let memory = MemoryCache()

    init() throws { folder = try TemporaryFolder() }

    private func value(_ state: RemoteState) -> String? { state.snapshot().values["a"]?.string }

    private func open(_ sources: FileSource..., at seconds: Int64) throws -> RemoteState {
        var state = memory.cache.open(sources.map(KeptSource.file), now: Timestamp(seconds: seconds))
        try memory.cache.store(state.takeWrites())
        return state
    }

    @Test func aRunTakesTheFileAsItIsAndStoresItOnce() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        let cache = memory.cache
        var state = cache.open([.file(source)], now: Timestamp(seconds: 10))
        #expect(value(state) == "1" && state.fetchedAt == Timestamp(seconds: 10) && state.problems.isEmpty)
        #expect(memory.names.isEmpty, "nothing is stored before the caller says so")
        let writes = state.takeWrites()
        #expect(writes.count == 2 && state.takeWrites().isEmpty)
        try cache.store(writes)
        #expect(memory[".active"] == #"{"a":"1"}"#)
        var again = cache.open([.file(source)], now: Timestamp(seconds: 20))
        #expect(again.takeWrites().isEmpty, "nothing has changed, so nothing is stored")
        try folder.write(#"{"a":"2"}"#, to: "a.json")
        #expect(value(try open(source, at: 30)) == "2" && memory[".active"] == #"{"a":"2"}"#)
    }

    @Test func aFetchWaitsUntilItIsActivatedAcrossRuns() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        _ = try open(source, at: 10)
        try folder.write(#"{"a":"2"}"#, to: "a.json")
        var fetched = memory.cache.fetch([.file(source)], now: Timestamp(seconds: 20))
        #expect(value(fetched) == "1" && fetched.isWaiting)
        try memory.cache.store(fetched.takeWrites())
        try folder.write(#"{"a":"3"}"#, to: "a.json")
        let next = try open(source, at: 30)
        #expect(value(next) == "1" && next.isWaiting && next.fetchedAt == Timestamp(seconds: 10))
        var activated = memory.cache.activate([.file(source)], now: Timestamp(seconds: 40))
        #expect(value(activated) == "2" && !activated.isWaiting && activated.fetchedAt == Timestamp(seconds: 20))
        try memory.cache.store(activated.takeWrites())
        #expect(memory[".active"] == #"{"a":"2"}"# && memory[".fetched"] == nil)
        #expect(value(try open(source, at: 50)) == "3")
    }

    @Test func aFetchInARunningMenuComparesWithWhatItShows() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        let state = memory.cache.open([.file(source)], now: Timestamp(seconds: 10))
        let same = memory.cache.fetch([.file(source)], current: state, now: Timestamp(seconds: 20))
        #expect(!same.isWaiting && same.fetchedAt == Timestamp(seconds: 20))
        try folder.write(#"{"a":"2"}"#, to: "a.json")
        let fetched = memory.cache.fetch([.file(source)], current: same, now: Timestamp(seconds: 30))
        #expect(value(fetched) == "1" && fetched.isWaiting)
        // The cache was never written to, as when its folder is read-only.
        let activated = memory.cache.activate([.file(source)], current: fetched, now: Timestamp(seconds: 40))
        #expect(value(activated) == "2" && !activated.isWaiting)
    }

    @Test func fetchingTheSameContentWaitsForNothing() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        _ = try open(source, at: 10)
        try folder.write(#"{"a":"1"}"#, to: "a.json")
        let fetched = memory.cache.fetch([.file(source)], now: Timestamp(seconds: 20))
        #expect(!fetched.isWaiting && value(fetched) == "1")
    }

    @Test(arguments: ["{\"a\":\n\"2\"", "", "7"])
    func aBadDocumentNeverReplacesAGoodOne(_ bad: String) throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        let good = try open(source, at: 10)
        try folder.write(bad, to: "a.json")
        for var state in [
            memory.cache.open([.file(source)], now: Timestamp(seconds: 20)),
            memory.cache.fetch([.file(source)], now: Timestamp(seconds: 20)),
            memory.cache.fetch([.file(source)], current: good, now: Timestamp(seconds: 20)),
        ] {
            #expect(value(state) == "1" && state.takeWrites().isEmpty)
            #expect(state.problems.map(\.lastGood) == [Timestamp(seconds: 10)])
            #expect(state.problems.first?.error.code == .malformed)
            #expect(
                state.problems.first?.description.hasSuffix(". The values of 1970-01-01T00:00:10Z stay in use.") == true
            )
        }
        try folder.write(#"{"a":"3"}"#, to: "a.json")
        let repaired = memory.cache.fetch([.file(source)], current: good, now: Timestamp(seconds: 30))
        #expect(repaired.problems.isEmpty && repaired.isWaiting)
    }

    @Test func withoutALastGoodCopyThereIsOnlyTheProblem() throws {
        let state = try open(FileSource(path: folder.path("none.json")), at: 10)
        #expect(state.problems.map(\.lastGood) == [nil] && state.snapshot().values.isEmpty && memory.names.isEmpty)
    }

    @Test func aMalformedCatalogKeepsTheLastGoodOne() throws {
        let catalog = #""config_categories":"[{\"category\":\"C\",\"items\":[{\"key\":\"a\"}]}]""#
        let source = try folder.write(#"{"a":"1",\#(catalog)}"#, to: "a.json")
        _ = try open(source, at: 10)
        try folder.write(#"{"a":"2","config_categories":"["}"#, to: "a.json")
        for seconds in [20, 30] as [Int64] {
            let state = try open(source, at: seconds)
            #expect(value(state) == "2" && state.snapshot().catalog.categories.map(\.name.string) == ["C"])
            #expect(state.snapshot().problems.count == 1)
        }
        #expect(memory[".active"]?.contains("\"1\"") == true, "the last good copy is still there")
    }

    @Test func damagedCacheFilesAreNoCache() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        for suffix in [".json", ".active", ".fetched"] {
            _ = try open(source, at: 10)
            try folder.write(#"{"a":"2"}"#, to: "a.json")
            var fetched = memory.cache.fetch([.file(source)], now: Timestamp(seconds: 20))
            try memory.cache.store(fetched.takeWrites())
            memory.damage(suffix)
            let state = try open(source, at: 30)
            #expect(value(state) == "2" && !state.isWaiting, "\(suffix)")
            try folder.write(#"{"a":"1"}"#, to: "a.json")
        }
    }

    @Test func defaultsGoBelowAndSourcesStayApart() throws {
        let remote = try folder.write(#"{"a":"1"}"#, to: "a.json")
        let defaults = try folder.write(
            "<defaultsMap><entry><key>b</key><value>2</value></entry></defaultsMap>", to: "b.xml")
        let state = try open(remote, defaults, at: 10)
        let snapshot = state.snapshot(defaults: ["c": "3"])
        #expect(snapshot.values == ["a": "1"] && snapshot.defaults == ["b": "2", "c": "3"])
        #expect(memory.names.count == 4)
    }
}
