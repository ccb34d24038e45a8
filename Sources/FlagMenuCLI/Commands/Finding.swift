import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagStorage
import Flags
import TerminalShell
import TerminalUI

/// A finding of the doctor.
struct Finding {
    let subject: String
    let problems: [String]
    let summary: String
    /// The exit code; `nil` for a remark.
    let failure: ExitStatus?
    /// The remedies, a sentence each.
    var remedies: [String] = []

    /// The finding as text.
    ///
    /// - Parameter columns: the width of a line; `nil` for no limit.
    func lines(columns: Int? = nil) -> [String] {
        let mark = failure != nil ? "!" : problems.isEmpty ? "ok" : "~"
        let heading = DisplayText.padded(mark, to: 4) + DisplayText.padded(subject, to: 12)
        let indent = DisplayText.padded("", to: 16)
        guard let first = problems.first else { return summary.wrapped(to: columns, behind: heading) }
        return first.wrapped(to: columns, behind: heading)
            + problems.dropFirst().flatMap { $0.wrapped(to: columns, behind: indent) }
            + remedies.flatMap { $0.wrapped(to: columns, behind: indent + "-> ") }
    }

    var json: JSONOutput {
        .object([
            ("subject", .string(subject)), ("ok", .bool(failure == nil)), ("summary", .string(summary)),
            ("issues", .array(problems.map(JSONOutput.string))), ("remedies", .array(remedies.map(JSONOutput.string))),
        ])
    }

    /// All findings.
    static func all(_ settings: Settings) -> [Finding] {
        [Finding.settings(settings), configuration(settings)] + remote(settings)
            + [store(settings), terminal(settings)]
    }

    static func settings(_ settings: Settings) -> Finding {
        let file = settings.project?.path ?? "no flagmenu.json from here upward"
        return Finding(
            subject: "settings", problems: settings.project?.remarks ?? [], summary: "app \(settings.app), \(file)",
            failure: nil,
            remedies: settings.project?.remarks.isEmpty == false ? ["Correct the name in \(file), or remove it."] : []
        )
    }

    /// How services are reached; empty if there is none.
    static func network(_ settings: Settings) -> [Finding] {
        let services = settings.sources.filter { $0.kind != nil }
        guard !services.isEmpty else { return [] }
        let transport = TransportSettings(environment: settings.environment.variables.table, userAgent: "") { _ in }
        let addresses = services.flatMap(\.addresses)
        let proxies = Set(addresses.compactMap { transport.proxies.proxy(for: $0) }.map { "\($0.host):\($0.port)" })
        let way = proxies.isEmpty ? "no proxy" : "through \(proxies.sorted().joined(separator: ", "))"
        let isUnsafe = transport.trust == .nobodyIsVerified
        let danger =
            "\(TransportSettings.insecureVariable)=1: certificates are not verified. Anyone between here and a service "
            + "can read the credentials and change the flags."
        let remedies =
            (isUnsafe
                ? [
                    "Unset \(TransportSettings.insecureVariable); set your own authority with "
                        + "\(TransportSettings.authoritiesVariable)."
                ] : []) + transport.objections.map { "Correct the variable \($0.variable), or unset it." }
        return [
            Finding(
                subject: "network",
                problems: (isUnsafe ? [danger] : []) + transport.objections.map { $0.sentence.asSentence },
                summary: "certificates are \(isUnsafe ? "not " : "")verified, \(way)", failure: nil, remedies: remedies)
        ]
    }

    static func catalog(_ workspace: Workspace) -> Finding {
        let snapshot = workspace.remote.snapshot
        let catalog = snapshot.catalog
        return Finding(
            subject: "catalog", problems: workspace.run.services.warnings + snapshot.problems.map(\.description),
            summary:
                "\(catalog.items.count.counted("flag")) in \(catalog.categories.count.counted("category", "categories"))",
            failure: nil)
    }

    static func store(_ settings: Settings) -> Finding {
        let store = RunStore.overrides(of: settings)
        let reading = store.read()
        let isReadable: Bool
        switch reading.condition {
        case .missing, .sound: isReadable = true
        case .corrupt, .newerFormat, .unreadable: isReadable = false
        }
        var problems = [reading.problem].compactMap { $0 }
        let obstacle = store.writingObstacle
        if let obstacle { problems.append(obstacle.description) }
        return Finding(
            subject: "store", problems: problems, summary: "\(store.path), overrides: \(reading.table.overrides.count)",
            failure: isReadable && obstacle == nil ? nil : .store)
    }

    static func terminal(_ settings: Settings) -> Finding {
        let isUnicode = TerminalLocale.charset == .unicode
        let name = settings.environment["TERM"] ?? "not set"
        let colour = settings.isColorAllowed ? "colour" : "no colour"
        let problems =
            isUnicode
            ? [] : ["The locale is not UTF-8: other characters are escaped."]
        let obstacle = TerminalError.obstacle()
        return Finding(
            subject: "terminal", problems: problems + [obstacle?.description].compactMap { $0 },
            summary: "TERM=\(name), \(isUnicode ? "UTF-8" : "ASCII"), \(colour)", failure: nil,
            remedies: isUnicode ? [] : ["Set LC_ALL to a UTF-8 locale, such as C.UTF-8."])
    }
}
