import FlagModel
package import FlagPresence
import FlagStorage

/// The apps of this user that have opened their flags on this machine.
package struct FoundApps {
    /// The folder with a state folder for each app.
    private let folder: String
    /// The ids of all apps with a state folder, sorted.
    let all: [String]

    /// - Parameter includesDocuments: whether documents that are opened without an app, such as by `serve`, are among the
    ///   apps. Elsewhere, they are never the app that is meant.
    package init(_ environment: Environment, includesDocuments: Bool = false) {
        let folder = FilePath.folder(of: AppFolders(app: AppFolders.sampleApp, environment).state)
        self.folder = folder
        // Without the folder, no app has ever opened its flags, and no override was ever set.
        all = ((try? DurableFile.names(in: folder)) ?? []).filter {
            AppFolders.isName($0)
                && (includesDocuments || !Self.isDocument($0, RunningApps(in: [FilePath.join(folder, $0)])))
        }.sorted()
    }

    /// Whether an id is that of a document: it has the form of one, and no code has declared flags under it.
    package static func isDocument(_ app: String, _ processes: RunningApps) -> Bool {
        guard AppFolders.isOfDocument(app) else { return false }
        let reading = processes.read()
        return reading.ended.isEmpty && reading.apps.allSatisfy(\.flags.isEmpty)
    }

    /// The processes of an app.
    func processes(of app: String) -> RunningApps { RunningApps(in: [FilePath.join(folder, app)]) }

    /// The apps that run now, and their processes.
    package var runningReadings: [(app: String, reading: RunningApps.Reading)] {
        all.map { (app: $0, reading: processes(of: $0).read()) }.filter { !$0.reading.apps.isEmpty }
    }

    /// The apps that run now.
    var running: [String] { runningReadings.map(\.app) }

    /// The apps that have ever opened their flags. The demo, which has the flags of the built-in sample, is not among
    /// them: a script must not read its values because somebody has once tried it.
    var opened: [String] { all.filter { $0 != AppFolders.sampleApp && processes(of: $0).hasAny } }

    /// The app that is meant if nothing names one, and why, as a sentence: the only one that runs or, if none runs, the
    /// only one that has ever opened its flags.
    var onlyApp: (app: String, reason: String)? {
        let running = running
        if running.count == 1 { return (running[0], "Using \(running[0]), the only app that runs.") }
        let opened = opened
        guard running.isEmpty, opened.count == 1 else { return nil }
        return (opened[0], "Using \(opened[0]), the only app that was ever opened here.")
    }

    /// The app that a document belongs to, if nothing names one, and why, as a sentence: the only one whose code declares
    /// more than half of the document's flags. Apps that run come before those that have ended; of these, the document may
    /// also have more than half of the declared flags, as code declares a flag when it first reads it.
    func app(ofDocument path: String) -> (app: String, reason: String)? {
        // Somebody has once tried the demo, which has ended: its flags say nothing about documents.
        let declaring = all.map { (app: $0, reading: processes(of: $0).read()) }.filter {
            !$0.reading.declared.flags.isEmpty && ($0.app != AppFolders.sampleApp || !$0.reading.apps.isEmpty)
        }
        guard !declaring.isEmpty, let keys = ReadableDocuments.keys(of: path), !keys.isEmpty else { return nil }
        for isRunning in [true, false] {
            let candidates = declaring.filter { $0.reading.apps.isEmpty != isRunning }
            let matches = candidates.compactMap { app, reading -> (app: String, count: Int)? in
                let flags = reading.declared.flags
                let count = flags.count { keys.contains(FlagText($0.key)) }
                return count * 2 > keys.count || isRunning && count * 2 > flags.count ? (app, count) : nil
            }
            guard matches.isEmpty else {
                guard matches.count == 1, let (app, count) = matches.first else { return nil }
                let flags = "\(count) of \(keys.count.counted("flag")) of \(FilePath.name(of: path))"
                return (app, "Using \(app), which \(isRunning ? "runs and declares" : "has declared") \(flags).")
            }
        }
        return nil
    }

    /// Why an app may be the wrong one, as a sentence: no app with this id has ever opened its flags, but others have.
    /// `nil` if the app has, or if no app has.
    func warning(about app: String) -> String? {
        let opened = opened
        let isServed = AppFolders.isOfDocument(app) && processes(of: app).hasAny
        guard !opened.isEmpty, !opened.contains(app), !isServed else { return nil }
        let hint = NearestKeys.suggestion(about: app, among: opened)
        let others = opened.prefix(5).joined(separator: ", ")
        return "No app with the id \(JSONOutput.quoted(app, limit: 60)) has ever opened its flags on this machine."
            + (hint.isEmpty ? " Those that have: \(others)." : hint)
    }
}
