/// A kind of source, declared by the target that reads it. Arguments, `flagmenu.json`, its schema, and what `init` and
/// `doctor` print follow from the declaration.
package protocol SourceKind: Sendable {
    /// What precedes the colon in the name of such a source: `acme` in `acme:https://flags.example.com`.
    var scheme: String { get }
    /// Whether a source is named by its URL, which the scheme is a part of.
    var isURL: Bool { get }
    /// What follows the scheme, such as `URL`.
    var place: String { get }
    /// The kind in words, such as `a server that speaks Acme`.
    var title: String { get }
    /// Its options, credentials last.
    var options: [SourceOption] { get }
    /// The options of every source that this kind reads too, by name.
    var commonOptions: [String] { get }
    /// The variable with the address of a source that names none.
    var addressVariable: String? { get }
    /// The service's own addresses: the first responds, the others stream.
    var homes: [String] { get }
    /// The options besides the context that are part of the evaluation context, each with its default.
    var contextTexts: [(name: String, standard: String?)] { get }
    /// The right name of such an option, by a name that users confuse with it.
    var contextMistakes: [String: String] { get }
    /// Whether the service requires a credential.
    var needsCredentials: Bool { get }
    /// The options that name a file that gives access in place of a token, the usual one first, each with what the file is.
    var keyFiles: [(option: String, title: String)] { get }
    /// The variable that names such a file if no option does.
    var keyFileVariable: String { get }
    /// The credential that goes with such a file; `nil` if none does.
    var keyFileCompanion: String? { get }

    /// The option that names a file with this content; `nil` if such a file gives no access.
    func keyFileOption(content: String) -> String?
    /// The option that names a file of this name, which does not exist yet.
    func keyFileOption(name: String) -> String?
    /// The options that change nothing in these settings, or would not if they were set.
    func unusedOptions(_ settings: SourceSettings) -> [UnusedOption]
    /// What to do about an error that means something else for this kind than for others; empty if it means the same.
    func remedies(for error: SourceError, _ settings: SourceSettings) -> [String]
    /// The places of the credentials that are used, if the kind takes one of several.
    func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace]
    /// What distinguishes a source from others of the same name, in a word or two; `nil` for the usual one.
    func variant(_ settings: SourceSettings) -> String?
    /// Makes the source, without a request yet.
    ///
    /// - Throws: why these settings do not make a source.
    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource
}

extension SourceKind {
    package var isURL: Bool { false }
    package var commonOptions: [String] { [] }
    package var addressVariable: String? { nil }
    package var homes: [String] { [] }
    package var contextTexts: [(name: String, standard: String?)] { [] }
    package var contextMistakes: [String: String] { [:] }
    package var needsCredentials: Bool { true }
    package var keyFiles: [(option: String, title: String)] { [] }
    package var keyFileVariable: String { "" }
    package var keyFileCompanion: String? { nil }
    package func keyFileOption(content: String) -> String? { nil }
    package func keyFileOption(name: String) -> String? { nil }
    package func unusedOptions(_ settings: SourceSettings) -> [UnusedOption] { [] }
    package func remedies(for error: SourceError, _ settings: SourceSettings) -> [String] { [] }
    package func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace] { settings.credentials }
    package func variant(_ settings: SourceSettings) -> String? { nil }

    /// Its credentials, each with the variable that usually contains it.
    package var credentials: [(name: String, variable: String)] {
        options.compactMap { option in option.variable.map { (option.name, $0) } }
    }

    /// The option with the evaluation context; `nil` if flags are not evaluated for one.
    package var contextMember: String? {
        ["context", "attributes"].first { name in options.contains { $0.name == name } }
    }

    /// The name of the source at an address, such as `acme:https://flags.example.com`.
    package func name(at address: String) -> String {
        guard isURL else { return "\(scheme):\(address)" }
        return address.contains("://") ? address : "\(scheme)://\(address)"
    }
}

/// An option that has no effect, and why, as the end of a sentence.
package typealias UnusedOption = (name: String, reason: String)
