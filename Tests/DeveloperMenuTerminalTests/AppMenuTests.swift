import DeveloperMenu
import Dispatch
import FlagModel
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import DeveloperMenuTerminal

extension RemotePort.Asker {
    /// For who only waits for the end.
    fileprivate static let unheard = RemotePort.Asker(post: { _ in }, takeIn: { _ = $0() })
}

/// The menu on the flags of the app that it is opened in.
@Suite struct AppMenuTests {
    private let workplace = Workplace()

    private func flags(_ access: OverrideAccess = .open, activation: Activation = .immediately) -> FlagStore {
        FlagStore(
            app: "shop", sources: [RemoteFile(workplace.place("remote.json"))], defaults: ["theme": "plain"],
            overrides: access, launch: [:], activation: activation, minimumFetchInterval: .zero,
            storeDirectory: workplace.place("state"), cacheDirectory: workplace.place("cache"))
    }

    private func commands(_ flags: FlagStore) throws -> CommandPort {
        AppCommands(flags: flags, store: try #require(flags.menuStore)).port
    }

    private func news(_ event: Event) throws -> RemoteNews {
        guard case .remoteActivated(let news) = event else {
            Issue.record("\(event)")
            throw NoNews()
        }
        return news
    }

    private struct NoNews: Error {}

    /// Asks on a thread that may wait, as the menu does; those that tests run on may not.
    private func asking<Answer: Sendable>(_ question: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: question()) }
        }
    }

    @Test func `shows what the app reads, with the keys that only code knows`() async throws {
        _ = FlagKey("declared_in_code", default: 7)
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let news = try news(#require(await asking { RemotePort(flags).open() }))
        #expect(news.snapshot.values["greeting"]?.string == "hi")
        #expect(news.snapshot.defaults["theme"]?.string == "plain")
        #expect(news.snapshot.defaults["declared_in_code"]?.string == "7")
        #expect(news.problems == [] && news.waitingCount == nil)
    }

    @Test func `what it fetches waits, and what it activates is what the app reads`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let port = RemotePort(flags)
        _ = await asking { port.open() }
        workplace.write(#"{"greeting": "hello", "new": "1"}"#, to: "remote.json")
        guard case .remoteFetched(waitingCount: 2, _, problems: []) = await port.fetch(.unheard)?() else {
            Issue.record("two values wait")
            return
        }
        #expect(try flags.string("greeting") == "hi")
        #expect(try news(await asking { port.activate() }).snapshot.values["greeting"]?.string == "hello")
        #expect(try flags.string("greeting") == "hello")
    }

    @Test func `a source that breaks is told, and the app keeps its values`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        workplace.write("{", to: "remote.json")
        guard case .remoteFailed(let problems) = await RemotePort(flags).fetch(.unheard)?() else {
            Issue.record("it cannot be fetched")
            return
        }
        #expect(problems.count == 1 && problems[0].contains("remote.json"))
        #expect(try flags.string("greeting") == "hi")
    }

    @Test func `an app that brings its values by itself has nobody to ask, and is told so`() async {
        let flags = FlagStore(
            app: "shop", overrides: .open, launch: [:], storeDirectory: workplace.place("state"),
            cacheDirectory: workplace.place("cache"))
        flags.updateRemote(["greeting": "from the SDK"])
        #expect(await RemotePort(flags).fetch(.unheard)?() == .remoteHasNoSource)
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
        let commands = try commands(flags)
        try flags.setOverride("size", to: "m")
        let path = workplace.place("out.json")
        #expect(commands.export(path, false) == .exported(path: path, summary: "1 override written to \(path)."))
        #expect(commands.export(path, false) == .fileExists(path: path))
        #expect(await asking { commands.readImport(path) } == .importRead(path: path, values: ["size": "m"]))
        let own = try #require(flags.overridePath)
        workplace.write(#"{"format": 1, "overrides": {}}"#, to: "copy.json")
        for event in [
            commands.export(own, true), commands.export(workplace.place("copy.json"), true),
            commands.readImport(workplace.place("nosuch")),
        ] {
            guard case .fileRefused = event else {
                Issue.record("\(event)")
                continue
            }
        }
        for (text, words) in [
            (#"{"size": "xl"}"#, "is not an option of size. Options: s, m, l."),
            (#"{"nosuch": "1"}"#, "There is no flag"),
            (#"{"format": 2}"#, "newer version"), ("[", "line 1"),
        ] {
            workplace.write(text, to: "in.json")
            let place = workplace.place("in.json")
            guard case .fileRefused(let reason) = await asking({ commands.readImport(place) }) else {
                Issue.record("\(text) was taken")
                continue
            }
            #expect(reason.contains(words) && reason.contains("Nothing was changed"), "\(reason)")
        }
    }

    @Test func `every report has something to say, in terms of the library`() throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let commands = try commands(flags)
        try flags.setOverride("greeting", to: "moin")
        func lines(_ report: Report) -> String {
            guard case .reportRead(report, let lines) = commands.report(report) else { return "" }
            return lines.joined(separator: "\n")
        }
        #expect(lines(.status).contains("overrides  1") && lines(.status).contains("source     remote.json"))
        #expect(lines(.history).contains("greeting: not set -> moin"))
        #expect(lines(.paths).contains("overrides.json"))
        #expect(lines(.doctor) == "Nothing is wrong.")
        for report in [Report.config, .shell] { #expect(!lines(report).isEmpty) }
    }
}
