import FlagModel
import FlagRemote

/// A kind of service that remote values come from, as settings name it: `ofrep:https://flags.example.com`.
///
/// A new kind is one entry in ``all``, and its word among those that `SourceName` takes for services; arguments, `flagmenu.json`,
/// its schema and the manual follow.
struct ServiceKind: Sendable {
    /// Which JSON values a member takes.
    enum Form: Sendable, Equatable {
        case text
        case choice([String])
        /// At least so many.
        case number(least: Int)
        case object
    }

    /// A member that may stand beside `source` in `flagmenu.json`.
    typealias Member = (name: String, form: Form, help: String)

    /// What stands before the colon.
    let scheme: String
    /// Whether its sources are named by their URL, which the scheme is a part of.
    var isURL = false
    /// What stands behind it, for the manual, such as `URL`.
    let place: String
    /// The kind in words, for the manual.
    let title: String
    /// Its members besides those of all credentials.
    let members: [Member]
    /// The names of its credentials: `token` stands for the members `tokenVariable` and `tokenFile`.
    let credentials: [(name: String, variable: String)]
    /// The variable that holds the address where settings name none.
    var addressVariable: String?
    /// The service's own addresses, where settings name no other; the first is asked, the others stream.
    var homes: [String] = []
    /// Texts beside the context that say for whom flags are evaluated too, each with what it is where nobody names one.
    var contextTexts: [(name: String, standard: String?)] = []
    /// What somebody may take for the name of a member that says whom the context is about, and that name.
    var contextMistakes: [String: String] = [:]
    /// Whether it lets nobody in without a credential.
    var needsCredentials = true
    /// A file that lets in too; `nil` where there are only its credentials.
    var keyFile: KeyFile?
    /// Members that every entry may have and that this kind reads, beside its own.
    var evaluationMembers: [String] = []
    /// Those of its members that change nothing in an entry, or would not if they stood there.
    var idleSettings: @Sendable (CredentialSearch) -> [IdleSetting] = { _ in [] }
    /// What to mend after a failure that means something else here than it does for other kinds; empty where it does not.
    var remedies: @Sendable (SourceError, CredentialSearch) -> [String] = { _, _ in [] }
    /// Those of the places of credentials that count, where it takes one of several.
    var usedCredentials: @Sendable (CredentialSearch) -> [CredentialPlace] = { $0.all }
    /// What tells a source from others of the same name, as a word or two; `nil` for the usual one.
    var variant: @Sendable (SourceSetting) -> String? = { _ in nil }
    /// Makes the source. It asks nothing yet.
    let source: @Sendable (ServiceSetting) throws(SourceError) -> any RemoteSource

    /// Every kind.
    static let all: [ServiceKind] = [.ofrep, .unleash, .launchDarkly, .split, .cloudKit, .firebase, .url]

    /// The kind that a source's name begins with; `nil` for a file.
    static func named(by name: String) -> ServiceKind? {
        // Most sources are files, whose start need not wait for a list of all services.
        guard name.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return all.first { name.hasPrefix("\($0.scheme):") || $0.isURL && name.hasPrefix("http:") }
    }

    /// The member that says for whom flags are evaluated; `nil` where a service is not asked for anybody.
    var contextMember: String? { ["context", "attributes"].first { name in members.contains { $0.name == name } } }

    /// The name of the source at an address, such as `ofrep:https://flags.example.com`.
    func name(at address: String) -> String {
        guard isURL else { return "\(scheme):\(address)" }
        return address.contains("://") ? address : "\(scheme)://\(address)"
    }

    /// All members, with where credentials are found.
    var allMembers: [Member] {
        members
            + credentials.flatMap { credential -> [Member] in
                [
                    (
                        "\(credential.name)Variable", .text,
                        "The environment variable that holds the \(credential.name); \(credential.variable) where none is named."
                    ),
                    ("\(credential.name)File", .text, "The file that holds the \(credential.name) and nothing else."),
                ]
            }
    }
}
