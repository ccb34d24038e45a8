import FlagModel
import FlagStorage

/// The apps of this user that have opened their flags on this machine.
struct FoundApps {
    /// The folder with a state folder for each app.
    private let folder: String
    /// The ids of all apps with a state folder, sorted.
    let all: [String]

    init(_ environment: Environment) {
        folder = FilePath.folder(of: AppFolders(app: "sample", environment).state)
        // Without the folder, no app has ever opened its flags, and no override was ever set.
        all = ((try? DurableFile.names(in: folder)) ?? []).filter(AppFolders.isName).sorted()
    }

    /// What an app has announced.
    func declarations(of app: String) -> AppDeclarations { AppDeclarations(in: [FilePath.join(folder, app)]) }

    /// The apps that run now.
    var running: [String] { all.filter { !declarations(of: $0).running.apps.isEmpty } }

    /// The apps that have ever opened their flags.
    var opened: [String] { all.filter { declarations(of: $0).hasAny } }

    /// The app that is meant if nothing names one: the only one that runs or, if none runs, the only one that has ever
    /// opened its flags.
    var onlyApp: String? {
        let opened = opened
        if opened.count < 2 { return opened.first }
        let running = running
        return running.count == 1 ? running[0] : nil
    }

    /// Why an app may be the wrong one, as a sentence: no app with this id has ever opened its flags, but others have.
    /// `nil` if the app has, or if no app has.
    func warning(about app: String) -> String? {
        let opened = opened
        guard !opened.isEmpty, !opened.contains(app) else { return nil }
        let hint = NearestKeys.suggestion(about: app, among: opened)
        let others = opened.prefix(5).joined(separator: ", ")
        return "No app with the id \(JSONOutput.quoted(app, limit: 60)) has ever opened its flags on this machine."
            + (hint.isEmpty ? " Those that have: \(others)." : hint)
    }
}
