/// A kind of source, declared by the target that reads it. Arguments, `flagmenu.json`, its schema, and the output of
/// `init` and `doctor` follow from the declaration.
package protocol SourceKind: Sendable {
    /// The text before the colon in the name of a source of this kind: `acme` in `acme:https://flags.example.com`.
    var scheme: String { get }
    /// Whether a source's name is its URL, so that ``scheme`` is the scheme of the URL.
    var isURL: Bool { get }
    /// The scheme of encrypted addresses if it is the only way to send credentials to another machine; else `nil`.
    var secureScheme: String? { get }
    /// A placeholder for the text after the scheme, such as `URL`.
    var place: String { get }
    /// The kind in words, such as `a server that speaks Acme`.
    var title: String { get }
    /// The kind's options, credentials last.
    var options: [SourceOption] { get }
    /// The names of those options in ``SourceOption/common`` that this kind reads in addition to ``options``.
    var commonOptions: [String] { get }
    /// The environment variable that contains the address if the source's name does not.
    var addressVariable: String? { get }
    /// The service's default addresses: the first responds to requests, the others stream changes.
    var homes: [String] { get }
    /// The options that are part of the evaluation context in addition to `context`, each with its default.
    var contextTexts: [(name: String, standard: String?)] { get }
    /// The member of the context that identifies the user or device.
    var targetingMember: String { get }
    /// Names that users confuse with context members or options, each with the correct name.
    var contextMistakes: [String: String] { get }
    /// The names of credentials that few users need. They are used if they are set, and `init` does not ask for them.
    var rareCredentials: [String] { get }
    /// Whether the service requires a credential.
    var needsCredentials: Bool { get }
    /// The options that name a key file, each with a description of the file; the most common option is first. A key
    /// file gives access without a token.
    var keyFiles: [(option: String, title: String)] { get }
    /// The environment variable that names a key file if no option does; empty if the kind has no key file.
    var keyFileVariable: String { get }
    /// The credential that a key file needs in addition; `nil` if it needs none.
    var keyFileCompanion: String? { get }

    /// The URLs of the hosts in an address; empty if the address is not valid.
    func urls(at address: String) -> [SourceURL]
    /// The option for a key file with this content; `nil` if a file with this content is not a key file.
    func keyFileOption(content: String) -> String?
    /// The option for a key file with this file name; `nil` if no key file has this name. The file may not exist.
    func keyFileOption(name: String) -> String?
    /// The options that have no effect with these settings, whether they are set or not.
    func unusedOptions(_ settings: SourceSettings) -> [UnusedOption]
    /// Remedies for an error that are specific to this kind; empty to use the remedies of all kinds.
    func remedies(for error: SourceError, _ settings: SourceSettings) -> [String]
    /// The places of the credentials that are used with these settings; by default all except ``rareCredentials`` that
    /// are not set.
    func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace]
    /// One or two words that distinguish the source from others with the same name; `nil` for the most common variant.
    func variant(_ settings: SourceSettings) -> String?
    /// Makes the source. Sends no request.
    ///
    /// - Throws: why the settings are not valid.
    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource
}

extension SourceKind {
    package var isURL: Bool { false }
    package var secureScheme: String? { nil }
    package var commonOptions: [String] { [] }
    package var addressVariable: String? { nil }
    package var homes: [String] { [] }
    package var contextTexts: [(name: String, standard: String?)] { [] }
    package var targetingMember: String { "targetingKey" }
    package var contextMistakes: [String: String] { [:] }
    package var rareCredentials: [String] { [] }
    package var needsCredentials: Bool { true }
    package var keyFiles: [(option: String, title: String)] { [] }
    package var keyFileVariable: String { "" }
    package var keyFileCompanion: String? { nil }
    package func urls(at address: String) -> [SourceURL] { SourceURL(address).map { [$0] } ?? [] }
    package func keyFileOption(content: String) -> String? { nil }
    package func keyFileOption(name: String) -> String? { nil }
    package func unusedOptions(_ settings: SourceSettings) -> [UnusedOption] { [] }
    package func remedies(for error: SourceError, _ settings: SourceSettings) -> [String] { [] }
    package func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace] {
        settings.credentials.filter { place in
            guard rareCredentials.contains(place.name), case .variable(_, isNamed: false) = place.holder else {
                return true
            }
            return place.isThere
        }
    }
    package func variant(_ settings: SourceSettings) -> String? { nil }

    /// The kind's credentials, each with the environment variable that usually contains it.
    package var credentials: [(name: String, variable: String)] {
        options.compactMap { option in option.variable.map { (option.name, $0) } }
    }

    /// The option with the evaluation context; `nil` if the kind does not evaluate flags for a context.
    package var contextMember: String? {
        ["context", "attributes"].first { name in options.contains { $0.name == name } }
    }

    /// The name of the source at an address, such as `acme:https://flags.example.com`.
    package func name(at address: String) -> String {
        guard isURL else { return "\(scheme):\(address)" }
        return address.contains("://") ? address : "\(scheme)://\(address)"
    }
}

/// An option that has no effect, and the reason as the end of a sentence.
package typealias UnusedOption = (name: String, reason: String)
