import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import DeveloperMenuTerminal

/// The menu on the flags of the app that it is opened in.
@Suite struct AppMenuTests {
    private let workplace = Workplace()

    private func flags(_ access: OverrideAccess = .open, activation: Activation = .immediately) -> FlagStore {
        FlagStore(
            app: "shop", sources: [RemoteFile(workplace.place("remote.json"))], defaults: ["theme": "plain"],
            overrides: access, launch: [:], activation: activation, minimumFetchInterval: .zero,
            storeDirectory: workplace.place("state"), cacheDirectory: workplace.place("cache"))
    }

    private func reports(_ flags: FlagStore) throws -> MenuReports {
        MenuReports(flags, try #require(flags.overrideStore))
    }

    private func remote(_ flags: FlagStore) throws -> RemoteReports {
        RemoteReports(flags: flags, reports: try reports(flags))
    }

    private func news(_ report: RemoteReport) throws -> RemoteContent {
        guard case .activated(let news, by: .menu) = report else {
            Issue.record("\(report)")
            throw NoNews()
        }
        return news
    }

    private struct NoNews: Error {}

    @Test func `shows what the app reads, with the keys that only code knows`() async throws {
        _ = FlagKey("declared_in_code", default: 7)
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let news = try news(#require(remote(flags).opened(flags.remoteReading, isFetching: false)))
        #expect(news.snapshot.values["greeting"]?.string == "hi")
        #expect(news.snapshot.defaults["theme"]?.string == "plain")
        #expect(news.snapshot.defaults["declared_in_code"]?.string == "7")
        #expect(news.errors == [] && news.waiting == nil)
    }

    @Test func `what it fetches waits, and what it activates is what the app reads`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        workplace.write(#"{"greeting": "hello", "new": "1"}"#, to: "remote.json")
        _ = await flags.remote.fetch(.all)
        let fetched = try remote(flags).fetched(flags.remoteReading, .all, hasActivated: false, for: 7)
        guard case .fetched(id: 7, let waiting, _, errors: []) = fetched else {
            Issue.record("two values wait")
            return
        }
        #expect(
            waiting == [
                ValueDifference(key: "greeting", old: "hi", new: "hello"),
                ValueDifference(key: "new", old: nil, new: "1"),
            ])
        #expect(try flags.string("greeting") == "hi")
        flags.remote.activate(isByMenu: true)
        let activated = try news(remote(flags).activated(flags.remoteReading, for: 7))
        #expect(activated.snapshot.values["greeting"]?.string == "hello")
        #expect(try flags.string("greeting") == "hello")
    }

    @Test func `a source that breaks is told, and the app keeps its values`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        workplace.write("{", to: "remote.json")
        _ = await flags.remote.fetch(.all)
        guard
            case .fetchFailed(id: 7, let problems) = try remote(flags).fetched(
                flags.remoteReading, .all, hasActivated: false, for: 7)
        else {
            Issue.record("it cannot be fetched")
            return
        }
        #expect(problems.count == 1 && problems[0].contains("remote.json"))
        #expect(try flags.string("greeting") == "hi")
    }

    @Test func `an app that brings its values by itself has nobody to ask, and is told so`() async throws {
        let flags = FlagStore(
            app: "shop", overrides: .open, launch: [:], storeDirectory: workplace.place("state"),
            cacheDirectory: workplace.place("cache"))
        flags.updateRemote(["greeting": "from the SDK"])
        _ = await flags.remote.fetch(.all)
        #expect(
            try remote(flags).fetched(flags.remoteReading, .all, hasActivated: false, for: 7) == .hasNoSource(id: 7))
    }

    @Test func `an app that lets no overrides in has no menu`() {
        for flags in [flags(.closed), FlagStore.inMemory(["a": "b"])] {
            #expect(throws: StorageError.self) { try TerminalMenu(flags: flags) }
        }
    }

    @Test func `overrides go to a file and come back, checked, and never over the store`() async throws {
        workplace.write(
            #"{"size": "s", "config_categories": [{"category": "C", "items": [{"key": "size", "value": "s|m|l"}]}]}"#,
            to: "remote.json")
        let flags = flags()
        let transfer = OverrideTransfer(
            flags: flags, store: try #require(flags.overrideStore), reports: try reports(flags), source: "remote.json")
        try flags.setOverride("size", to: "m")
        let path = workplace.place("out.json")
        guard case .written(path, "1 override written to \(path).") = try transfer.export(to: path, isReplacing: false),
            case .fileExists = try transfer.export(to: path, isReplacing: false)
        else {
            Issue.record("it is written once")
            return
        }
        #expect(try transfer.plan(in: path).plan.values == ["size": "m"])
        #expect(workplace.read("out.json")?.contains(#""app": "\#(flags.app)""#) == true, "it says where it is from")
        let own = try #require(flags.overridePath)
        workplace.write(#"{"format": 1, "overrides": {}}"#, to: "copy.json")
        for file in [own, workplace.place("copy.json")] {
            #expect(throws: StorageError.self) { try transfer.export(to: file, isReplacing: true) }
        }
        #expect(throws: ImportRefusal.self) { try transfer.plan(in: workplace.place("nosuch")) }
        for (text, words) in [
            (#"{"format": 2}"#, "newer version"), ("[", "line 1"),
        ] {
            workplace.write(text, to: "in.json")
            let refusal = #expect(throws: ImportRefusal.self) { try transfer.plan(in: workplace.place("in.json")) }
            let reason = refusal?.sentence ?? ""
            #expect(reason.contains(words) && reason.contains("Nothing was changed"), "\(reason)")
        }
        workplace.write(#"{"size": "xl", "nosuch": "1", "empty": null}"#, to: "in.json")
        let plan = try transfer.plan(in: workplace.place("in.json")).plan
        #expect(plan.values == [:] && plan.unknownValues == ["nosuch": "1"])
        #expect(
            plan.problems.map(\.key) == ["empty", "nosuch", "size"], "what has no value first, then by key")
        #expect(plan.problems.last?.reason == .invalid(#""xl" is not an option of size. Options: s, m, l."#))
    }

    @Test func `every report has something to say, in terms of the library`() throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let reports = try reports(flags)
        try flags.setOverride("greeting", to: "moin")
        func lines(_ report: Report) -> String { reports.lines(report).joined(separator: "\n") }
        #expect(lines(.status).contains("overrides  1") && lines(.status).contains("source     remote.json"))
        #expect(lines(.paths).contains("overrides.json"))
        #expect(lines(.doctor) == "No errors found.")
        for report in [Report.config, .shell] { #expect(!lines(report).isEmpty) }
    }
}
