import DeveloperMenu
import FlagModel
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
