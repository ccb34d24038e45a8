import DeveloperMenu
import FlagModel
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
        case .log: []
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
        let path = place(typed)
        do throws(StorageError) {
            if store.paths.contains(where: { DurableFile.isSame(path, $0) }) {
                return .fileRefused(
                    reason: "\(path) is where overrides are kept; nothing was written. Choose another name.")
            }
            if !isReplacing, try DurableFile.read(path) != nil { return .fileExists(path: typed) }
            let reading = store.read()
            // An empty export would look like a backup.
            if case .unreadable(let sentence) = reading.condition { return .fileRefused(reason: sentence) }
            let overrides = reading.table.overrides
            let members = overrides.keys.sorted().map { ($0, JSONOutput.string(overrides[$0]?.value ?? "")) }
            try DurableFile.replace(path, with: Array((JSONOutput.object(members).text() + "\n").utf8))
            return .exported(path: path, summary: "\(overrides.count.counted("override")) written to \(path).")
        } catch {
            return .fileRefused(reason: error.description)
        }
    }

    @Sendable private func readImport(_ typed: String) -> Event {
        let path = place(typed)
        do {
            guard let bytes = try DurableFile.read(path) else {
                return .fileRefused(reason: "\(path) does not exist. Nothing was changed.")
            }
            let values = try ImportedValues.read(bytes, from: path)
            return .importRead(path: path, values: try checked(values))
        } catch {
            return .fileRefused(reason: "\(error)")
        }
    }

    /// The values as they are stored, each one that its flag may have.
    private func checked(_ values: [String: String]) throws(ImportRefusal) -> [String: String] {
        let board = FlagBoard(snapshot: RemotePort.reading(of: flags).snapshot, launch: [:], overrides: [:])
        var checked: [String: String] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let place = board.place(of: FlagText(key)) else {
                throw ImportRefusal(
                    sentence: "There is no flag \(JSONOutput.quoted(key, limit: 80)). Nothing was changed.")
            }
            let facts = board.facts(at: place)
            if let option = facts.option(meaning: value) {
                checked[key] = option.value
                continue
            }
            let isOutside = facts.hasChoice && !facts.isOpenToOtherValues
            let outside = "\(JSONOutput.quoted(value, limit: 80)) is not one of its options."
            if let objection = isOutside ? outside : facts.objection(to: value) {
                throw ImportRefusal(sentence: "\(key): \(objection) Nothing was changed.")
            }
            checked[key] = value
        }
        return checked
    }

    /// A name as a shell would read it: `~/` is the home directory.
    private func place(_ typed: String) -> String {
        if typed.hasPrefix("~/"), let home = getenv("HOME") {
            return FilePath.join(String(cString: home), String(typed.dropFirst(2)))
        }
        guard let folder = getcwd(nil, 0) else { return typed }
        defer { free(folder) }
        return FilePath.resolve(typed, in: String(cString: folder))
    }
}
