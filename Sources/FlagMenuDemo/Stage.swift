import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagQueries
import FlagStorage
import Flags
import TerminalShell
import TerminalUI

/// The demo app on a terminal: its flags, its main loop, and its effects.
struct Stage {
    let flags: FlagStore
    let state: StageState
    /// The options with which `flagmenu` changes the same overrides.
    let settings: [String]
    private let mailbox = Mailbox<StageEvent>()

    /// Shows the app until the user leaves.
    ///
    /// - Throws: an error if the terminal cannot show the app or was closed.
    func run() throws(TerminalError) {
        let subscriptions = subscribe()
        defer { subscriptions.forEach { $0.cancel() } }
        var firstState = state
        firstState.updates = StageUpdate(flags)
        let program = Program<StageState, StageEvent, StageEffect>(
            state: firstState,
            reduce: { $0.reduce($1) },
            view: \.view,
            keyEvent: StageEvent.keyPressed,
            resizeEvent: StageEvent.resized,
            backgroundEvent: StageEvent.backgroundDetected,
            perform: perform,
            isFinished: \.isFinished
        )
        _ = try program.run(
            mailbox: mailbox, options: TerminalOptions(isColorAllowed: state.isColorAllowed))
    }

    /// Posts an event for each change of the flags, including changes by other processes, and watches the sources.
    /// Nothing is polled. A demo that reads its flags once is not told of changes.
    private func subscribe() -> [Task<Void, Never>] {
        guard !state.readsOnce else { return [] }
        let (flags, mailbox) = (flags, mailbox)
        return [
            Task { for await change in flags.changes { mailbox.post(.flagsChanged(change.sentence)) } },
            Task { for await _ in flags.overrideUpdates { mailbox.post(.flagsChanged(nil)) } },
            Task { for await _ in flags.remoteStatuses { mailbox.post(.flagsChanged(nil)) } },
            Task { await flags.followRemote() },
        ]
    }

    private func perform(_ effect: StageEffect, on terminal: TerminalControl) {
        switch effect {
        case .readFlags(let sentence): mailbox.post(.flagsRead(StageUpdate(flags), sentence: sentence))
        case .openMenu: mailbox.post(openMenu(on: terminal))
        case .fetch: fetch()
        case .applyVariant(let screen, let index): change { try await $0.choose(screen.variants[index].settings) }
        case .reset(let screen): change { try await $0.edit(screen.keys.map { .clear(key: $0) }) }
        case .undo: mailbox.post(undo())
        case .saveScenario(let name): mailbox.post(saveScenario(name))
        case .suspend: terminal.suspend()
        case .repaint: terminal.repaint()
        }
    }

    private func openMenu(on terminal: TerminalControl) -> StageEvent {
        do {
            var preferences = Preferences.standard
            if !state.isColorAllowed { preferences.theme = .mono }
            let menu = try TerminalMenu(flags: flags, preferences: preferences).run(on: terminal)
            return .menuClosed(isInterrupted: menu.ending == .interrupted, reason: nil)
        } catch {
            return .menuClosed(isInterrupted: false, reason: "\(error)")
        }
    }

    private func saveScenario(_ name: String) -> StageEvent {
        guard let store = flags.overrides else { return .effectEnded("! Overrides are closed.") }
        do throws(StorageError) {
            let reading = store.read()
            _ = try flags.scenarioFolders(beside: store).save(
                reading, as: name, app: flags.app, source: state.source,
                evaluations: flags.remoteReading.sources.evaluations, at: flags.now(), isReplacing: false)
            let command = ShellCommand("scenario apply", operands: [name], settings: settings)
            return .scenarioSaved("\(reading.exportedCount) saved. Apply: \(command.text ?? "")")
        } catch {
            return .effectEnded("! \(error)")
        }
    }

    /// Changes overrides, and posts why if that fails. A change posts events of its own.
    private func change(_ edit: @escaping @Sendable (FlagStore) async throws -> Void) {
        let (flags, mailbox) = (flags, mailbox)
        Task {
            do {
                try await edit(flags)
            } catch {
                mailbox.post(.effectEnded("! \(error)"))
            }
        }
    }

    private func undo() -> StageEvent {
        guard let store = flags.overrides else { return .effectEnded("! Overrides are closed.") }
        do throws(StorageError) {
            let commit = try store.undo()
            // The store does not report the writes of this process.
            flags.receive(commit)
            let sentences = ["Undone."] + commit.changes.map(\.sentence) + [commit.notice].compactMap { $0 }
            return .effectEnded(sentences.joined(separator: " "))
        } catch {
            return .effectEnded("! \(error)")
        }
    }

    private func fetch() {
        let (flags, mailbox) = (flags, mailbox)
        Task { mailbox.post(.effectEnded(await flags.fetchAndActivate().sentence)) }
    }
}

extension FlagChange<String?> {
    /// `key: old -> new (layer)`.
    fileprivate var sentence: String {
        let (old, new) = (old ?? "not set", new ?? "not set")
        return "\(key): \(old) -> \(new)" + (layer.map { " (\($0.word))" } ?? "")
    }
}

extension FetchOutcome {
    fileprivate var sentence: String {
        switch self {
        case .fetchedFromRemote: "Fetched and activated."
        case .usedPreFetched: "The earlier fetch is recent enough."
        case .rateLimited(let seconds): "Rate limited. Retry in \(seconds) s."
        case .failed(let sentence): "! \(sentence)"
        }
    }
}

extension StageUpdate {
    /// Reads everything that the stage shows. Overrides of a variant are only visible to this task: they are not saved,
    /// and observers are not notified.
    init(_ flags: FlagStore) {
        self.init(
            content: StageContent(flags.snapshot()),
            variants: StageScreen.allCases.reduce(into: [:]) { variants, screen in
                variants[screen] = screen.variants.map { _, settings in
                    flags.withOverrides(settings) { StageContent(flags.snapshot()) }
                }
            },
            banner: flags.overrideBanner,
            scenario: flags.contents.overrideFile?.table.scenarioWords,
            overrideCount: flags.activeOverrides.count, remote: flags.remoteStatus, issues: flags.issues)
    }
}
