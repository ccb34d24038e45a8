import Dispatch
import FlagRemote
import Flags
import Foundation
import TestSupport
import Testing

/// Fetching and activating.
@Suite(.slow, .timeLimit(.minutes(10)))
struct FetchTests {
    private let place = AppPlace()
    private let source = MemorySource("fake", ["greeting": "one"])

    @Test func `a fetch changes nothing until it is activated`() async {
        let flags = place.store([source])
        #expect(await flags.fetch() == .fetchedFromRemote)
        #expect(flags[.greeting] == "hello")
        #expect(await flags.activate())
        #expect(flags[.greeting] == "one")
        #expect(await flags.activate() == false)
    }

    @Test func `no request is sent within the minimum interval, even after a restart`() async {
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        source.respond(["greeting": "two"])
        place.clock.turn(by: 12 * 3_600 - 1)
        #expect(await flags.fetchAndActivate() == .usedPreFetched)
        let restarted = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await restarted.fetchAndActivate() == .usedPreFetched)
        #expect(restarted[.greeting] == "one")
        place.clock.turn(by: 1)
        #expect(await restarted.fetchAndActivate() == .fetchedFromRemote)
        #expect(restarted[.greeting] == "two")
        #expect(source.versions.count == 2)
        #expect(await restarted.fetch(minimumInterval: .zero) == .fetchedFromRemote)
    }

    @Test func `a rate-limited source gets no request until retryAfter is over, even after a restart`() async {
        let flags = place.store([source])
        source.fail(.rateLimited, "too many requests", retryAfter: .seconds(90))
        #expect(await flags.fetch().failure != nil)
        #expect(await flags.fetch() == .rateLimited(seconds: 90))
        place.clock.turn(by: 89)
        #expect(await flags.fetch() == .rateLimited(seconds: 1))
        #expect(await place.store([source]).fetch() == .rateLimited(seconds: 1))
        source.respond(["greeting": "back"])
        place.clock.turn(by: 1)
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "back")
        #expect(await place.store([source]).fetch() == .fetchedFromRemote)
    }

    @Test func `a failed first fetch reports and logs why, until the next one succeeds`() async {
        let flags = place.store([source])
        source.fail(.unreachable, "connection refused")
        let sentence = "fake: connection refused. There are no cached values; defaults are in use."
        for _ in 1...5 { #expect(await flags.fetchAndActivate() == .failed(sentence)) }
        #expect(flags[.greeting] == "hello" && flags.remoteStatus.issue?.contains("connection refused") == true)
        let lines = place.log.lines.filter { $0.contains("connection refused") }
        #expect(lines.count == 1 && lines[0].hasPrefix("warning: fake: connection refused."), "\(lines)")
        source.respond(["greeting": "one"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()) && flags.issues.isEmpty)
    }

    @Test func `a malformed document replaces no values and does not count as a fetch`() async throws {
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        let malformed = FetchResult.values(Array(#"{"greeting": "#.utf8), version: nil)
        source.respond(malformed)
        #expect(await flags.fetchAndActivate().failure != nil)
        source.respond(["greeting": "good"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        source.respond(malformed)
        let sentence = try #require(await flags.fetchAndActivate(minimumInterval: .zero).failure)
        #expect(sentence.contains("line 1, column"))
        #expect(flags[.greeting] == "good")
    }

    @Test func `within the minimum interval, fetchAndActivate activates the values that wait`() async {
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetch() == .fetchedFromRemote)
        #expect(flags[.greeting] == "hello")
        #expect(await flags.fetchAndActivate() == .usedPreFetched)
        #expect(flags[.greeting] == "one" && source.versions.count == 1)
    }

    @Test func `an 'unchanged' response without cached values fails and does not count as a fetch`() async {
        source.respond(.unchanged)
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetchAndActivate().failure?.contains("nothing was fetched yet") == true)
        source.respond(["greeting": "one"])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "one")
    }

    @Test func `sources that block their threads do not block the start or the app's tasks`() async {
        struct Blocking: RemoteSource {
            let name: String
            let isOver: DispatchSemaphore
            var identity: SourceIdentity { SourceIdentity(name) }

            func fetch(
                since version: String?, progress: @escaping ProgressHandler
            ) async throws(SourceError) -> FetchResult {
                block()
                return .unchanged
            }

            private func block() { isOver.wait() }
        }
        let isOver = DispatchSemaphore(value: 0)
        let sources = (0..<16).map { Blocking(name: "blocking \($0)", isOver: isOver) }
        let flags = place.store(sources)
        // Waiting for the sources would never end.
        #expect(await flags.start(waitingAtMost: .milliseconds(50)) == nil)
        for _ in sources { isOver.signal() }
    }

    @Test func `an 'unchanged' response renews the age, and requests send the last version`() async {
        source.respond(["greeting": "one"], version: "\"etag\"")
        let flags = place.store([source])
        await flags.fetchAndActivate()
        source.respond(.unchanged)
        place.clock.turn(by: 60)
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(source.versions == [nil, "\"etag\""])
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
        #expect(flags[.greeting] == "one")
    }

    @Test func `the status is loaded if any values arrived; issues lists the failed source or cache`() async throws {
        let failing = MemorySource("two")
        failing.fail(.unreachable, "connection refused")
        let flags = place.store([MemorySource("one", ["greeting": "one"]), failing])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()) && flags.issues.count == 1)

        let full = AppPlace()
        try full.write("no folder", to: "cache")
        let saveError = full.store([MemorySource("one", ["greeting": "one"])])
        #expect(await saveError.fetchAndActivate() == .fetchedFromRemote)
        #expect(saveError[.greeting] == "one" && saveError.remoteStatus == .loaded(at: full.clock.now()))
        #expect(saveError.issues.count == 1 && saveError.issues[0].contains("could not be cached for the next start"))
    }

    @Test func `the remote status goes from idle to loading to loaded and can be observed`() async {
        let gate = Gate()
        let source = MemorySource("fake", ["greeting": "one"], gate: gate)
        let flags = place.store([source])
        var statuses = flags.remoteStatuses.makeAsyncIterator()
        #expect(await statuses.next() == .idle)
        async let outcome = flags.fetchAndActivate()
        #expect(await statuses.next() == .loading)
        await gate.open()
        #expect(await outcome == .fetchedFromRemote)
        #expect(await statuses.next() == .loaded(at: place.clock.now()))
    }

    @Test func `start waits at most the given time and uses values that arrive later`() async {
        let gate = Gate()
        let flags = place.store([MemorySource("fake", ["greeting": "late"], gate: gate)])
        // The gate is closed, so waiting for the response would never end.
        #expect(await flags.start(waitingAtMost: .milliseconds(50)) == nil)
        #expect(flags[.greeting] == "hello")
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        await gate.open()
        #expect(await changes.next()?.new == "late")
    }

    @Test func `a file is read when the store opens, and again by each fetch`() async throws {
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

    @Test func `values from updateRemote are active immediately and win over sources`() async {
        let flags = place.store([MemorySource("fake", ["greeting": "source", "ratio": "2"])])
        await flags.fetchAndActivate()
        flags.updateRemote(["greeting": "sdk"])
        #expect(flags[.greeting] == "sdk" && flags[.ratio] == 2)
        flags.updateRemote([:])
        #expect(flags[.greeting] == "source")
    }

    @Test func `with nextLaunch activation, values from updateRemote are used at the next launch`() async {
        let source = MemorySource("fake", ["greeting": "source"])
        let first = place.store([source], activation: .nextLaunch)
        await first.fetch()
        first.updateRemote(["greeting": "sdk", "ratio": "2"])
        #expect(first[.greeting] == "hello")
        let next = place.store([source], activation: .nextLaunch)
        #expect(next[.greeting] == "sdk" && next[.ratio] == 2)
        next.updateRemote([:])
        #expect(next[.greeting] == "sdk")
        #expect(place.store([source], activation: .nextLaunch)[.greeting] == "source")
    }

    @Test func `values for the next launch stay until others are set, and another activation ignores them`() {
        let first = place.store(activation: .nextLaunch)
        first.updateRemote(["greeting": "sdk"])
        #expect(first.remoteStatus == .loaded(at: place.clock.now()))
        #expect(place.store()[.greeting] == "hello")
        place.clock.turn(by: 60)
        for _ in 1...2 {
            let next = place.store(activation: .nextLaunch)
            #expect(next[.greeting] == "sdk" && next.remoteStatus == first.remoteStatus)
        }
    }

    @Test func `values that cannot be cached for the next launch are an error in the log`() throws {
        try place.write("not a folder", to: "cache")
        let flags = place.store(activation: .nextLaunch)
        flags.updateRemote(["greeting": "sdk"])
        #expect(flags[.greeting] == "hello")
        let line = "The values given to updateRemote could not be cached for the next launch: "
        #expect(place.log.lines.contains { $0.contains(line) })
    }
}

@Suite(.timeLimit(.minutes(10)))
struct CachedValuesTests {
    private let place = AppPlace()
    private let source = MemorySource("fake", ["greeting": "one"])

    private static func catalog(of key: String) -> String {
        #"[{"category": "Shop", "items": [{"key": "\#(key)", "value": "true|false"}]}]"#
    }

    private func isCached(_ identity: SourceIdentity) -> Bool {
        place.store([MemorySource(identity)])[.greeting] == identity.text
    }

    @Test func `eviction removes contexts without a response for a month unless in use, and all but the newest 20`()
        async throws
    {
        func visit(_ identities: String...) async {
            await place.store(identities.map { MemorySource(SourceIdentity($0), ["greeting": $0]) }).fetchAndActivate()
            place.clock.turn(by: 1)
        }
        for identity in ["one#old", "one#active", "two#old", "three"] { await visit(identity) }
        place.clock.turn(by: 31 * 86_400)
        let silent = MemorySource("one#active")
        silent.fail(.unreachable)
        await place.store([silent, MemorySource("one#1", ["greeting": "one#1"])]).fetchAndActivate()
        #expect(
            !isCached("one#old") && isCached("one#active") && isCached("one#1") && isCached("two#old")
                && isCached("three"))
        for number in 2...25 { await visit("one#\(number)") }
        #expect((1...25).filter { isCached("one#\($0)") } == Array(6...25))
        #expect(!isCached("one#active") && isCached("two#old") && isCached("three"))
        let names = try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory)
        // One context has a second file, because it was read a month after its response.
        #expect(names.count == 23, "evicted contexts leave no files: \(names)")
    }

    @Test(arguments: [(["one#1", "one#2"], 0), (["one#1", "one#1"], 1)])
    func `a source that is given twice is logged`(identities: [String], count: Int) {
        _ = place.store(identities.map { MemorySource(SourceIdentity($0)) })
        #expect(place.log.lines.count { $0.contains("duplicate of") } == count, "\(place.log.lines)")
    }

    @Test func `a used context stays cached without new responses, and not every start writes a file`() async throws {
        for identity in ["one#used", "one#unused"] {
            await place.store([MemorySource(SourceIdentity(identity), ["greeting": identity])]).fetchAndActivate()
        }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory) }
        place.clock.turn(by: 86_400)
        #expect(try isCached("one#used") && names().count == 2)
        place.clock.turn(by: 24 * 86_400)
        #expect(try isCached("one#used") && names().count == 3)
        place.clock.turn(by: 29 * 86_400)
        await place.store([MemorySource("one#new", ["greeting": "new"])]).fetchAndActivate()
        #expect(!isCached("one#unused") && isCached("one#used"))
    }

    @Test func `an 'unchanged' response renews the age of values that wait for the next launch`() async {
        source.respond(["greeting": "one"], version: "1")
        await place.store([source], activation: .nextLaunch).fetch()
        let flags = place.store([source], activation: .nextLaunch)
        source.respond(["greeting": "two"], version: "2")
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        source.respond(.unchanged)
        place.clock.turn(by: 60)
        await flags.fetch()
        #expect(source.versions == [nil, "1", "2"])
        #expect(flags[.greeting] == "one")
        let next = place.store([source], activation: .nextLaunch)
        #expect(next[.greeting] == "two" && next.remoteStatus == .loaded(at: place.clock.now()))
    }

    @Test(arguments: [true, false])
    func `a request sends the newest version, even if the values did not change`(isActive: Bool) async {
        let flags = place.store([source])
        source.respond(["greeting": "one"], version: "1")
        await flags.fetch()
        if isActive { await flags.activate() }
        source.respond(["greeting": "one"], version: "2")
        await flags.fetch()
        await flags.fetch()
        #expect(source.versions == [nil, "1", "2"])
        await place.store([source]).fetch()
        #expect(source.versions.last == "2")
    }

    @Test func `the last good catalog stays in use across restarts until a new one is valid`() async throws {
        source.respond(["config_categories": Self.catalog(of: "one"), "other": "true"])
        let first = place.store([source])
        await first.fetchAndActivate()
        #expect(first.snapshot().catalog.item("one") != nil)
        for text in [#"[{"category": "#, "["] {
            source.respond(["config_categories": text, "other": "false"])
            await first.fetchAndActivate()
            for flags in [first, place.store([source])] {
                #expect(flags.snapshot().catalog.item("one") != nil)
                #expect(try flags.bool("other") == false)
            }
        }
        source.respond(["config_categories": Self.catalog(of: "two"), "other": "false"])
        await first.fetchAndActivate()
        source.respond(["config_categories": "[", "other": "false"])
        await first.fetchAndActivate()
        let catalog = place.store([source]).snapshot().catalog
        #expect(catalog.item("two") != nil && catalog.item("one") == nil)
    }

    @Test func `if the last good catalog cannot be cached, values with a malformed catalog are not cached either`()
        async throws
    {
        source.respond(["config_categories": Self.catalog(of: "one"), "other": "true"])
        let flags = place.store([source])
        await flags.fetchAndActivate()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place.cacheDirectory).first)
        try place.write("in the way", to: "cache/\(name.replacing(".active", with: ".catalog"))/file")
        source.respond(["config_categories": "[", "other": "false"])
        await flags.fetchAndActivate()
        #expect(flags.snapshot().catalog.item("one") != nil)
        #expect(try flags.bool("other") == false)
        #expect(flags.issues.contains { $0.contains("could not be cached for the next start") })
        let next = place.store([source])
        #expect(next.snapshot().catalog.item("one") != nil)
        #expect(try next.bool("other"))
    }

    @Test func `updateRemote with a malformed catalog keeps the last good catalog`() throws {
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

/// Concurrent fetches.
@Suite(.timeLimit(.minutes(10)))
struct ConcurrentFetchTests {
    private let place = AppPlace()
    private let source = MemorySource("fake", ["greeting": "one"])

    @Test func `concurrent fetches and activations never restore older values`() async {
        let flags = place.store([source])
        for number in 1...50 {
            source.respond(["maximum_item_count": "\(number)"])
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

    @Test func `a caller with a shorter interval fetches even if the values are fresh for another caller`() async {
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        for _ in 0..<50 {
            async let generous = flags.fetch()
            async let eager = flags.fetch(minimumInterval: .zero)
            let outcomes = await (generous, eager)
            #expect(outcomes.1 == .fetchedFromRemote)
        }
    }

    @Test func `a source that never responds times out, and other sources are used meanwhile`() async throws {
        let gate = Gate()
        let hanging = MemorySource("hanging", ["greeting": "late"], gate: gate)
        let flags = place.store(
            [hanging, MemorySource("quick", ["greeting": "quick"])], timeLimit: .milliseconds(100))
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        async let outcome = flags.fetchAndActivate()
        #expect(await changes.next()?.new == "quick")
        #expect(await outcome == .fetchedFromRemote)
        #expect(flags.issues.count == 1 && flags.issues[0].hasPrefix("hanging: no response within"))
        await gate.open()
        let generous = place.store([hanging])
        #expect(await generous.fetchAndActivate() == .fetchedFromRemote)
        #expect(generous[.greeting] == "late")
    }

    @Test func `a cancelled task stops waiting, and the fetch continues`() async {
        let gate = Gate()
        let source = MemorySource("fake", ["greeting": "late"], gate: gate)
        let flags = place.store([source])
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        let task = Task { await flags.fetchAndActivate() }
        await waitUntil("a request is sent") { !source.versions.isEmpty }
        task.cancel()
        // The gate is closed, so waiting for the response would never end.
        #expect(await task.value.failure?.hasPrefix("The task of this fetch was cancelled") == true)
        await gate.open()
        #expect(await changes.next()?.new == "late")
    }

    @Test func `a fetch with a shorter interval requests every source that the running fetch skipped`() async {
        let gate = Gate()
        let (quick, slow) = (MemorySource("quick", ["greeting": "one"]), MemorySource("slow", gate: gate))
        let earlier = place.store([quick])
        await earlier.fetchAndActivate()
        quick.respond(["greeting": "two"])
        let flags = place.store([quick, slow], minimumFetchInterval: .seconds(3_600))
        let generous = Task { await flags.fetchAndActivate() }
        await waitUntil("a request is sent") { !slow.versions.isEmpty }
        let eager = Task { await flags.fetchAndActivate(minimumInterval: .zero) }
        await gate.open()
        #expect(await generous.value == .fetchedFromRemote)
        #expect(await eager.value == .fetchedFromRemote)
        #expect(flags[.greeting] == "two")
    }

    @Test func `start accepts the longest possible wait`() async {
        let flags = place.store([source])
        #expect(await flags.start(waitingAtMost: .seconds(Int64.max)) == .fetchedFromRemote)
        #expect(flags[.greeting] == "one" && source.versions.count == 1)
    }
}

struct FetchScheduleTests {
    private let now = FlagTimestamp(seconds: 1_000_000)

    private func time(_ seconds: Int64) -> FlagTimestamp { FlagTimestamp(seconds: now.seconds + seconds) }

    private func rateLimited(_ seconds: Int64? = nil) -> SourceError {
        SourceError(code: .rateLimited, path: "x", sentence: "x", retryAfter: seconds.map { .seconds($0) })
    }

    @Test func `each failure in a row doubles the backoff, up to four hours`() {
        var (schedule, time) = (FetchSchedule(), now)
        var waits: [Int64] = []
        for _ in 1...20 {
            schedule.failed(rateLimited(), at: time, random: 0.5)
            let end = schedule.notBefore ?? time
            waits.append(end.seconds - time.seconds)
            time = end
        }
        #expect(Array(waits.prefix(4)) == [2, 4, 8, 16])
        #expect(waits.last == Int64(14_400))
    }

    @Test func `failures while rate limited neither shorten nor lengthen the wait`() {
        var schedule = FetchSchedule()
        schedule.failed(rateLimited(600), at: now, random: 0.5)
        let initialSchedule = schedule
        for second in stride(from: Int64(1), to: 600, by: 60) {
            schedule.failed(rateLimited(), at: time(second), random: 0.5)
        }
        #expect(schedule == initialSchedule)
        // A response to an earlier request may still lengthen the wait.
        schedule.failed(rateLimited(900), at: time(1), random: 0.5)
        #expect(schedule.notBefore == time(901) && schedule.failures == 1)
    }

    @Test func `a live update while rate limited counts as a response but does not shorten the wait`() {
        var schedule = FetchSchedule()
        schedule.failed(rateLimited(600), at: now, random: 0.5)
        schedule.responded(at: time(10))
        #expect(schedule.decision(at: time(20), minimumInterval: .zero) == .rateLimited(until: time(600)))
        #expect(schedule.decision(at: time(20), minimumInterval: .seconds(60)) == .fresh)
        schedule.responded(at: time(600))
        #expect(schedule == FetchSchedule(lastResponse: time(600)))
    }

    @Test func `a huge number of failures does not overflow`() {
        var schedule = FetchSchedule(failures: .max)
        schedule.failed(rateLimited(), at: now, random: 0.5)
        #expect(schedule.notBefore == time(14_400))
    }

    @Test func `an unreachable network causes no backoff`() {
        var schedule = FetchSchedule()
        schedule.failed(SourceError(code: .unreachable, path: "x", sentence: "x"), at: now, random: 0.5)
        #expect(schedule.decision(at: now, minimumInterval: .zero) == .due)
    }

    @Test(arguments: [(1, 1), (9, 9), (24, 24), (1_000, 24)] as [(Int64, Int64)])
    func `retryAfter is limited to one day`(hours: Int64, expected: Int64) {
        var schedule = FetchSchedule()
        schedule.failed(rateLimited(hours * 3_600), at: now, random: 0)
        #expect(
            schedule.decision(at: now, minimumInterval: .zero) == .rateLimited(until: time(expected * 3_600)))
    }

    @Test func `fresh values count as fresh even while rate limited`() {
        var schedule = FetchSchedule(lastResponse: now)
        schedule.failed(rateLimited(90), at: now, random: 0)
        #expect(schedule.decision(at: now, minimumInterval: .seconds(60)) == .fresh)
        #expect(schedule.decision(at: now, minimumInterval: .zero) == .rateLimited(until: time(90)))
    }

    @Test func `a clock that is set back does not block fetches`() {
        var schedule = FetchSchedule(lastResponse: now)
        let past = time(-100_000_000)
        #expect(schedule.decision(at: past, minimumInterval: .seconds(3_600)) == .due)
        schedule.failed(rateLimited(), at: now, random: 0)
        #expect(schedule.decision(at: past, minimumInterval: .zero) == .due)
    }
}

extension FetchOutcome {
    /// The error sentence; `nil` if the fetch did not fail.
    fileprivate var failure: String? { if case .failed(let sentence) = self { sentence } else { nil } }
}
