import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Flags

// What the code of apps declares.
extension Workspace {
    /// The flags that the code of running apps declares or, if none runs, that the app declared last, sorted by key; and
    /// what is unclear about them, a sentence each. Of different declarations of one key in running apps, that of the app
    /// which started last is used.
    var declaredFlags: (flags: [DeclaredFlag], warnings: [String]) {
        let reading = settings.declarations.read()
        let running = reading.running.filter { !$0.isClient && !$0.flags.isEmpty }
        guard !running.isEmpty else { return (reading.flags.flags, reading.warnings) }
        var warnings = reading.warnings
        var declarations: [String: (app: RunningApp, flag: DeclaredFlag)] = [:]
        for app in running {
            for flag in app.flags.map(\.withoutUse) {
                if let earlier = declarations[flag.key], earlier.flag != flag {
                    warnings.append(
                        "\(earlier.app.shownName) and \(app.shownName) declare \(JSONOutput.quoted(flag.key, limit: 80)) "
                            + "differently; the declaration of \(app.shownName), which started last, is used.")
                }
                declarations[flag.key] = (app, flag)
            }
        }
        return (declarations.values.map(\.flag).sorted { FlagText($0.key) < FlagText($1.key) }, warnings)
    }

    /// The flags of the sources and the defaults, without those that apps declare: the same documents must result in the
    /// same code on every machine. Without any document, what apps declare.
    func documentSnapshot() throws(CommandFailure) -> RemoteSnapshot {
        guard !settings.hasOnlyCode else { return board.snapshot }
        return remote.sources.activated.snapshot(defaults: try RunStore.defaults(of: settings))
    }
}
