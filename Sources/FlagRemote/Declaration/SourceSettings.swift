package import FlagModel

/// What sets the address of a source: its name, an option in `flagmenu.json`, a variable, or its kind.
package enum AddressNaming: Sendable {
    case name, option, variable, kind
}

/// The settings of one source: its name, its options in `flagmenu.json`, and the tester's context override.
package struct SourceSettings: Sendable {
    /// The absolute path of a file, or a service as it was typed, which may contain a secret.
    package let name: String
    /// The kind of service; `nil` for a file.
    package let kind: (any SourceKind)?
    /// The object of the project file; `nil` if the source is named without one.
    package let options: JSONValue?
    /// The tester's override, which wins over ``options``.
    package var own = OwnContext()
    /// The folder that relative paths in the options start from.
    package let folder: String
    /// What distinguishes it from another source of the same name, such as `server`; `nil` if its name is unique.
    package var label: String?
    /// Where credentials and addresses are looked up.
    package var environment: SourceEnvironment

    /// Settings from their parts.
    package init(
        name: String, kind: (any SourceKind)?, options: JSONValue? = nil, folder: String = "/", label: String? = nil,
        environment: SourceEnvironment = SourceEnvironment()
    ) {
        (self.name, self.kind, self.options) = (name, kind, options)
        (self.folder, self.label, self.environment) = (folder, label, environment)
    }

    /// The path of a file; `nil` for a service.
    package var path: String? { kind == nil ? name : nil }

    /// What follows the scheme, or the whole URL of a document; empty for a file.
    package var address: String { kind.map { $0.isURL ? name : String(name.dropFirst($0.scheme.count + 1)) } ?? "" }

    /// The name without secrets, unique in a run.
    package var shown: String { (kind.map { "\(prefix(of: $0))\(RedactedURL.text(address))" } ?? name) + suffix }

    private func prefix(of kind: any SourceKind) -> String { kind.isURL ? "" : "\(kind.scheme):" }

    /// What follows the name to distinguish it from others.
    package var suffix: String { label.map { " (\($0))" } ?? "" }

    /// Whether a name means this source: as messages show it, or as settings spell it.
    package func isNamed(_ typed: String) -> Bool { typed == shown || typed == name + suffix }

    /// The host or the project of a service, the path of a file.
    package var place: String {
        guard kind != nil else { return name }
        return SourceURL(address)?.authority ?? RedactedURL.text(address)
    }

    /// The short name that messages and the menu's title show.
    package var title: String { shortName + suffix }

    /// The short name without its suffix.
    package var shortName: String {
        guard let kind else { return FilePath.name(of: name) }
        let document = kind.isURL ? SourceURL(address)?.documentName : nil
        return document ?? "\(prefix(of: kind))\(place)"
    }

    /// The addresses that the service responds and streams at, as far as the settings name them.
    package var addresses: [SourceURL] { namedAddresses.map(\.address) }

    /// The same addresses, each with what sets it.
    package var namedAddresses: [(address: SourceURL, naming: AddressNaming)] {
        guard let kind else { return [] }
        // An option that the kind does not have may be set and is not read.
        func option(_ name: String) -> [String]? {
            kind.options.contains { $0.name == name } ? text(name).map { [$0] } : nil
        }
        func addresses(_ texts: [String], _ naming: AddressNaming) -> [(SourceURL, AddressNaming)] {
            texts.compactMap { SourceURL($0) }.map { ($0, naming) }
        }
        let streams = addresses(option("streamURL") ?? [], .option)
        if let named = option("url") { return addresses(named, .option) + streams }
        if let addressVariable, let value = variable(addressVariable) { return addresses([value], .variable) + streams }
        return addresses([address], .name) + (SourceURL(address) == nil ? addresses(kind.homes, .kind) : []) + streams
    }

    /// The variable that contains the address; `nil` if it is set elsewhere or not at all.
    var addressVariable: String? {
        address.isEmpty ? kind?.addressVariable.flatMap { variable($0) == nil ? nil : $0 } : nil
    }
}

// What a kind reads to make a source.
extension SourceSettings {
    /// An option that is a text.
    package func text(_ option: String) -> String? { member(option)?.text?.string }

    /// An option that is a whole number.
    package func number(_ option: String) -> Int? { member(option).flatMap { Int($0.source) } }

    /// An option that is one of the words of an enumeration.
    package func choice<Choice: RawRepresentable<String>>(_ option: String) -> Choice? {
        text(option).flatMap(Choice.init)
    }

    /// Whether an option is `yes`.
    package func isYes(_ option: String) -> Bool { text(option) == "yes" }

    /// The prefix of keys; empty for none.
    package var keyPrefix: String { text("prefix") ?? "" }

    /// The pause between two requests; `nil` if settings do not name one.
    package var pollInterval: Duration? { number("pollSeconds").map { .seconds($0) } }

    /// An environment variable that is set and not empty.
    package func variable(_ name: String) -> String? { environment.variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The error of a source that cannot be made or requested.
    ///
    /// - Parameter remedies: what to do about it, if the sentence does not say that.
    package func failure(_ sentence: String, _ remedies: [String] = []) -> SourceError {
        SourceError(code: .rejected, path: shortName, sentence: sentence, cause: nil, remedies: remedies)
    }

    /// The context in the service's format; `nil` if settings do not name one.
    ///
    /// - Throws: which context the service accepts, in words.
    package func context<Context>(
        _ read: (JSONValue) -> Context?, _ words: String
    ) throws(SourceError) -> Context? {
        guard let value = member("context") else { return nil }
        guard let context = read(value) else { throw contextError(words) }
        return context
    }

    /// The error of a context that a service does not accept.
    package func contextError(_ words: String) -> SourceError {
        failure("the member \"context\" cannot be used: \(words)")
    }

    /// A complete source; if that fails, a source whose requests fail with the reason. Its cached values stay in use if
    /// a credential is missing, so credentials are read in `complete`.
    package func completing(
        _ known: any RemoteSource, _ complete: () throws(SourceError) -> any RemoteSource
    ) -> any RemoteSource {
        do throws(SourceError) {
            return try complete()
        } catch {
            return UnavailableSource(known, named: shortName, error)
        }
    }

    /// Why a source cannot be made; `nil` if it can, and for files.
    package func unavailability(_ client: @autoclosure () -> SourceClient) -> SourceError? {
        do throws(SourceError) {
            _ = try kind?.source(self, client())
            return nil
        } catch {
            return error
        }
    }
}
