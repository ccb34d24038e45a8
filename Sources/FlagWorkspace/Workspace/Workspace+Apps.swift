package import Dispatch
package import FlagModel
package import FlagPresence
package import FlagQueries
package import FlagStorage
import Platform

extension Workspace {
    /// Reads which processes run the app.
    package var runningApps: RunningApps.Reading { settings.apps.read() }

    /// The folder of the overrides, as running apps announce it.
    var overrideFolder: String { FilePath.folder(of: store.path) }

    /// What each running app that declares a flag does about it.
    package func lines(ofAppsFor facts: FlagFacts) -> [AppsStatus.Line] {
        AppsStatus(running: runningApps.apps, overrideFolder: overrideFolder, readAt: WallClock.milliseconds)
            .lines(of: facts)
    }

    /// Waits until every running app that declares one of the changed flags uses its override, or that there is none,
    /// and until all have noticed changes of contexts and conditions.
    ///
    /// - Parameters:
    ///   - seconds: how long to wait; `nil` to return at once.
    ///   - outcome: what has become of the change, as the beginning of the error's sentence.
    ///   - isAwaited: whether to go on waiting.
    /// - Throws: an error that names the apps that do not, and why.
    package func wait(
        _ seconds: Double?, for keys: [String], after commit: StoreCommit,
        outcome: String = "The change was saved, but", while isAwaited: () -> Bool = { true }
    ) throws(CommandFailure) {
        guard let seconds else { return }
        let (uptakes, reading) = uptakes(
            within: seconds, of: keys, in: commit.table, contexts: commit.contextChanges, while: isAwaited)
        let missing = uptakes.filter { !$0.uptake.isTaken }
        guard missing.isEmpty else {
            let isOneKey = Set(missing.map { FlagText($0.key) }).count == 1
            let parts = missing.map { uptake in
                (isOneKey ? "" : "\(uptake.key): ") + "\(uptake.app.shownName) \(uptake.uptake.summary)"
            }
            throw CommandFailure(
                .notTaken,
                "\(outcome) not every running app uses it. "
                    + parts.map(\.asSentence).joined(separator: " "))
        }
        guard !reading.isIncomplete else {
            throw CommandFailure(
                .notTaken,
                "\(outcome) another app may run that does not use it. "
                    + reading.warnings.joined(separator: " "))
        }
        guard !settings.isQuiet else { return }
        if uptakes.isEmpty, !keys.isEmpty {
            StandardError.printLine("No running app declares \(keys.count == 1 ? keys[0] : "these flags").")
        }
        let names = Set(uptakes.map(\.app.shownName)).sorted()
        if !names.isEmpty { StandardError.printLine("\(names.joined(separator: ", ")) took it.") }
    }

    /// Waits until no running app that declares one of the flags may still begin to use its override, or that there is
    /// none, and returns what each does.
    ///
    /// - Parameters:
    ///   - seconds: how long to wait.
    ///   - contexts: the changes of contexts and conditions that apps must notice.
    ///   - isAwaited: whether to go on waiting.
    package func uptakes(
        within seconds: Double, of keys: [String], in table: OverrideTable, contexts: [ContextPartChange] = [],
        while isAwaited: () -> Bool = { true }
    ) -> (uptakes: [Uptake], apps: RunningApps.Reading) {
        var (reading, uptakes) = (RunningApps.Reading(), [Uptake]())
        waitForApps(until: .now() + seconds) {
            reading = $0
            uptakes = self.uptakes(of: keys, by: reading.apps, in: table)
            let late = reading.apps.filter { $0.isLate(for: table.revision, in: overrideFolder) }
            uptakes += late.flatMap { app in contexts.map { (app, $0.part.label, .notNoticed) } }
            return !isAwaited() || !uptakes.contains { $0.uptake.mayStillChange }
        }
        return (uptakes, reading)
    }

    /// Waits until running apps are as a command needs them.
    ///
    /// - Parameters:
    ///   - interval: the longest time between two calls: the end of a process is not reported on every system.
    ///   - isDone: called with the running apps at once and after each announcement.
    package func waitForApps(
        until deadline: DispatchTime, interval: DispatchTimeInterval = .milliseconds(100),
        isDone: (RunningApps.Reading) throws -> Bool
    ) rethrows {
        let apps = settings.apps
        let updates = DispatchSemaphore(value: 0)
        // Without a watch, only the intervals are left.
        let watches = (try? apps.watch { updates.signal() }) ?? []
        defer { watches.forEach { $0.cancel() } }
        var reading = apps.read()
        while try !isDone(reading), DispatchTime.now() < deadline {
            _ = updates.wait(timeout: min(deadline, .now() + interval))
            while updates.wait(timeout: .now()) == .success {}
            reading = apps.read(after: reading)
        }
    }

    package typealias Uptake = (app: RunningApp, key: String, uptake: FlagUptake)

    private func uptakes(of keys: [String], by apps: [RunningApp], in table: OverrideTable) -> [Uptake] {
        let folder = overrideFolder
        return apps.flatMap { app in
            keys.compactMap { key in
                app.uptake(
                    of: table.overrides[key], for: key, in: folder, revision: table.revision,
                    needsRestart: factsOfAny(key).item?.needsRestart == true
                ).map { (app, key, $0) }
            }
        }
    }
}

extension FlagUptake {
    /// Whether waiting may help.
    fileprivate var mayStillChange: Bool {
        switch self {
        case .taken, .ignoresOverrides, .otherFolder: false
        // A rejection may be that of the value before, until the app has noticed the change.
        case .notRead, .notNoticed, .activatesAtLaunch, .needsRestart, .rejected, .overruled: true
        }
    }
}

extension Settings {
    /// The folders in which apps announce themselves.
    package var presenceFolders: [String] { RunningApps.stateFolders(state: stateDirectory, store: storeDirectory) }

    /// The running apps, and the flags that they declare.
    package var apps: RunningApps { RunningApps(in: presenceFolders) }
}
