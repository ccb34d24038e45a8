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

/// The menu and the app that it is a part of, while both of them change flags.
@Suite struct FollowingAppTests {
    private let workplace = Workplace()

    private func flags() -> FlagStore {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        return FlagStore(
            app: "shop", sources: [RemoteFile(workplace.place("remote.json"))], overrides: .open, launch: [:],
            minimumFetchInterval: .zero, storeDirectory: workplace.place("state"),
            cacheDirectory: workplace.place("cache"))
    }

    @Test func `the app reads what was chosen before the menu says that it is saved`() async throws {
        let flags = flags()
        let mail = Mail()
        let runner = try TerminalMenu(flags: flags).startRunner(mail.mailbox)
        for round in 0..<10 {
            runner.perform(
                .saveOverrides(id: round, edits: [.set(key: "greeting", value: "\(round)")], label: "set"), on: .lines)
            await mail.wait { if case .store(.saved(id: round, _, _)) = $0 { true } else { false } }
            #expect(try flags.string("greeting") == "\(round)")
        }
        runner.perform(.moveHistory(id: 10, .undo), on: .lines)
        await mail.wait { if case .store(.moved(id: 10, _, _, _)) = $0 { true } else { false } }
        #expect(try flags.string("greeting") == "8")
        runner.stop()
    }

    @Test func `an open menu shows what the app activates itself, and hears of its own activation once`() async throws {
        let flags = flags()
        let mail = Mail()
        let runner = try TerminalMenu(flags: flags).startRunner(mail.mailbox)
        await mail.wait { if case .remote(.activated(_, by: .menu)) = $0 { true } else { false } }
        workplace.write(#"{"greeting": "hello"}"#, to: "remote.json")
        await flags.fetchAndActivate()
        await mail.wait { $0.greetingElsewhere == "hello" }

        workplace.write(#"{"greeting": "moin"}"#, to: "remote.json")
        runner.perform(.fetchRemote(id: 1), on: .lines)
        await mail.wait { if case .remote(.fetched) = $0 { true } else { false } }
        runner.perform(.activateRemote(id: 2), on: .lines)
        await mail.wait {
            if case .remote(.activated(let news, by: .menu(id: 2))) = $0 {
                news.snapshot.values["greeting"]?.string == "moin"
            } else {
                false
            }
        }
        flags.updateRemote(["greeting": "servus"])
        await mail.wait { $0.greetingElsewhere == "servus" }
        #expect(!mail.events.contains { $0.greetingElsewhere == "moin" })
        runner.stop()
        #expect(flags.state.withLock { $0.remoteObservers.isEmpty && $0.storeObservers.isEmpty })
    }
}

/// A menu on sources that take their time.
@Suite struct SlowSourceTests {
    private let workplace = Workplace()

    /// A source that responds when its gate is opened.
    private struct SlowSource: RemoteSource {
        let name: String
        let values: String
        var gate: Gate?
        var identity: SourceIdentity { SourceIdentity(name) }

        func fetch(
            since version: String?, progress: @escaping ProgressHandler
        ) async throws(SourceError) -> SourceAnswer {
            await gate?.pass()
            return .values(Array(values.utf8), version: nil)
        }
    }

    private func runner(_ sources: [any RemoteSource], _ mail: Mail) -> EffectRunner {
        let store = OverrideStore(directory: workplace.place("state"), author: "tests", now: { Timestamp(seconds: 0) })
        let flags = FlagStore(
            app: "shop", access: .open, overrides: store,
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: workplace.place("cache")),
                contextFile: ContextFile(directory: workplace.place("state"), now: { Timestamp(seconds: 0) }),
                policy: RemotePolicy(activation: .manual, minimumInterval: .zero, timeLimit: .seconds(3_600))),
            values: LayerValues())
        var settings = MenuSettings(reports: MenuReports(flags, store))
        (settings.startFetch, settings.isOpeningStore) = (.unanswered, true)
        return EffectRunner(flags, store, settings, source: "remote.json", mailbox: mail.mailbox)
    }

    @Test
    func `what some sources say is shown while others are requested, and nothing of those once that is cancelled`()
        async
    {
        let mail = Mail()
        let gate = Gate()
        let slow = SlowSource(name: "slow", values: #"{"slow": "1"}"#, gate: gate)
        let runner = runner([SlowSource(name: "quick", values: #"{"quick": "1"}"#), slow], mail)
        runner.start(at: Timestamp(seconds: 0))
        await mail.wait {
            if case .remote(.activated(let news, by: .response)) = $0 {
                news.snapshot.values["quick"] != nil
            } else {
                false
            }
        }
        runner.perform(.cancelFetch, on: .lines)
        runner.perform(.activateRemote(id: 2), on: .lines)
        await mail.wait { if case .remote(.activated(_, by: .menu)) = $0 { true } else { false } }
        await gate.open()
        runner.perform(.fetchRemote(id: 1), on: .lines)
        await mail.wait {
            if case .remote(.activated(let news, by: .fetch(id: 1))) = $0 {
                news.snapshot.values["slow"] != nil
            } else {
                false
            }
        }
        #expect(mail.events.count { if case .remote(.activated(_, by: .fetch)) = $0 { true } else { false } } == 1)
        runner.stop()
    }

    /// A source whose values are those of a user, a number, and which tells of no change.
    private struct UserSource: EvaluatedSource {
        let user: String
        var name: String { "people" }
        var contextName: String { "people" }
        var identity: SourceIdentity { "people#\(user)" }

        func overriding(_ contextOverride: OwnContext) -> any RemoteSource {
            UserSource(user: contextOverride.members.first?.value ?? user)
        }

        func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation {
            SourceEvaluation(source: name, context: [], document: document)
        }

        func fetch(
            since version: String?, progress: @escaping ProgressHandler
        ) async throws(SourceError) -> SourceAnswer {
            .values(Array(#"{"user": \#(user)}"#.utf8), version: nil)
        }
    }

    @Test func `a new context is requested at once, also after a fetch`() async {
        let mail = Mail()
        let runner = runner([UserSource(user: "1")], mail)
        runner.start(at: Timestamp(seconds: 0))
        await mail.wait { $0.values?["user"] == "1" }
        for user in ["2", "3"] {
            let count = mail.events.count { if case .remote(.fetched) = $0 { true } else { false } }
            runner.perform(.fetchRemote(id: 1), on: .lines)
            await mail.wait { [mail] _ in
                mail.events.count { if case .remote(.fetched) = $0 { true } else { false } } > count
            }
            let edit = ContextEdit.set(name: "user", value: user)
            runner.perform(.changeContext(id: 3, ContextChange(source: "people", edits: [edit])), on: .lines)
            await mail.wait { $0.values?["user"]?.string == user }
        }
        runner.stop()
    }
}

extension Event {
    /// The values that come into use.
    fileprivate var values: ValueTable? {
        if case .remote(.activated(let news, _)) = self { news.snapshot.values } else { nil }
    }

    fileprivate var greetingElsewhere: String? {
        guard case .remote(.activated(let news, by: .elsewhere)) = self else { return nil }
        return news.snapshot.values["greeting"]?.string
    }
}

/// What a menu would be told.
private final class Mail: Sendable {
    let mailbox = Mailbox<Event>()
    private let taken = Mutex<[Event]>([])

    var events: [Event] { taken.withLock { $0 } }

    /// Waits for an event, on a thread of its own: those of queues and tasks may be held by other tests for long.
    func wait(for isMeant: @escaping @Sendable (Event) -> Bool) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while !self.events.contains(where: isMeant) {
                    var poll = pollfd(fd: self.mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                    _ = Foundation.poll(&poll, 1, -1)
                    let news = self.mailbox.drain()
                    self.taken.withLock { $0 += news }
                }
                continuation.resume()
            }
        }
    }
}
