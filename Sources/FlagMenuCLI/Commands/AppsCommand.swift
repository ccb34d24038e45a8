import ArgumentParser
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagWorkspace
import TerminalUI

struct AppsCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "apps", abstract: "List running apps, and the values that they use.",
        usage: "flagmenu apps [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu apps
              flagmenu apps --json
              flagmenu apps --app shop

            Without --app, lists all apps if several run. \
            An app is listed while a process has its flags open. For each flag that its code declares: the value in use, \
            its layer, and whether the code has read it since it became the value. flagmenu serve is listed with its \
            clients, each for five minutes after it has asked, and the values that they got.

            --json writes an array with an object for each app: app (the id that --app takes), id, name, process, startedAt, \
            ignoredOverrides (how many at its start; null if overrides are used), overrideFolder, revision (of the overrides in use), activation \
            (nextLaunch, or left out), hasSources (true, or left out), clients (of flagmenu serve: name, firstAt, lastAt, \
            allAt, ownOverrides and flags) and flags; each flag has key, type, default, title, description, group, owner, expires, \
            restart, options and use: value, layer, remoteValue (of its team, else of its sources), since, readAt, wasRead, firstValue, rejection and rejectedValue. \
            Members that are not set are left out, such as readAt if the code has not read the value since. Times are in \
            milliseconds since 1970.
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    var runsWithoutValues: Bool { true }

    var needsFlags: Bool { false }

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        let readings =
            settings.hasNothing
            ? FoundApps(settings.environment, includesDocuments: true).runningReadings
            : [(app: settings.app, reading: workspace.runningApps)]
        settings.warn(readings.flatMap(\.reading.warnings))
        if settings.isJSON {
            return JSONOutput.array(
                readings.flatMap { app, reading in
                    reading.apps.map { .object([("app", .string(app))] + $0.members) }
                }
            ).print()
        }
        for (app, reading) in readings {
            if settings.hasNothing { StandardOutput.write(lines: ["--app \(app)"]) }
            for running in reading.apps { StandardOutput.write(lines: running.lines) }
            if reading.apps.isEmpty { settings.printLine("No process runs \(app) with its flags open.") }
        }
    }
}

extension RunningApp {
    /// The app and its flags, as lines.
    fileprivate var lines: [String] {
        let now = SourceClock.system.now()
        let age = FlagTimestamp(milliseconds: startedAt).age(at: now)
        if ignoredOverrides != nil { return ["\(shownName)  started \(age), \(FlagUptake.ignoresOverrides.summary)"] }
        guard clients.isEmpty else {
            let clients = activeClients(at: now.milliseconds)
            return ["\(shownName)  started \(age), \(clients.count.counted("client"))"]
                + clients.flatMap { client in
                    let age = FlagTimestamp(milliseconds: client.lastAt).age(at: now)
                    let all = client.allAt.map { ", for all \(FlagTimestamp(milliseconds: $0).age(at: now))" } ?? ""
                    return ["  client \(client.name)  asked \(age)\(all)"] + client.flags.lines(indent: "    ")
                }
        }
        return ["\(shownName)  started \(age), \(flags.count.counted("declared flag"))"] + flags.lines(indent: "  ")
    }
}

extension [DeclaredFlag] {
    /// The values in use, a line each.
    fileprivate func lines(indent: String) -> [String] {
        let width = map(\.key.count).max() ?? 0
        return map { flag in
            let key = DisplayText.padded(flag.key, to: width)
            guard let use = flag.use else { return "\(indent)\(key)" }
            let needsRestart = flag.facts.needsRestart && use.wasRead && use.firstValue != use.value
            let state =
                use.rejection.map { "  rejected: \($0)" }
                ?? (needsRestart
                    ? "  restart to apply"
                    : use.readAt != nil ? "" : use.wasRead ? "  not read since" : "  not read yet")
            return "\(indent)\(key)  \(EffectiveChange.shown(use.value)) (\(use.layer.word))\(state)"
        }
    }
}
