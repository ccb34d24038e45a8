import FlagModel
package import FlagRemote

/// What sets the address of a source: the source's name, an option in `flagmenu.json`, an environment variable, or the
/// kind of source.
enum AddressNaming: Sendable {
    case name, option, variable, kind
}

/// The settings of one source: its name, its options in `flagmenu.json`, and the tester's context override.
package struct SourceSettings: Sendable {
    /// The absolute path of a file, or the name of a service as the user typed it. A typed name may contain a secret.
    let name: String
    /// The kind of service; `nil` for a file.
    package let kind: (any SourceKind)?
    /// The source's object in the project file; `nil` if the source has no object there.
    var options: JSONValue?
    /// The tester's override, which wins over ``options``.
    var contextOverride = ContextOverride()
    /// Whether an edit of the file comes into use at once.
    var activatesUpdates = false
    /// The folder of the project file, against which relative paths in the options are resolved; `/` without one.
    var folder = "/"
    /// A word that distinguishes the source from others of the same name, such as `server`; `nil` if the name is
    /// unique.
    var label: String?
    /// The names of credentials that are not sent to this source, each with the name of another source. The other
    /// source has the same kind and another host, and would get the credential from the same variable or key file.
    var credentialConflicts: [String: String] = [:]
    /// Where credentials and addresses are looked up.
    var environment = Environment()
    /// The app's state folder, where a source may store what outlives the process, and what is called with a sentence
    /// if that fails; `nil` if it stores nothing.
    var state: (folder: String, warn: @Sendable (String) -> Void)?
    /// Whether credentials are read. A source that is made without them can only decode the values cached for it.
    private(set) var readsCredentials = true

    /// The path of a file; `nil` for a service.
    package var path: String? { kind == nil ? name : nil }

    /// The name after the scheme, or the whole name if the name is a URL; empty for a file.
    var address: String { kind.map { $0.address.isURL ? name : String(name.dropFirst($0.scheme.count + 1)) } ?? "" }

    /// The name without secrets, unique in a run.
    package var shown: String { (kind.map { "\(prefix(of: $0))\(shownAddress)" } ?? name) + suffix }

    /// The address without secrets. A key that a user has typed in place of a URL is masked.
    private var shownAddress: String {
        kind?.address.placeholder == "URL" ? RedactedURL.typed(address) : RedactedURL.text(address)
    }

    /// The address in the name or, if the name has none, in the kind's variable, else a standard one.
    func address(or standard: String) -> String {
        address.isEmpty ? addressVariable.flatMap { variable($0) } ?? standard : address
    }

    private func prefix(of kind: any SourceKind) -> String { kind.address.isURL ? "" : "\(kind.scheme):" }

    /// The label in parentheses, to follow the name; empty if there is none.
    package var suffix: String { label.map { " (\($0))" } ?? "" }

    /// Whether a typed name refers to this source: either ``shown``, or the name in the settings with the suffix.
    func isNamed(_ typed: String) -> Bool { typed == shown || typed == name + suffix }

    /// The host or the project of a service, or the path of a file.
    var place: String {
        guard kind != nil else { return name }
        return SourceURL(address)?.authority ?? shownAddress
    }

    /// The short name that messages and the menu's title show.
    package var title: String { shortName + suffix }

    /// The short name without its suffix.
    var shortName: String {
        guard let kind else { return name == SourceName.standardInput ? "standard input" : FilePath.name(of: name) }
        let document = kind.address.isURL ? SourceURL(address)?.documentName : nil
        // If the name has no address, the address is in a variable, or is the service's own.
        return document ?? "\(prefix(of: kind))\(place.isEmpty ? addresses.first?.authority ?? "" : place)"
    }

    /// The valid URLs at which the service responds or streams changes.
    package var addresses: [SourceURL] { namedAddresses.map(\.address) }

    /// The URLs of ``addresses``, each with what sets it.
    var namedAddresses: [(address: SourceURL, naming: AddressNaming)] {
        guard let kind else { return [] }
        // An option that the kind does not have has no effect, even if it is set.
        func option(_ name: String) -> [String]? {
            kind.options.contains { $0.name == name } ? text(name).map { [$0] } : nil
        }
        func addresses(_ texts: [String], _ naming: AddressNaming) -> [(SourceURL, AddressNaming)] {
            texts.compactMap { SourceURL($0) }.map { ($0, naming) }
        }
        let streams = addresses(option("streamURL") ?? [], .option)
        if let named = option("url") { return addresses(named, .option) + streams }
        if let addressVariable, let value = variable(addressVariable) { return addresses([value], .variable) + streams }
        let urls = kind.address.urls(address)
        return urls.map { ($0, .name) } + (urls.isEmpty ? addresses(kind.address.homes, .kind) : []) + streams
    }

    /// The variable that contains the address; `nil` if the address is set elsewhere or not at all.
    var addressVariable: String? {
        address.isEmpty ? kind?.address.variable.flatMap { variable($0) == nil ? nil : $0 } : nil
    }
}

// Options as values, which a kind of source reads.
extension SourceSettings {
    /// The value of an option that is a text.
    func text(_ option: String) -> String? { member(option)?.text?.string }

    /// The value of an option that is a whole number.
    func number(_ option: String) -> Int? { member(option).flatMap { Int($0.source) } }

    /// The value of an option as a case of an enumeration; `nil` if the value is not one of the enumeration's raw
    /// values.
    func choice<Choice: RawRepresentable<String>>(_ option: String) -> Choice? {
        text(option).flatMap(Choice.init)
    }

    /// The values of an option whose text separates them by commas.
    func list(_ option: String) -> [String] {
        (text(option) ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// Whether an option is `yes`.
    func isYes(_ option: String) -> Bool { text(option) == "yes" }

    /// The prefix of the keys to read; empty for all keys.
    var keyPrefix: String { text("prefix") ?? "" }

    /// The pause between two requests; `nil` if the settings do not set one.
    var pollInterval: Duration? { number("pollSeconds").map { .seconds($0) } }

    /// The value of an environment variable; `nil` if it is not set or empty.
    func variable(_ name: String) -> String? { environment[name] }

    /// The error of a source that cannot be made or requested.
    ///
    /// - Parameter remedies: what to do; empty if the sentence itself says what to do.
    func failure(
        _ sentence: String, _ remedies: [String] = [], code: SourceError.Code = .rejected
    ) -> SourceError {
        SourceError(code, of: shortName, sentence, remedies: remedies)
    }

    /// The context in the service's format; `nil` if the settings have none.
    ///
    /// - Parameters:
    ///   - read: converts the JSON; returns `nil` if the service does not accept it.
    ///   - words: which contexts the service accepts, for the error.
    func context<Context>(
        _ read: (JSONValue) -> Context?, _ words: String
    ) throws(SourceError) -> Context? {
        guard let value = member("context") else { return nil }
        guard let context = read(value) else { throw contextError(words) }
        return context
    }

    /// The error of a context that a service does not accept.
    func contextError(_ words: String) -> SourceError {
        failure("the member \"context\" cannot be used: \(words)")
    }

    /// Requires that the parts of the evaluation context beside it are strings.
    func requireContextTexts() throws(SourceError) {
        for (name, _) in kind?.contextTexts ?? [] where member(name).map({ $0.text?.isEmpty ?? true }) == true {
            throw contextError("its \"\(name)\" must be a non-empty string")
        }
    }

    /// Makes the source of a service. Sends no request.
    ///
    /// - Returns: if a credential cannot be used, a source whose requests fail with the reason, and whose cached values
    ///   stay in use.
    /// - Throws: why the settings are not valid.
    func source(_ kind: any SourceKind, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let incomplete = try sourceWithoutCredentials(kind, client)
        do throws(SourceError) {
            return try kind.source(self, client)
        } catch {
            return UnavailableSource(incomplete, named: shortName, error)
        }
    }

    private func sourceWithoutCredentials(
        _ kind: any SourceKind, _ client: SourceClient
    ) throws(SourceError) -> any RemoteSource {
        var settings = self
        settings.readsCredentials = false
        return try kind.source(settings, client)
    }

    /// Why the source cannot be made; `nil` if it can be made, or is a file.
    package func unavailability(_ client: @autoclosure () -> SourceClient) -> SourceError? {
        do throws(SourceError) {
            if let kind { _ = try sourceWithoutCredentials(kind, client()) }
            return nil
        } catch {
            return error
        }
    }
}
