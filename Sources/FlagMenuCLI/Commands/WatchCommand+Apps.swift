import Dispatch
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagWorkspace

// Watching running apps instead of values.
extension WatchCommand {
    /// Prints what running apps do, until interrupted.
    func watchApps(in workspace: Workspace) throws {
        var current = initial ? [] : workspace.runningApps.apps
        try workspace.waitForApps(until: .distantFuture, interval: .seconds(1)) { reading in
            try report(AppChange.between(current, reading.apps), workspace.settings)
            current = reading.apps
            return false
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
