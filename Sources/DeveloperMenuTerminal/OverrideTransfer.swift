import DeveloperMenu
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags

/// Exports overrides to, and imports them from, files and scenarios that the user names in a menu.
struct OverrideTransfer: Sendable {
    let menu: TerminalMenu

    /// Writes the overrides to a file. Another file is only replaced if requested.
    func export(to typed: String, isReplacing: Bool) -> FileEvent {
        do throws(StorageError) {
            let target = ExportTarget(path(typed), protecting: menu.settings.protectedFiles())
            if try target.isTaken(), !isReplacing { return .exists(path: typed) }
            let reading = menu.store.read()
            try target.write(reading.exported(app: menu.flags.app, source: menu.target.source, at: menu.flags.now()))
            return .exported(path: target.path, summary: "\(reading.exportedCount) written to \(target.path).")
        } catch {
            return .refused(reason: error.description)
        }
    }

    /// Saves, renames or deletes a scenario, and reads all of them.
    func scenarios(after request: ScenarioRequest) -> FileEvent {
        let state = FilePath.folder(of: menu.store.path)
        let folders =
            menu.settings.scenarioFolders
            ?? ScenarioFolders(project: nil, state: state, builtIn: menu.flags.builtInScenarios)
        do throws(StorageError) {
            var change: String?
            switch request {
            case .list: break
            case .save(let name, let isReplacing):
                change = try folders.save(
                    menu.store.read(), as: name, app: menu.flags.app, source: menu.target.source,
                    at: menu.flags.now(), isReplacing: isReplacing
                ).sentence
            case .rename(let name, let newName):
                change = try folders.rename(name, to: newName, in: menu.store).sentence
                // It may be the applied one.
                menu.flags.readOverrides()
            case .delete(let name): change = try folders.delete(name).sentence
            }
            return .scenarios(folders.all(), change: change)
        } catch {
            if case .save(let name, _) = request, error.code == .takenName { return .exists(path: name) }
            return .refused(reason: error.description)
        }
    }

    /// Reads the overrides in a file, and checks them against the flags.
    func readImport(_ typed: String) -> FileEvent {
        do throws(InvalidText) {
            let path = path(typed)
            let board = FlagBoard(snapshot: menu.flags.remoteReading.snapshot, launch: [:], overrides: [:])
            let entries = try ImportedValues.entries(ofFile: path, called: FilePath.name(of: path))
            let sources = menu.flags.remoteReading.sources.evaluations.map(\.source)
            return .importRead(path: path, board.plan(entries, for: sources))
        } catch {
            return .refused(reason: error.sentence)
        }
    }

    /// The completions of a typed path.
    func paths(completing typed: String) -> [String] {
        let folders = menu.settings.folders()
        return PathCompletion.paths(completing: typed, home: folders.home, in: folders.working)
    }

    private func path(_ typed: String) -> String {
        let folders = menu.settings.folders()
        return FilePath.typed(typed, home: folders.home, in: folders.working)
    }
}
