import DeveloperMenu
import FlagModel
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
            await mail.wait { if case .overridesSaved(round, _, _) = $0 { true } else { false } }
            #expect(try flags.string("greeting") == "\(round)")
        }
        runner.perform(.undo, on: .lines)
        await mail.wait { if case .historyMoved = $0 { true } else { false } }
        #expect(try flags.string("greeting") == "8")
        runner.stop()
    }

    @Test func `an open menu shows what the app activates itself, and hears of its own activation once`() async throws {
        let flags = flags()
        let mail = Mail()
        let runner = try TerminalMenu(flags: flags).startRunner(mail.mailbox)
        await mail.wait { if case .remoteActivated = $0 { true } else { false } }
        workplace.write(#"{"greeting": "hello"}"#, to: "remote.json")
        await flags.fetchAndActivate()
        await mail.wait { $0.greetingElsewhere == "hello" }

        workplace.write(#"{"greeting": "moin"}"#, to: "remote.json")
        runner.perform(.fetchRemote, on: .lines)
        await mail.wait { if case .remoteFetched = $0 { true } else { false } }
        runner.perform(.activateRemote, on: .lines)
        await mail.wait {
            if case .remoteActivated(let news) = $0 {
                news.snapshot.values["greeting"]?.string == "moin"
            } else {
                false
            }
        }
        flags.updateRemote(["greeting": "servus"])
        await mail.wait { $0.greetingElsewhere == "servus" }
        #expect(!mail.events.contains { $0.greetingElsewhere == "moin" })
        runner.stop()
        while flags.state.withLock({ !$0.layerFeeds.isEmpty }) { await Task.yield() }
    }
}

/// A menu on sources that take their time.
@Suite struct AskingTests {
    private let workplace = Workplace()

    private func runner(_ port: RemotePort, _ mail: Mail) -> EffectRunner {
        let commands = CommandPort(
            report: { .reportRead($0, lines: []) }, export: { path, _ in .exported(path: path, summary: "") },
            readImport: { .fileRefused(reason: $0) })
        let store = OverrideStore(directory: workplace.place("state"), author: "tests", now: { Timestamp(seconds: 0) })
        return EffectRunner(store: store, remote: port, commands: commands, mailbox: mail.mailbox)
    }

    @Test(arguments: [true, false])
    func `a change of the context begins a fetch anew that is on its way, and a refused one leaves it`(
        isRefused: Bool
    ) async {
        let asked = Mutex<[String]>([])
        let mail = Mail()
        let port = RemotePort(
            open: { nil },
            fetch: { _ in
                let count = asked.withLock { asked in
                    asked.append("fetch")
                    return asked.count
                }
                // The first one is never answered.
                if count == 1 { try? await Task.sleep(for: .seconds(isRefused ? 0.05 : 3_600)) }
                return { .remoteHasNoSource }
            },
            activate: { .remoteHasNoSource },
            refresh: { _ in
                asked.withLock { $0.append("refresh") }
                return nil
            },
            changeContext: { _ in isRefused ? .contextRefused(reason: "no") : .contextAwaited([], notice: nil) })
        let runner = runner(port, mail)
        runner.perform(.fetchRemote, on: .lines)
        while asked.withLock({ $0.isEmpty }) { await Task.yield() }
        runner.perform(.changeContext(ContextChange(source: "a", edits: [.reset])), on: .lines)
        await mail.wait { $0 == .remoteHasNoSource }
        #expect(asked.withLock { $0 } == (isRefused ? ["fetch"] : ["fetch", "fetch"]))
        // With nothing on its way, what is not known is asked.
        if !isRefused {
            runner.perform(.changeContext(ContextChange(source: "a", edits: [.reset])), on: .lines)
            while asked.withLock({ $0.last }) != "refresh" { await Task.yield() }
        }
        runner.stop()
    }

    @Test
    func
        `what some sources answer is shown and followed while others are asked, and none of it once that is cancelled`()
        async
    {
        let mail = Mail()
        let followed = Mutex(0)
        let isOver = Mutex(false)
        let news = RemoteNews(snapshot: RemoteSnapshot(documents: []), fetchedAt: Timestamp(seconds: 1))
        let port = RemotePort(
            open: { nil }, fetch: { _ in nil }, activate: { .remoteFailed(problems: ["no"]) },
            refresh: { asker in
                asker.takeIn { .remoteArrived(news) }
                asker.takeIn { nil }
                try? await Task.sleep(for: .seconds(3_600))
                asker.takeIn { .remoteHasNoSource }
                isOver.withLock { $0 = true }
                return { .remoteHasNoSource }
            },
            followServices: { _ in
                followed.withLock { $0 += 1 }
                return {}
            })
        let runner = runner(port, mail)
        runner.start(at: Timestamp(seconds: 0))
        await mail.wait { $0 == .remoteArrived(news) }
        while followed.withLock({ $0 == 0 }) { await Task.yield() }
        runner.perform(.cancelFetch, on: .lines)
        while isOver.withLock({ !$0 }) { await Task.yield() }
        runner.perform(.activateRemote, on: .lines)
        await mail.wait { $0 == .remoteFailed(problems: ["no"]) }
        #expect(!mail.events.contains(.remoteHasNoSource))
        #expect(followed.withLock { $0 } == 1)
        runner.stop()
    }
}

extension Event {
    fileprivate var greetingElsewhere: String? {
        guard case .remoteActivatedElsewhere(let news) = self else { return nil }
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
