import DeveloperMenu
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags

/// Exports overrides to, and imports them from, files that the user names in a menu.
struct OverrideTransfer: Sendable {
    let flags: FlagStore
    let store: OverrideStore
    let reports: MenuReports
    /// The name of the sources, as in the menu's title.
    let source: String

    /// Writes the overrides to a file. Another file is only replaced if requested.
    func export(to typed: String, isReplacing: Bool) -> FileEvent {
        do throws(StorageError) {
            let target = ExportTarget(path(typed), protecting: reports.protectedFiles())
            if try target.isTaken(), !isReplacing { return .exists(path: typed) }
            let reading = store.read()
            try target.write(reading.exported(app: flags.app, source: source, at: flags.now()))
            return .exported(path: target.path, summary: "\(reading.exportedCount) written to \(target.path).")
        } catch {
            return .refused(reason: error.description)
        }
    }

    /// Reads the overrides in a file, and checks them against the flags.
    func readImport(_ typed: String) -> FileEvent {
        do throws(ImportError) {
            let path = path(typed)
            let board = FlagBoard(snapshot: flags.remoteReading.snapshot, launch: [:], overrides: [:])
            let entries = try ImportedValues.entries(ofFile: path, called: FilePath.name(of: path))
            let sources = flags.remoteReading.sources.evaluations.map(\.source)
            return .importRead(path: path, board.plan(entries, for: sources))
        } catch {
            return .refused(reason: error.sentence)
        }
    }

    /// The completions of a typed path.
    func paths(completing typed: String) -> [String] {
        let folders = reports.folders()
        return PathCompletion.paths(completing: typed, home: folders.home, in: folders.working)
    }

    private func path(_ typed: String) -> String {
        let folders = reports.folders()
        return FilePath.typed(typed, home: folders.home, in: folders.working)
    }
}
