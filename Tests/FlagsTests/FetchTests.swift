import Dispatch
import FlagModel
import FlagRemote
import Flags
import Foundation
import TestSupport
import Testing

@Suite("Fetching and activating")
struct FetchTests {
    @Test("a fetch changes nothing until it is activated")
    func activating() async {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "one"]))
        let flags = place.store([source])
        #expect(await flags.fetch() == .fetchedFromRemote)
        #expect(flags[.greeting] == "hello")
        #expect(await flags.activate())
        #expect(flags[.greeting] == "one")
        #expect(await flags.activate() == false)
    }

    @Test("values become active at the next launch where the app wants one consistent set a run")
    func nextLaunch() async {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "one"]))
        let first = place.store([source], activation: .nextLaunch)
        #expect(await first.fetchAndActivate() == .fetchedFromRemote)
        #expect(first[.greeting] == "hello")
        let second = place.store([source], activation: .nextLaunch)
        #expect(second[.greeting] == "one")
    }

    @Test("within the minimum interval nothing is asked, across restarts")
    func minimumInterval() async {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "one"]))
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        source.say(["greeting": "two"])
        place.clock.turn(by: 12 * 3_600 - 1)
        #expect(await flags.fetchAndActivate() == .usedPreFetched)
        let again = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await again.fetchAndActivate() == .usedPreFetched)
        #expect(again[.greeting] == "one")
        place.clock.turn(by: 1)
        #expect(await again.fetchAndActivate() == .fetchedFromRemote)
        #expect(again[.greeting] == "two")
        #expect(source.questions.count == 2)
        #expect(await again.fetch(minimumInterval: .zero) == .fetchedFromRemote)
    }

    @Test("a source that wants to be left alone is, for as long as it says")
    func throttled() async {
        let (place, source) = (AppPlace(), FakeSource())
        let flags = place.store([source])
        source.fail(.throttled, "too many requests", retryAfter: .seconds(90))
        #expect(await flags.fetch().failure != nil)
        #expect(await flags.fetch() == .throttled(seconds: 90))
        place.clock.turn(by: 89)
        #expect(await flags.fetch() == .throttled(seconds: 1))
        #expect(await place.store([source]).fetch() == .throttled(seconds: 1))
        source.say(["greeting": "back"])
        place.clock.turn(by: 1)
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "back")
        #expect(await place.store([source]).fetch() == .fetchedFromRemote)
    }

    @Test("no failure takes a value away, neither in this run nor in the next")
    func lastGood() async {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "good"]))
        let flags = place.store([source])
        await flags.fetchAndActivate()
        source.fail(.unreachable, "connection refused")
        #expect(
            await flags.fetchAndActivate()
                == .failed("fake: connection refused. The values of 2026-11-21T10:00:00Z stay in use."))
        #expect(flags[.greeting] == "good")
        #expect(flags.remoteStatus.problem != nil && !flags.problems.isEmpty)
        #expect(place.store([source])[.greeting] == "good")
    }

    @Test("a malformed document replaces nothing")
    func malformed() async throws {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "good"]))
        let flags = place.store([source])
        await flags.fetchAndActivate()
        source.say(.values(Array(#"{"greeting": "#.utf8), version: nil))
        let sentence = try #require(await flags.fetchAndActivate().failure)
        #expect(sentence.contains("line 1, column"))
        #expect(flags[.greeting] == "good")
    }

    @Test("a document that cannot be understood is no fetch: the next one asks again, whatever the minimum interval")
    func malformedFirst() async {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(.values(Array("<html>".utf8), version: nil))
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetchAndActivate().failure != nil)
        source.say(["greeting": "good"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "good")
    }

    @Test("an answer of 'unchanged' to who has nothing is no answer, and does not count as a fetch")
    func unchangedNothing() async {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(.unchanged)
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetchAndActivate().failure?.contains("nothing was fetched yet") == true)
        source.say(["greeting": "one"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "one")
    }

    @Test("sources that block their threads hold back neither the start nor the app's own tasks")
    func blocking() async {
        struct Blocking: RemoteSource {
            let name: String
            let isOver: DispatchSemaphore
            var identity: SourceIdentity { SourceIdentity(name) }

            func fetch(
                since version: String?, progress: @escaping ProgressHandler
            ) async throws(SourceError) -> SourceAnswer {
                block()
                return .unchanged
            }

            private func block() { isOver.wait() }
        }
        let isOver = DispatchSemaphore(value: 0)
        let sources = (0..<16).map { Blocking(name: "blocking \($0)", isOver: isOver) }
        let flags = AppPlace().store(sources)
        // Waiting for them would take for ever.
        #expect(await flags.start(waitingAtMost: .milliseconds(50)) == nil)
        for _ in sources { isOver.signal() }
    }

    @Test("an answer of 'unchanged' renews the age, and the version is asked with")
    func unchanged() async {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(["greeting": "one"], version: "\"etag\"")
        let flags = place.store([source])
        await flags.fetchAndActivate()
        source.say(.unchanged)
        place.clock.turn(by: 60)
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(source.questions == [nil, "\"etag\""])
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
        #expect(flags[.greeting] == "one")
    }

    @Test("the first source that has a key wins, and one that fails spoils nothing")
    func severalSources() async {
        let (place, first, second) = (
            AppPlace(), FakeSource("one", ["a": "1"]), FakeSource("two", ["a": "2", "b": "2"])
        )
        let flags = place.store([first, second])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(try! flags.string("a") == "1" && flags.string("b") == "2")
        first.fail(.unreachable)
        second.say(["a": "3", "b": "3"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(try! flags.string("a") == "1" && flags.string("b") == "3")
    }

    @Test("values that are there are loaded, whatever another source or the disk says; problems tells of those")
    func partialProblems() async throws {
        let (place, failing) = (AppPlace(), FakeSource("two"))
        failing.fail(.unreachable, "connection refused")
        let flags = place.store([FakeSource("one", ["greeting": "one"]), failing])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()) && flags.problems.count == 1)

        let full = AppPlace()
        try full.write("no folder", to: "cache")
        let unkept = full.store([FakeSource("one", ["greeting": "one"])])
        #expect(await unkept.fetchAndActivate() == .fetchedFromRemote)
        #expect(unkept[.greeting] == "one" && unkept.remoteStatus == .loaded(at: full.clock.now()))
        #expect(unkept.problems.count == 1 && unkept.problems[0].contains("could not be cached for the next start"))
    }

    @Test("states go from loading to loaded or failed, and one can observe them")
    func states() async {
        let (place, gate) = (AppPlace(), Gate())
        let source = FakeSource("fake", ["greeting": "one"], gate: gate)
        let flags = place.store([source])
        var statuses = flags.remoteStatuses.makeAsyncIterator()
        #expect(await statuses.next() == .idle)
        async let outcome = flags.fetchAndActivate()
        #expect(await statuses.next() == .loading)
        await gate.open()
        #expect(await outcome == .fetchedFromRemote)
        #expect(await statuses.next() == .loaded(at: place.clock.now()))
    }

    @Test("who fetches while a fetch is on its way waits for that one")
    func singleFlight() async {
        let (place, gate) = (AppPlace(), Gate())
        let source = FakeSource("fake", ["greeting": "one"], gate: gate)
        let flags = place.store([source])
        async let first = flags.fetch()
        while source.questions.isEmpty { await Task.yield() }
        let others = (1...10).map { _ in Task { await flags.fetch() } }
        // Asked for by somebody who has no patience, so that all others have come.
        #expect(await flags.start(waitingAtMost: .milliseconds(50)) == nil)
        await gate.open()
        #expect(await first == .fetchedFromRemote)
        for other in others { #expect(await other.value == .fetchedFromRemote) }
        #expect(source.questions.count == 1)
    }

    @Test("the start waits no longer than it is told, and takes what comes later")
    func start() async {
        let (place, gate) = (AppPlace(), Gate())
        let flags = place.store([FakeSource("fake", ["greeting": "late"], gate: gate)])
        // The gate is closed: whoever waited for the answer would wait for ever.
        #expect(await flags.start(waitingAtMost: .milliseconds(50)) == nil)
        #expect(flags[.greeting] == "hello")
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        await gate.open()
        #expect(await changes.next()?.new == "late")
    }

    @Test("a file is there at once, and a fetch reads it again")
    func file() async throws {
        let place = AppPlace()
        let file = try place.write(#"{"greeting": "one", "maximum_item_count": 7}"#, to: "remote.json")
        let flags = place.store([RemoteFile(file)])
        #expect(flags[.greeting] == "one" && flags[.maximumItemCount] == 7)
        try place.write(#"{"greeting": "two"}"#, to: "remote.json")
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "two" && flags[.maximumItemCount] == 10)
        try FileManager.default.removeItem(atPath: file)
        let sentence = try #require(await flags.fetchAndActivate().failure)
        #expect(sentence.hasPrefix("\(file): no such file. The values of "))
        #expect(flags[.greeting] == "two")
    }

    @Test("kept values of another source, or damaged ones, count as none")
    func damagedKeeping() async throws {
        let place = AppPlace()
        let source = FakeSource("fake", ["greeting": "good"])
        await place.store([source]).fetchAndActivate()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory).first)
        try place.write("{\"format\":1,\"source\":\"other\"}\n{}", to: "cache/\(name)")
        #expect(place.store([source])[.greeting] == "hello")
    }

    @Test("values that the app has from an SDK are active at once and go before sources")
    func pushed() async {
        let flags = AppPlace().store([FakeSource("fake", ["greeting": "source", "ratio": "2"])])
        await flags.fetchAndActivate()
        flags.updateRemote(["greeting": "sdk"])
        #expect(flags[.greeting] == "sdk" && flags[.ratio] == 2)
        flags.updateRemote([:])
        #expect(flags[.greeting] == "source")
    }
}

@Suite("Kept values")
struct KeptValuesTests {
    private static func catalog(of key: String) -> String {
        #"[{"category": "Shop", "items": [{"key": "\#(key)", "value": "true|false"}]}]"#
    }

    @Test(
        "of the contexts of a service the newest are kept, and none that said nothing for a month unless it is in use")
    func contexts() async throws {
        let place = AppPlace()
        func visit(_ identities: String...) async {
            await place.store(identities.map { FakeSource($0, ["greeting": $0]) }).fetchAndActivate()
            place.clock.turn(by: 1)
        }
        for identity in ["one#old", "one#active", "two#old", "three"] { await visit(identity) }
        place.clock.turn(by: 31 * 86_400)
        let silent = FakeSource("one#active")
        silent.fail(.unreachable)
        await place.store([silent, FakeSource("one#1", ["greeting": "one#1"])]).fetchAndActivate()
        func kept(_ identity: String) -> Bool { place.store([FakeSource(identity)])[.greeting] == identity }
        #expect(!kept("one#old") && kept("one#active") && kept("one#1") && kept("two#old") && kept("three"))
        for number in 2...25 { await visit("one#\(number)") }
        #expect((1...25).filter { kept("one#\($0)") } == Array(6...25))
        #expect(!kept("one#active") && kept("two#old") && kept("three"))
        let names = try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory)
        // One of them was read by this test a month after its answer had come.
        #expect(names.count == 23, "nothing else is left of them: \(names)")
    }

    @Test("a source that is given twice is told of", arguments: [(["one#1", "one#2"], 0), (["one#1", "one#1"], 1)])
    func repeated(identities: [String], count: Int) {
        let place = AppPlace()
        _ = place.store(identities.map { FakeSource($0) })
        #expect(place.log.lines.count { $0.contains("duplicate of") } == count, "\(place.log.lines)")
    }

    @Test("a context that is used is kept, however long its service says nothing, and without a write for each start")
    func usedContext() async throws {
        let place = AppPlace()
        for identity in ["one#used", "one#unused"] {
            await place.store([FakeSource(identity, ["greeting": identity])]).fetchAndActivate()
        }
        func kept(_ identity: String) -> Bool { place.store([FakeSource(identity)])[.greeting] == identity }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory) }
        place.clock.turn(by: 86_400)
        #expect(try kept("one#used") && names().count == 2)
        place.clock.turn(by: 24 * 86_400)
        #expect(try kept("one#used") && names().count == 3)
        place.clock.turn(by: 29 * 86_400)
        await place.store([FakeSource("one#new", ["greeting": "new"])]).fetchAndActivate()
        #expect(!kept("one#unused") && kept("one#used"))
    }

    @Test("a version that waits is renewed when the source says that it is still the newest")
    func renewingWhatWaits() async {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(["greeting": "one"], version: "1")
        await place.store([source], activation: .nextLaunch).fetch()
        let flags = place.store([source], activation: .nextLaunch)
        source.say(["greeting": "two"], version: "2")
        await flags.fetch()
        source.say(.unchanged)
        place.clock.turn(by: 60)
        await flags.fetch()
        #expect(source.questions == [nil, "1", "2"])
        #expect(flags[.greeting] == "one")
        let next = place.store([source], activation: .nextLaunch)
        #expect(next[.greeting] == "two" && next.remoteStatus == .loaded(at: place.clock.now()))
    }

    @Test("a new name of the source for the same values is the one that it is asked with", arguments: [true, false])
    func renamed(isActive: Bool) async {
        let (place, source) = (AppPlace(), FakeSource())
        let flags = place.store([source])
        source.say(["greeting": "one"], version: "1")
        await flags.fetch()
        if isActive { await flags.activate() }
        source.say(["greeting": "one"], version: "2")
        await flags.fetch()
        await flags.fetch()
        #expect(source.questions == [nil, "1", "2"])
        await place.store([source]).fetch()
        #expect(source.questions.last == "2")
    }

    @Test("the last good catalog stays in use across starts, until there is a better one")
    func lastGoodCatalog() async throws {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(["config_categories": Self.catalog(of: "one"), "other": "true"])
        let first = place.store([source])
        await first.fetchAndActivate()
        #expect(first.snapshot().catalog.item("one") != nil)
        for text in [#"[{"category": "#, "["] {
            source.say(["config_categories": text, "other": "false"])
            await first.fetchAndActivate()
            for flags in [first, place.store([source])] {
                #expect(flags.snapshot().catalog.item("one") != nil)
                #expect(try flags.bool("other") == false)
            }
        }
        source.say(["config_categories": Self.catalog(of: "two"), "other": "false"])
        await first.fetchAndActivate()
        source.say(["config_categories": "[", "other": "false"])
        await first.fetchAndActivate()
        let catalog = place.store([source]).snapshot().catalog
        #expect(catalog.item("two") != nil && catalog.item("one") == nil)
    }

    @Test("a catalog that cannot be kept is not overwritten by values whose own is malformed")
    func catalogNotKept() async throws {
        let (place, source) = (AppPlace(), FakeSource())
        source.say(["config_categories": Self.catalog(of: "one"), "other": "true"])
        let flags = place.store([source])
        await flags.fetchAndActivate()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory).first)
        try place.write("in the way", to: "cache/\(name.replacing(".active", with: ".catalog"))/file")
        source.say(["config_categories": "[", "other": "false"])
        await flags.fetchAndActivate()
        #expect(flags.snapshot().catalog.item("one") != nil)
        #expect(try flags.bool("other") == false)
        #expect(flags.problems.contains { $0.contains("could not be cached for the next start") })
        let next = place.store([source])
        #expect(next.snapshot().catalog.item("one") != nil)
        #expect(try next.bool("other"))
    }

    @Test("the last good catalog stays where the app gives the values itself")
    func pushedCatalog() throws {
        let flags = FlagStore.inMemory()
        flags.updateRemote(["config_categories": Self.catalog(of: "one"), "other": "true"])
        for text in ["[", "{"] {
            flags.updateRemote(["config_categories": text, "other": "false"])
            #expect(flags.snapshot().catalog.item("one") != nil)
            #expect(try flags.bool("other") == false)
        }
        flags.updateRemote(["config_categories": Self.catalog(of: "two")])
        #expect(flags.snapshot().catalog.item("one") == nil)
    }
}

@Suite("Several fetches at once")
struct ConcurrentFetchTests {
    @Test("who joins a fetch and activates reads its values as soon as it has returned")
    func joining() async {
        let (place, gate) = (AppPlace(), Gate())
        let source = FakeSource("fake", ["greeting": "new"], gate: gate)
        let flags = place.store([source])
        let reader = flags
        async let first = flags.fetch()
        while source.questions.isEmpty { await Task.yield() }
        let joined = Task {
            await reader.fetchAndActivate()
            return reader[.greeting]
        }
        await gate.open()
        #expect(await joined.value == "new")
        #expect(await first == .fetchedFromRemote)
    }

    @Test("values never go back, whoever fetches and activates at once")
    func neverBack() async {
        let (place, source) = (AppPlace(), FakeSource())
        let flags = place.store([source])
        for number in 1...50 {
            source.say(["maximum_item_count": "\(number)"])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { await flags.fetchAndActivate() }
                    group.addTask { await flags.activate() }
                    group.addTask { await flags.fetch() }
                }
            }
            await flags.fetchAndActivate()
            #expect(flags[.maximumItemCount] == number)
            #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
        }
    }

    @Test("what is new enough for one caller does not keep another from newer values")
    func shorterInterval() async {
        let (place, source) = (AppPlace(), FakeSource("fake", ["greeting": "one"]))
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        for _ in 0..<50 {
            async let patient = flags.fetch()
            async let eager = flags.fetch(minimumInterval: .zero)
            let outcomes = await (patient, eager)
            #expect(outcomes.1 == .fetchedFromRemote)
        }
    }

    @Test("a source that never answers holds nobody back for ever, and others are in use meanwhile")
    func hanging() async throws {
        let (place, gate) = (AppPlace(), Gate())
        let hanging = FakeSource("hanging", ["greeting": "late"], gate: gate)
        let flags = place.store(
            [hanging, FakeSource("quick", ["greeting": "quick"])], timeLimit: .milliseconds(100))
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        async let outcome = flags.fetchAndActivate()
        #expect(await changes.next()?.new == "quick")
        #expect(await outcome == .fetchedFromRemote)
        #expect(flags.problems.count == 1 && flags.problems[0].hasPrefix("hanging: no response within"))
        await gate.open()
        let patient = place.store([hanging])
        #expect(await patient.fetchAndActivate() == .fetchedFromRemote)
        #expect(patient[.greeting] == "late")
    }

    @Test("who is cancelled waits no longer, and the fetch goes on")
    func cancelled() async {
        let (place, gate) = (AppPlace(), Gate())
        let source = FakeSource("fake", ["greeting": "late"], gate: gate)
        let flags = place.store([source])
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        let task = Task { await flags.fetchAndActivate() }
        while source.questions.isEmpty { await Task.yield() }
        task.cancel()
        // The gate is closed: whoever waited for the answer would wait for ever.
        #expect(await task.value.failure?.hasPrefix("The task of this fetch was cancelled") == true)
        await gate.open()
        #expect(await changes.next()?.new == "late")
    }

    @Test("who wants newer values than the fetch on its way asks for gets them from every source")
    func skippedByOthers() async {
        let (place, gate) = (AppPlace(), Gate())
        let (quick, slow) = (FakeSource("quick", ["greeting": "one"]), FakeSource("slow", gate: gate))
        let earlier = place.store([quick])
        await earlier.fetchAndActivate()
        quick.say(["greeting": "two"])
        let flags = place.store([quick, slow], minimumFetchInterval: .seconds(3_600))
        let patient = Task { await flags.fetchAndActivate() }
        while slow.questions.isEmpty { await Task.yield() }
        let eager = Task { await flags.fetchAndActivate(minimumInterval: .zero) }
        await gate.open()
        #expect(await patient.value == .fetchedFromRemote)
        #expect(await eager.value == .fetchedFromRemote)
        #expect(flags[.greeting] == "two")
    }

    @Test("waiting for ever is waiting for as long as the clock can")
    func patient() async {
        let flags = AppPlace().store([FakeSource("fake", ["greeting": "one"])])
        #expect(await flags.start(waitingAtMost: .seconds(Int64.max)) == .fetchedFromRemote)
    }

    @Test("a problem is logged when it comes, not at every fetch")
    func loggedOnce() async {
        let (place, source) = (AppPlace(), FakeSource())
        source.fail(.unreachable, "connection refused")
        let flags = place.store([source])
        for _ in 0..<5 { await flags.fetch() }
        #expect(place.log.lines.filter { $0.contains("connection refused") }.count == 1)
    }
}

@Suite("The schedule of fetches")
struct FetchScheduleTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test("failures in a row double the wait up to four hours, give or take half")
    func doubling() {
        var (schedule, time) = (FetchSchedule(), now)
        var waits: [Int64] = []
        for _ in 1...20 {
            schedule.failed(SourceError(code: .throttled, path: "x", sentence: "x"), at: time, chance: 0.5)
            let end = schedule.notBefore ?? time
            waits.append(end.seconds - time.seconds)
            time = end
        }
        #expect(Array(waits.prefix(4)) == [2, 4, 8, 16])
        #expect(waits.last == Int64(14_400))
    }

    @Test("whoever asks while a source is left alone neither shortens its wait nor adds to it")
    func leftAlone() {
        func throttled(_ seconds: Int64? = nil) -> SourceError {
            SourceError(code: .throttled, path: "x", sentence: "x", retryAfter: seconds.map { .seconds($0) })
        }
        var schedule = FetchSchedule()
        schedule.failed(throttled(600), at: now, chance: 0.5)
        let wished = schedule
        for second in stride(from: Int64(1), to: 600, by: 60) {
            schedule.failed(throttled(), at: Timestamp(seconds: now.seconds + second), chance: 0.5)
        }
        #expect(schedule == wished)
        // An answer to a question that was asked before may still ask for more.
        schedule.failed(throttled(900), at: Timestamp(seconds: now.seconds + 1), chance: 0.5)
        #expect(schedule.notBefore?.seconds == now.seconds + 901 && schedule.failures == 1)
    }

    @Test("what a source tells while it is left alone is an answer, and shortens no wait")
    func toldWhileLeftAlone() {
        var schedule = FetchSchedule()
        let error = SourceError(code: .throttled, path: "x", sentence: "x", retryAfter: .seconds(600))
        schedule.failed(error, at: now, chance: 0.5)
        let end = Timestamp(seconds: now.seconds + 600)
        schedule.responded(at: Timestamp(seconds: now.seconds + 10))
        #expect(
            schedule.verdict(at: Timestamp(seconds: now.seconds + 20), minimumInterval: .zero) == .throttled(until: end)
        )
        #expect(schedule.verdict(at: Timestamp(seconds: now.seconds + 20), minimumInterval: .seconds(60)) == .fresh)
        schedule.responded(at: end)
        #expect(schedule == FetchSchedule(lastResponse: end))
    }

    @Test("a number of failures that no record of ours holds is no trap")
    func manyFailures() {
        var schedule = FetchSchedule(failures: .max)
        schedule.failed(SourceError(code: .throttled, path: "x", sentence: "x"), at: now, chance: 0.5)
        #expect(schedule.notBefore == Timestamp(seconds: now.seconds + 14_400))
    }

    @Test("a network that fails delays nothing")
    func unreachable() {
        var schedule = FetchSchedule()
        schedule.failed(SourceError(code: .unreachable, path: "x", sentence: "x"), at: now, chance: 0.5)
        #expect(schedule.verdict(at: now, minimumInterval: .zero) == .due)
    }

    @Test("a service may ask for a day, and for no more")
    func longWish() {
        for (hours, expected) in [(1, 1), (9, 9), (24, 24), (1_000, 24)] as [(Int64, Int64)] {
            var schedule = FetchSchedule()
            let error = SourceError(
                code: .throttled, path: "x", sentence: "x", retryAfter: .seconds(hours * 3_600))
            schedule.failed(error, at: now, chance: 0)
            #expect(
                schedule.verdict(at: now, minimumInterval: .zero)
                    == .throttled(until: Timestamp(seconds: now.seconds + expected * 3_600)))
        }
    }

    @Test("what is new enough is no matter of throttling")
    func freshBeforeThrottled() {
        var schedule = FetchSchedule(lastResponse: now)
        schedule.failed(
            SourceError(code: .throttled, path: "x", sentence: "x", retryAfter: .seconds(90)), at: now, chance: 0)
        #expect(schedule.verdict(at: now, minimumInterval: .seconds(60)) == .fresh)
        #expect(
            schedule.verdict(at: now, minimumInterval: .zero)
                == .throttled(until: Timestamp(seconds: now.seconds + 90)))
    }

    @Test("a clock that was set back stops no fetch for ever")
    func clockJump() {
        var schedule = FetchSchedule(lastResponse: now)
        let past = Timestamp(seconds: now.seconds - 100_000_000)
        #expect(schedule.verdict(at: past, minimumInterval: .seconds(3_600)) == .due)
        schedule.failed(SourceError(code: .throttled, path: "x", sentence: "x"), at: now, chance: 0)
        #expect(schedule.verdict(at: past, minimumInterval: .zero) == .due)
    }
}

extension FetchOutcome {
    /// Why it failed; `nil` where it did not.
    fileprivate var failure: String? { if case .failed(let sentence) = self { sentence } else { nil } }
}
