// Environment variables from which several sources of one kind would read the same credential.
extension SourceSettings {
    /// The same sources, each with its ``credentialConflicts``.
    ///
    /// - Parameter others: sources that may be used in another run with the same environment: those of the project file.
    package static func separatingCredentials(
        _ sources: [SourceSettings], from others: [SourceSettings] = []
    ) -> [SourceSettings] {
        sources.map { source in
            var source = source
            let sameKind = (sources + others).filter { $0.kind?.scheme == source.kind?.scheme }
            for (name, _) in source.kind?.credentials ?? [] {
                source.credentialConflicts[name] = sameKind.first { source.shares(name, with: $0) }?.shown
            }
            return source
        }
    }

    /// Whether a source without a named place for a credential would get it from the same variable as another source,
    /// at another host.
    private func shares(_ name: String, with other: SourceSettings) -> Bool {
        guard case .variable(let variable, isNamed: false)? = credential(name)?.holder,
            case .variable(variable, _)? = other.credential(name)?.holder
        else { return false }
        return Set(addresses.map(\.origin)) != Set(other.addresses.map(\.origin))
    }
}

// Rules that a credential must satisfy before it is sent.
extension SourceSettings {
    /// Throws an error if a credential would be sent to several hosts, or without encryption.
    func requirePermission(toSend place: CredentialPlace) throws(SourceError) {
        if case .variable(_, isNamed: false) = place.holder, let other = credentialConflicts[place.name] {
            let member = "\(place.name)Variable"
            throw SourceError(
                code: .insecure, path: shortName,
                sentence:
                    "\(place.place) was not sent, as \(other) would get the same \(place.name); name a variable for each with "
                    + "\"\(member)\" in flagmenu.json", cause: nil,
                remedies: [
                    "Write both sources as objects in flagmenu.json, each with its \"\(member)\"; both may name the same "
                        + "variable."
                ])
        }
        guard place.isSecret, !isYes(SourceOption.allowHTTP.name),
            let address = addresses.first(where: { !$0.isSecure && !$0.isLoopback })
        else { return }
        throw SourceError(
            code: .insecure, path: shortName,
            sentence:
                "the \(place.name) was not sent, as http: would send it to \(address.authority) without encryption; use "
                + "https:, or set \"\(SourceOption.allowHTTP.name)\": \"yes\" for this source in flagmenu.json",
            cause: nil,
            remedies: [
                "Use an https: address; if the network is trusted, set \"\(SourceOption.allowHTTP.name)\": \"yes\" for "
                    + "this source in flagmenu.json, or unset the credential in \(place.place)."
            ])
    }
}
