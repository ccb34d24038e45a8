import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagStorage
import Flags
import TerminalShell
import TerminalUI

/// A finding of `doctor`: a checked subject, with its issues.
struct Finding {
    let subject: String
    let issues: [String]
    let summary: String
    /// The exit code of an error; `nil` if the issues are only warnings, or there are none.
    let failure: ExitStatus?
    /// The remedies, a sentence each.
    var remedies: [String] = []

    /// The finding as text.
    ///
    /// - Parameter columns: the width of a line; `nil` for no limit.
    func lines(columns: Int? = nil) -> [String] {
        let mark = failure != nil ? "!" : issues.isEmpty ? "ok" : "~"
        let heading = DisplayText.padded(mark, to: 4) + DisplayText.padded(subject, to: 12)
        let indent = DisplayText.padded("", to: 16)
        guard let first = issues.first else { return summary.wrapped(to: columns, after: heading) }
        return first.wrapped(to: columns, after: heading)
            + issues.dropFirst().flatMap { $0.wrapped(to: columns, after: indent) }
            + remedies.flatMap { $0.wrapped(to: columns, after: indent + "-> ") }
    }

    var json: JSONOutput {
        .object([
            ("subject", .string(subject)), ("ok", .bool(failure == nil)), ("summary", .string(summary)),
            ("issues", .array(issues.map(JSONOutput.string))), ("remedies", .array(remedies.map(JSONOutput.string))),
        ])
    }

    /// All findings.
    static func all(_ settings: Settings) -> [Finding] {
        [Finding.settings(settings), configuration(settings)] + remote(settings)
            + team(settings) + [store(settings), terminal(settings)]
    }

    static func settings(_ settings: Settings) -> Finding {
        let file = settings.project?.path ?? "no flagmenu.json from here upward"
        return Finding(
            subject: "settings", issues: settings.project?.warnings ?? [],
            summary: "\(settings.hasNothing ? "no app" : "app \(settings.app)"), \(file)",
            failure: nil,
            remedies: settings.project?.warnings.isEmpty == false ? ["Fix the name in \(file), or remove it."] : []
        )
    }

    /// The finding about proxies and certificates; empty if no source is a service.
    static func network(_ settings: Settings) -> [Finding] {
        let services = settings.sources.filter { $0.kind != nil }
        guard !services.isEmpty else { return [] }
        let transport = TransportSettings(environment: settings.environment.variables.table, userAgent: "") { _ in }
        let addresses = services.flatMap(\.addresses)
        let proxies = Set(addresses.compactMap { transport.proxies.proxy(for: $0) }.map { "\($0.host):\($0.port)" })
        let route = proxies.isEmpty ? "no proxy" : "through \(proxies.sorted().joined(separator: ", "))"
        let isUnsafe = transport.trust == .nobodyIsVerified
        let warning =
            "\(TransportSettings.insecureVariable)=1: certificates are not verified. Anyone on the network path "
            + "can read the credentials and change the flags."
        let remedies =
            (isUnsafe
                ? [
                    "Unset \(TransportSettings.insecureVariable); set your own authority with "
                        + "\(TransportSettings.authoritiesVariable)."
                ] : []) + transport.invalidReasons.map { "Fix the variable \($0.variable), or unset it." }
        return [
            Finding(
                subject: "network",
                issues: (isUnsafe ? [warning] : []) + transport.invalidReasons.map { $0.sentence.asSentence },
                summary: "certificates are \(isUnsafe ? "not " : "")verified, \(route)", failure: nil,
                remedies: remedies)
        ]
    }

    static func catalog(_ workspace: Workspace) -> Finding {
        let catalog = workspace.remote.snapshot.catalog
        return Finding(
            subject: "catalog", issues: workspace.run.services.warnings + workspace.documentIssues,
            summary:
                "\(catalog.items.count.counted("flag")) in \(catalog.categories.count.counted("category", "categories"))",
            failure: nil)
    }

    static func store(_ settings: Settings) -> Finding {
        let store: OverrideStore
        do throws(CommandFailure) {
            store = try RunStore.overrides(of: settings)
        } catch {
            return Finding(subject: "store", issues: [error.sentence], summary: "", failure: error.status)
        }
        let reading = store.read()
        let isReadable: Bool
        switch reading.condition {
        case .missing, .sound: isReadable = true
        case .corrupt, .newerFormat, .unreadable: isReadable = false
        }
        var issues = [reading.issue].compactMap { $0 }
        let blocker = store.writeBlocker
        if let blocker { issues.append(blocker.description) }
        return Finding(
            subject: "store", issues: issues, summary: "\(store.path), overrides: \(reading.table.overrides.count)",
            failure: isReadable && blocker == nil ? nil : .store)
    }

    static func terminal(_ settings: Settings) -> Finding {
        let isUnicode = TerminalLocale.charset == .unicode
        let name = settings.environment["TERM"] ?? "not set"
        let colour = settings.isColorAllowed ? "colour" : "no colour"
        let issues =
            isUnicode
            ? [] : ["The locale is not UTF-8: other characters are escaped."]
        let blocker = TerminalError.blocker()
        return Finding(
            subject: "terminal", issues: issues + [blocker?.description].compactMap { $0 },
            summary: "TERM=\(name), \(isUnicode ? "UTF-8" : "ASCII"), \(colour)", failure: nil,
            remedies: isUnicode ? [] : ["Set LC_ALL to a UTF-8 locale, such as C.UTF-8."])
    }
}
