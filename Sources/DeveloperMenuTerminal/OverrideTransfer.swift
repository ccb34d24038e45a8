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

    /// The result of an export.
    enum Export {
        case written(path: String, summary: String)
        /// The file exists, and replacing it was not confirmed.
        case fileExists
    }

    /// Writes the overrides to a file.
    func export(to typed: String, isReplacing: Bool) throws(StorageError) -> Export {
        let target = ExportTarget(path(typed), protecting: reports.protectedFiles())
        if try target.isTaken(), !isReplacing { return .fileExists }
        let origin = ExportOrigin(app: flags.app, source: source, time: flags.now())
        let count = try target.write(store.read(), from: origin)
        return .written(path: target.path, summary: "\(count) written to \(target.path).")
    }

    /// Reads the overrides in a file, and checks them against the flags.
    func plan(in typed: String) throws(ImportError) -> (path: String, plan: ImportPlan) {
        let path = path(typed)
        let board = FlagBoard(snapshot: flags.remoteReading.snapshot, launch: [:], overrides: [:])
        let entries = try ImportedValues.entries(ofFile: path, called: FilePath.name(of: path))
        return (path, board.plan(entries, for: flags.remoteReading.sources.evaluations.map(\.source)))
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
