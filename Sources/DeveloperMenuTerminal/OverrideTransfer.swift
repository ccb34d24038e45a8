import DeveloperMenu
import FlagModel
import FlagQueries
import FlagRemote
import FlagSharing
import FlagStorage
import Flags
import TerminalUI

/// Exports overrides to, and imports them from, files and scenarios that the user names in a menu.
struct OverrideTransfer: Sendable {
    let menu: TerminalMenu

    /// Writes the overrides to a file. Another file is only replaced if requested.
    func export(to typed: String, isReplacing: Bool) -> FileEvent {
        do throws(StorageError) {
            let target = ExportTarget(path(typed), protecting: menu.settings.protectedFiles())
            if try target.isTaken(), !isReplacing { return .exists(path: typed) }
            let reading = menu.store.read()
            let text = try reading.exported(
                app: menu.flags.app, source: menu.target.source, evaluations: evaluations, at: menu.flags.now())
            try target.write(text)
            return .exported(path: target.path, summary: "\(reading.exportedCount) written to \(target.path).")
        } catch {
            return .refused(reason: error.description)
        }
    }

    /// Saves, renames or deletes a scenario, and reads all of them.
    func scenarios(after request: ScenarioRequest) -> FileEvent {
        let folders = menu.settings.scenarioFolders ?? menu.flags.scenarioFolders(beside: menu.store)
        do throws(StorageError) {
            var change: String?
            switch request {
            case .list: break
            case .save(let name, let isReplacing, let shared?):
                let text = try shared.content
                    .map { $0.portable(evaluations).exported(source: menu.target.source, at: menu.flags.now()) }
                    .mapError { StorageError(code: .cannotRead, path: shared.path, sentence: $0.sentence) }.get()
                _ = try folders.save(text, as: name, isReplacing: isReplacing)
                change = "Saved \(name)."
            case .save(let name, let isReplacing, nil):
                change = try folders.save(
                    menu.store.read(), as: name, app: menu.flags.app, source: menu.target.source,
                    evaluations: evaluations, at: menu.flags.now(), isReplacing: isReplacing
                ).sentence
            case .rename(let name, let newName):
                change = try folders.rename(name, to: newName, in: menu.store).sentence
                // It may be the applied one.
                menu.flags.readOverrides()
            case .delete(let name): change = try folders.delete(name).sentence
            }
            return .scenarios(folders.all(), change: change)
        } catch {
            if case .save(let name, _, _) = request, error.code == .takenName { return .exists(path: name) }
            return .refused(reason: error.description)
        }
    }

    /// Reads the overrides in a file, and checks them against the flags.
    func readImport(_ typed: String) -> FileEvent {
        let path = path(typed)
        do throws(InvalidText) {
            let board = FlagBoard(snapshot: menu.flags.remoteReading.snapshot, launch: [:], overrides: [:])
            let entries = try ImportedValues.entries(ofFile: path, called: FilePath.name(of: path))
            return .importRead(path: path, board.plan(entries, for: evaluations))
        } catch {
            let bytes = (try? DurableFile.read(path)) ?? []
            return sharedState(in: String(decoding: bytes, as: UTF8.self)) ?? .refused(reason: error.sentence)
        }
    }

    /// The newest shared state in a pasted text.
    func shared(in text: String) -> FileEvent {
        sharedState(in: text) ?? .refused(reason: "The pasted text has no shared state.")
    }

    /// The newest shared state in a text, or why none can be read; `nil` if the text has none.
    private func sharedState(in text: String) -> FileEvent? {
        let (states, errors) = SharedState.found(in: text)
        guard let newest = states.last else { return errors.first.map { .refused(reason: $0.sentence) } }
        let count = states.count == 1 ? "" : " It is the newest of \(states.count) in the text."
        return .sharedFound(
            ScenarioFile(name: "shared state", file: nil, content: .success(newest.entries)),
            summary: "\(newest.summary(at: menu.flags.now())).\(count)")
    }

    /// Copies changes as a shared state, at the end of a bug report if there is one.
    func copying(
        _ changes: SharedChanges, report: String?, for id: RequestID, _ copy: (String) -> ClipboardReply
    ) -> Event {
        var what = report == nil ? "shared state" : "bug report"
        do throws(InvalidText) {
            let state = try SharedState(changes.entries, madeAt: menu.flags.now()).text()
            let sentence = "`flagmenu import` gets the state from this text:"
            if report == nil, state.utf8.count > SharedState.suggestedLimit {
                what += " of \(state.utf8.count) characters, which some chats cut; :export writes a file"
            }
            let text = report.map { "\($0)\n\(sentence)\n\n```\n\(state)\n```\n" } ?? state
            return .terminal(.copied(id: id, text, what: what, copy(text)))
        } catch {
            // The report is worth more than the string in it.
            return report.map { .terminal(.copied(id: id, $0, what: what, copy($0))) }
                ?? .file(id: id, .refused(reason: error.sentence))
        }
    }

    /// The completions of a typed path.
    func paths(completing typed: String) -> [String] {
        let folders = menu.settings.folders()
        return PathCompletion.paths(completing: typed, home: folders.home, in: folders.working)
    }

    private var evaluations: [SourceEvaluation] { menu.flags.remoteReading.sources.evaluations }

    private func path(_ typed: String) -> String {
        let folders = menu.settings.folders()
        return FilePath.typed(typed, home: folders.home, in: folders.working)
    }
}
