import FlagModel
import FlagQueries
import FlagSourceHTTP
import FlagStorage
import FlagWorkspace
import Flags
import TerminalShell
import TerminalUI

/// A finding of `doctor`: a checked subject, with its issues.
struct Finding {
    let subject: String
    var issues: [String] = []
    var summary = ""
    /// The exit code of an error; `nil` if the issues are only warnings, or there are none.
    var failure: ExitStatus?
    /// The remedies, a sentence each.
    var remedies: [String] = []

    /// The finding as text.
    ///
    /// - Parameter columns: the width of a line; `nil` for no limit.
    func lines(columns: Int? = nil) -> [String] {
        let mark = failure != nil ? "!" : issues.isEmpty ? "ok" : "~"
        let heading = DisplayText.padded(mark, to: 4) + DisplayText.padded(subject, to: 12)
        let indent = DisplayText.padded("", to: 16)
        let sentences = issues.isEmpty ? [summary] : issues
        return sentences.enumerated().flatMap { $1.wrapped(to: columns, after: $0 == 0 ? heading : indent) }
            + remedies.flatMap { $0.wrapped(to: columns, after: indent + "-> ") }
    }

    var json: JSONOutput {
        .object([
            ("subject", .string(subject)), ("ok", .bool(failure == nil)), ("summary", .string(summary)),
            ("issues", .array(issues.map(JSONOutput.string))), ("remedies", .array(remedies.map(JSONOutput.string))),
        ])
    }

    /// The error because of which a subject cannot be checked.
    static func failure(_ subject: String, _ error: CommandFailure) -> Finding {
        Finding(subject: subject, issues: [error.sentence], failure: error.status)
    }

    static func all(_ settings: Settings) -> [Finding] {
        [project(settings), configuration(settings)] + remote(settings)
            + [store(settings), cache(settings), terminal(settings)].compactMap { $0 }
    }

    private static func project(_ settings: Settings) -> Finding {
        let app = settings.hasNothing ? "no app" : "app \(settings.app)"
        guard let project = settings.project else {
            return Finding(subject: "settings", summary: "\(app), no flagmenu.json from here upward")
        }
        return Finding(
            subject: "settings", issues: project.warnings, summary: "\(app), \(project.path)",
            remedies: project.warnings.isEmpty ? [] : ["Fix the name in \(project.path), or remove it."])
    }

    /// The user's preferences, and their errors.
    private static func configuration(_ settings: Settings) -> Finding {
        let configuration = settings.configuration
        return Finding(
            subject: "config", issues: configuration.issues.map(\.description),
            summary: configuration.path + (configuration.file != .missing ? "" : ", not found: defaults in use"),
            failure: configuration.issues.isEmpty ? nil : .usage)
    }

    /// The finding about proxies and certificates; `nil` if no source is a service.
    static func network(_ settings: Settings) -> Finding? {
        let services = settings.sources.filter { $0.kind != nil }
        guard !services.isEmpty else { return nil }
        let transport = TransportSettings(environment: settings.environment.variables, userAgent: "") { _ in }
        let addresses = services.flatMap(\.addresses)
        let proxies = Set(addresses.compactMap { transport.proxies.proxy(for: $0) }.map { "\($0.host):\($0.port)" })
        let route = proxies.isEmpty ? "no proxy" : "through \(proxies.sorted().joined(separator: ", "))"
        let (variable, invalid) = (TransportSettings.insecureVariable, transport.invalidReasons)
        let isInsecure = transport.trust == .nobodyIsVerified
        let warning = "\(variable)=1: anyone on the network path can read the credentials and change the flags."
        let remedy = "Unset \(variable); set your own authority with \(TransportSettings.authoritiesVariable)."
        return Finding(
            subject: "network", issues: (isInsecure ? [warning] : []) + invalid.map { $0.sentence.asSentence },
            summary: "certificates are \(isInsecure ? "not " : "")verified, \(route)",
            remedies: (isInsecure ? [remedy] : []) + invalid.map { "Fix the variable \($0.variable), or unset it." })
    }

    private static func store(_ settings: Settings) -> Finding {
        let store: OverrideStore
        do throws(CommandFailure) { store = try RunStore.overrides(of: settings) } catch {
            return failure("store", error)
        }
        let (reading, blocker) = (store.read(), store.writeBlocker)
        let isReadable = [.missing, .sound].contains(reading.condition)
        return Finding(
            subject: "store", issues: [reading.issue, blocker?.description].compactMap { $0 },
            summary: "\(store.path), overrides: \(reading.table.overrides.count)",
            failure: isReadable && blocker == nil ? nil : .store)
    }

    /// The error that responses cannot be cached; `nil` if they can.
    private static func cache(_ settings: Settings) -> Finding? {
        guard !settings.sources.isEmpty else { return nil }
        return DurableFile.blocker(toWritingIn: settings.cacheDirectory).map { blocker in
            Finding(
                subject: "cache", issues: ["\(blocker) Fetched values are not cached, so they cannot be activated."],
                failure: .store, remedies: ["Make the folder writable, or name another one with XDG_CACHE_HOME."])
        }
    }

    private static func terminal(_ settings: Settings) -> Finding {
        let isUnicode = TerminalLocale.charset == .unicode
        let name = settings.environment["TERM"] ?? "not set"
        let issues = isUnicode ? [] : ["The locale is not UTF-8: other characters are escaped."]
        return Finding(
            subject: "terminal", issues: issues + [TerminalError.blocker()?.description].compactMap { $0 },
            summary: "TERM=\(name), \(isUnicode ? "UTF-8" : "ASCII"), "
                + (settings.isColorAllowed ? "colour" : "no colour"),
            remedies: isUnicode ? [] : ["Set LC_ALL to a UTF-8 locale, such as C.UTF-8."])
    }
}

extension [Finding] {
    /// The exit code of the first error; `nil` if there is none.
    var failure: ExitStatus? { compactMap(\.failure).first }
}
