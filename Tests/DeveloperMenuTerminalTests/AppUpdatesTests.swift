import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeveloperMenuTerminal
@testable import Flags
@testable import TerminalShell

/// The menu and its app, while both change flags.
@Suite struct AppUpdatesTests {
    private let workplace = Workplace()

    private func flags() -> FlagStore {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        return FlagStore(
            app: "shop", sources: [RemoteFile(workplace.place("remote.json"), isFollowed: false)],
            options: .init(
                overrides: .open, launch: [:], announces: false, minimumFetchInterval: .zero,
                storeDirectory: workplace.place("state"), cacheDirectory: workplace.place("cache")))
    }

    @Test func `the app reads a new override before the menu reports it as saved`() async throws {
        let flags = flags()
        let open = OpenMenu(try TerminalMenu(flags: flags))
        let (runner, mail) = (open.runner, Mail(open.mailbox))
        for round in 0..<10 {
            runner.perform(
                .saveOverrides(id: round, edits: [.set(key: "greeting", value: "\(round)")], label: "set"), on: .lines)
            await mail.wait { if case .store(.saved(id: round, _, _)) = $0 { true } else { false } }
            #expect(try flags.string("greeting") == "\(round)")
        }
        runner.perform(.moveHistory(id: 10, .undo), on: .lines)
        await mail.wait { if case .store(.moved(id: 10, _, _, _, _)) = $0 { true } else { false } }
        #expect(try flags.string("greeting") == "8")
        runner.stop()
    }

    @Test func `a scenario that is saved after a change has the change`() async throws {
        let open = OpenMenu(try TerminalMenu(flags: flags()))
        let (runner, mail) = (open.runner, Mail(open.mailbox))
        runner.perform(.saveOverrides(id: 1, edits: [.set(key: "greeting", value: "ho")], label: "set"), on: .lines)
        runner.perform(.scenarios(id: 2, .save("first", isReplacing: false)), on: .lines)
        await mail.wait { event in
            guard case .file(id: 2, .scenarios(let files, _)) = event else { return false }
            return (try? files.first?.content.get().values) == ["greeting": "ho"]
        }
        runner.stop()
    }

    @Test func `a search by hand goes on in the next menu, which restores the changes`() async throws {
        let flags = flags()
        try await flags.setOverride("greeting", to: "a")
        try await flags.setOverride("other", to: "b")
        do {
            let open = OpenMenu(try TerminalMenu(flags: flags))
            let (runner, mail) = (open.runner, Mail(open.mailbox))
            runner.perform(.bisect(id: 1, .use(OverrideTable(), log: RunningBisect.emptyLog)), on: .lines)
            await mail.wait { $0.bisect(1)?.log == "null" }
            #expect(try flags.string("greeting") == "hi")
            runner.perform(
                .bisect(id: 2, .use(OverrideTable(overrides: ["other": FlagOverride(value: "b")]), log: "[1]")),
                on: .lines)
            await mail.wait { $0.bisect(2)?.log == "[1]" }
            runner.stop()
        }
        let open = OpenMenu(try TerminalMenu(flags: flags))
        let (runner, mail) = (open.runner, Mail(open.mailbox))
        await mail.wait { $0.bisect(nil)?.original.overrides["greeting"]?.value == "a" }
        #expect(try flags.string("greeting") == "hi" && flags.string("other") == "b")
        runner.perform(.bisect(id: 1, .stop), on: .lines)
        await mail.wait { if case .store(.bisected(id: 1, _, nil, notice: nil)) = $0 { true } else { false } }
        #expect(try flags.string("greeting") == "a" && flags.string("other") == "b")
        // Nothing is running any more.
        runner.perform(.bisect(id: 2, .use(OverrideTable(), log: "[1]")), on: .lines)
        await mail.wait { if case .store(.bisected(id: 2, _, nil, notice: nil)) = $0 { true } else { false } }
        #expect(try flags.string("greeting") == "a")
        runner.stop()
    }

    @Test func `an open menu shows activations by the app and reports its own only once`() async throws {
        let flags = flags()
        let open = OpenMenu(try TerminalMenu(flags: flags))
        let (runner, mail) = (open.runner, Mail(open.mailbox))
        await mail.wait { if case .remote(.activated(_, by: .menu)) = $0 { true } else { false } }
        workplace.write(#"{"greeting": "hello"}"#, to: "remote.json")
        await flags.fetchAndActivate()
        await mail.wait { $0.value("greeting", by: .elsewhere) == "hello" }

        workplace.write(#"{"greeting": "moin"}"#, to: "remote.json")
        runner.perform(.fetchRemote(id: 1), on: .lines)
        await mail.wait { if case .remote(.fetched) = $0 { true } else { false } }
        runner.perform(.activateRemote(id: 2), on: .lines)
        await mail.wait { $0.value("greeting", by: .menu(id: 2)) == "moin" }
        flags.updateRemote(["greeting": "servus"])
        await mail.wait { $0.value("greeting", by: .elsewhere) == "servus" }
        #expect(!mail.events.contains { $0.value("greeting", by: .elsewhere) == "moin" })
        runner.stop()
        #expect(flags.publication.count == 1, "only the store itself observes")
    }
}

/// A menu with slow sources.
@Suite struct SlowSourceTests {
    private let workplace = Workplace()

    private func runner(_ sources: [any RemoteSource], _ mail: Mail) -> EffectRunner {
        let store = OverrideStore(
            directory: workplace.place("state"), author: "tests", now: { FlagTimestamp(seconds: 0) })
        let flags = FlagStore(
            app: "shop", access: .open, overrides: store,
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: workplace.place("cache")),
                policy: RemotePolicy(activation: .manual, minimumInterval: .zero, timeLimit: .seconds(3_600))),
            values: LayerValues())
        var settings = MenuSettings(flags, store)
        (settings.startFetch, settings.isOpeningStore) = (.withoutResponse, true)
        let target = MenuTarget(app: "shop", source: "remote.json")
        return EffectRunner(TerminalMenu(flags: flags, store: store, target: target, settings: settings), mail.mailbox)
    }

    @Test func `values of quick sources are shown before slow ones, and a cancelled fetch reports nothing`() async {
        let mail = Mail()
        let gate = Gate()
        let slow = MemorySource("slow", ["slow": "1"], gate: gate)
        let runner = runner([MemorySource("quick", ["quick": "1"]), slow], mail)
        runner.start(at: FlagTimestamp(seconds: 0))
        await mail.wait { $0.value("quick", by: .response) != nil }
        runner.perform(.cancelFetch, on: .lines)
        runner.perform(.activateRemote(id: 2), on: .lines)
        await mail.wait { if case .remote(.activated(_, by: .menu)) = $0 { true } else { false } }
        await gate.open()
        runner.perform(.fetchRemote(id: 1), on: .lines)
        await mail.wait { $0.value("slow", by: .fetch(id: 1)) != nil }
        #expect(mail.events.count { if case .remote(.activated(_, by: .fetch)) = $0 { true } else { false } } == 1)
        runner.stop()
    }

    @Test func `a new context is fetched immediately, also after a fetch`() async {
        let mail = Mail()
        let runner = runner([UserSource()], mail)
        runner.start(at: FlagTimestamp(seconds: 0))
        await mail.wait { $0.values?["user"] == "1" }
        for user in ["2", "3"] {
            let count = mail.fetchCount
            runner.perform(.fetchRemote(id: 1), on: .lines)
            await mail.wait { [mail] _ in mail.fetchCount > count }
            let edit = ContextEdit.set(name: "user", value: user)
            runner.perform(.changeContext(id: 3, ContextChange(source: "people", edits: [edit])), on: .lines)
            await mail.wait { $0.values?["user"]?.string == user }
        }
        runner.stop()
    }
}

extension Event {
    /// The activated values.
    fileprivate var values: ValueTable? {
        if case .remote(.activated(let updates, _)) = self { updates.snapshot.values } else { nil }
    }

    /// The search by hand that runs after a request.
    fileprivate func bisect(_ id: RequestID?) -> RunningBisect? {
        if case .store(.bisected(id, _, let running, notice: nil)) = self { running } else { nil }
    }

    /// The value of a flag, if values were activated in this way.
    fileprivate func value(_ key: String, by way: RemoteReport.Activation) -> String? {
        if case .remote(.activated(_, by: way)) = self { values?[key]?.string } else { nil }
    }
}

/// The events that a menu would receive.
private final class Mail: Sendable {
    let mailbox: Mailbox<Event>
    private let received = Mutex<[Event]>([])

    init(_ mailbox: Mailbox<Event> = Mailbox()) { self.mailbox = mailbox }

    var events: [Event] { received.withLock { $0 } }
    var fetchCount: Int { events.count { if case .remote(.fetched) = $0 { true } else { false } } }

    /// Waits for an event, at most a minute. Uses its own thread, because other tests may block the threads of queues
    /// and tasks.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, for isExpected: @escaping @Sendable (Event) -> Bool
    ) async {
        let isReceived = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let end = Date(timeIntervalSinceNow: 60)
                while !self.events.contains(where: isExpected), Date.now < end {
                    var poll = pollfd(fd: self.mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                    _ = Foundation.poll(&poll, 1, 1_000)
                    let updates = self.mailbox.drain()
                    self.received.withLock { $0 += updates }
                }
                continuation.resume(returning: self.events.contains(where: isExpected))
            }
        }
        #expect(isReceived, "no such event in a minute, only \(events)", sourceLocation: sourceLocation)
    }
}
