import Dispatch
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage

// Watching running apps instead of values.
extension WatchCommand {
    /// The interval in which apps are read even if no change was reported: the end of a process is not reported on every
    /// system.
    private static let appInterval = DispatchTimeInterval.seconds(1)

    /// Prints what running apps do, until interrupted.
    func watchApps(in workspace: Workspace) throws {
        let updates = DispatchSemaphore(value: 0)
        let apps = workspace.settings.apps
        let watches: [DirectoryWatch]
        do throws(StorageError) {
            watches = try apps.watch { updates.signal() }
        } catch {
            throw CommandFailure(.store, error.description)
        }
        defer { watches.forEach { $0.cancel() } }
        var current = initial ? [] : apps.read().apps
        while true {
            let reading = apps.read().apps
            try report(AppChange.between(current, reading), workspace.settings)
            current = reading
            _ = updates.wait(timeout: .now() + Self.appInterval)
            while updates.wait(timeout: .now()) == .success {}
        }
    }

    private func report(_ changes: [AppChange], _ settings: Settings) throws {
        let now = SourceClock.system.now()
        let watchedKeys = Set(keys.map { FlagText($0) })
        for change in changes where keys.isEmpty || change.key.map({ watchedKeys.contains(FlagText($0)) }) ?? true {
            if settings.isJSON {
                change.json(at: now).print(indented: false)
            } else {
                StandardOutput.write(lines: ["\(now.rfc3339)  \(change.sentence)"])
            }
        }
        try StandardOutput.flush()
    }
}
