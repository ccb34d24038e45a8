import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Flags

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the menu inside an app does and tells beside changing flags, as far as the library knows it.
struct AppCommands: Sendable {
    let flags: FlagStore
    let store: OverrideStore

    /// The way from the menu to the app.
    var port: CommandPort {
        CommandPort(
            report: { .reportRead($0, lines: lines(of: $0)) }, export: export, readImport: readImport)
    }

    private func lines(of report: Report) -> [String] {
        switch report {
        case .log, .sources: []
        case .history: historyLines
        case .status: statusLines
        case .doctor: flags.problems.isEmpty ? ["Nothing is wrong."] : flags.problems
        case .paths: store.paths
        case .config: ["The preferences of this menu are those of \(flags.app)."]
        case .shell: ["flagmenu --app \(flags.app) in another terminal changes the same overrides, and has commands."]
        }
    }

    /// More than anybody scrolls through.
    private static let historyLimit = 500

    private var historyLines: [String] {
        do throws(StorageError) {
            let lines = try store.history(limit: Self.historyLimit).flatMap(\.lines)
            return lines.isEmpty ? ["Nothing was changed yet."] : lines
        } catch {
            return [error.description]
        }
    }

    private var statusLines: [String] {
        let count = flags.activeOverrides.count
        let sources = flags.menuSources.map(\.name)
        let remote =
            switch flags.remoteStatus {
            case .idle: "nothing was fetched yet"
            case .loading: "being fetched"
            case .loaded(let moment): "fetched \(moment.age(at: FlagStore.menuClock()))"
            case .failed(let sentence): sentence
            }
        return [
            "app        \(flags.app)",
            "source     \(sources.isEmpty ? "none" : sources.joined(separator: ", "))",
            "remote     \(remote)",
            "activates  \(flags.activation == .immediately ? "what it fetches at once" : "at the next launch")",
            "overrides  \(count == 0 ? "none" : String(count))",
            "store      \(store.path)",
        ]
    }
}

extension AppCommands {
    @Sendable private func export(_ typed: String, isReplacing: Bool) -> Event {
        let target = ExportTarget(place(typed), sparing: store.spared)
        do throws(StorageError) {
            if try target.isTaken(), !isReplacing { return .fileExists(path: typed) }
            let count = try target.write(store.read())
            return .exported(path: target.path, summary: "\(count) written to \(target.path).")
        } catch {
            return .fileRefused(reason: error.description)
        }
    }

    @Sendable private func readImport(_ typed: String) -> Event {
        let path = place(typed)
        do throws(ImportRefusal) {
            let values = try ImportedValues.read(file: path)
            let board = FlagBoard(snapshot: RemotePort.reading(of: flags).snapshot, launch: [:], overrides: [:])
            return .importRead(path: path, values: try board.checked(values))
        } catch {
            return .fileRefused(reason: error.sentence)
        }
    }

    private func place(_ typed: String) -> String {
        let folder = WorkingDirectory.path
        return FilePath.typed(typed, home: getenv("HOME").map { String(cString: $0) } ?? folder, in: folder)
    }
}
