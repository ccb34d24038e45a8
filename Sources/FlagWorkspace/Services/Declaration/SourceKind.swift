import FlagModel
package import FlagRemote

/// A kind of source. Arguments, `flagmenu.json`, its schema, and the output of `init` and `doctor` follow from it.
package protocol SourceKind: Sendable {
    /// The text before the colon in the name of a source of this kind: `acme` in `acme:https://flags.example.com`.
    var scheme: String { get }
    /// The kind in words, such as `a server that speaks Acme`.
    var title: String { get }
    /// Where its sources are.
    var address: SourceAddress { get }
    /// The kind's options, credentials last.
    var options: [SourceOption] { get }

    /// The options that have no effect with these settings, whether they are set or not, each with the reason as the
    /// end of a sentence.
    func unusedOptions(_ settings: SourceSettings) -> [String: String]
    /// The places of the credentials that are used with these settings; by default all except rare ones that are not
    /// set.
    func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace]
    /// What to do about an error in terms of the service; empty if the remedies for all services say it.
    func remedies(for error: SourceError, of settings: SourceSettings) -> [String]
    /// Makes the source. Sends no request. It is also called with settings that read no credentials.
    ///
    /// - Throws: why the settings are not valid, or a credential cannot be used.
    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource
}

/// Where the sources of a kind are: what follows the scheme in their names.
package struct SourceAddress: Sendable {
    /// A placeholder for the text after the scheme.
    package var placeholder = "URL"
    /// Whether a source's name is its URL, so that the kind's scheme is the scheme of the URL.
    package var isURL = false
    /// The scheme of encrypted addresses if it is the only way to send credentials to another machine; else `nil`.
    var secureScheme: String?
    /// The environment variable that contains the address if the source's name does not.
    var variable: String?
    /// The service's default addresses: the first responds to requests, the others stream changes.
    package var homes: [String] = []
    /// One or two words that distinguish the source from others with the same name; `nil` for the most common variant.
    /// By default its environment in the project file: a tester's context must not change the name of a source.
    var variant: @Sendable (SourceSettings) -> String? = { settings in
        let hasEnvironments = settings.kind?.options.contains { $0.name == "environment" } == true
        return hasEnvironments ? settings.options?["environment"]?.text?.string : nil
    }
    /// The URLs of the hosts in an address; empty if the address is not valid.
    var urls: @Sendable (String) -> [SourceURL] = { SourceURL($0).map { [$0] } ?? [] }
}

extension SourceKind {
    package func unusedOptions(_ settings: SourceSettings) -> [String: String] { [:] }
    package func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace] {
        let rare = credentials.filter(\.isRare).map(\.name)
        return settings.credentials.filter { place in
            !rare.contains(place.name) || place.isNamed || place.isThere
        }
    }
    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] { [] }

    /// The kind's credentials, each with the environment variable that usually contains it.
    package var credentials: [(name: String, variable: String, isRare: Bool)] {
        options.compactMap(\.credential)
    }

    /// The options that name a key file, the most common one first. A key file gives access without a token.
    package var keyFiles: [(option: String, file: KeyFile)] {
        let files = options.compactMap(\.keyFile)
        return files.filter { $0.file.variable != nil } + files.filter { $0.file.variable == nil }
    }

    /// The key file that has a content; `nil` if a file with this content is not a key file.
    package func keyFile(withContent content: String) -> (option: String, file: KeyFile)? {
        keyFiles.first { $0.file.hasContent(content) }
    }

    /// The option with the evaluation context; `nil` if the kind does not evaluate flags for a context.
    var contextOption: SourceOption? { options.first { $0.context != nil } }

    /// The options that are part of the evaluation context in addition to `context`, each with its default.
    var contextTexts: [(name: String, standard: String?)] { options.compactMap(\.contextText) }

    /// The form of the names of its sources, such as `acme:URL`.
    package var example: String {
        address.isURL ? "\(scheme)://HOST/PATH" : "\(scheme):\(address.placeholder)"
    }
}
