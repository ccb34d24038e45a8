import FlagRemote

// Environment variables from which several sources of one kind would read the same credential.
extension SourceSettings {
    /// The same sources, each with its ``credentialConflicts``.
    ///
    /// - Parameter others: the sources of the project file, which another run with the same environment may use.
    static func separatingCredentials(
        _ sources: [SourceSettings], from others: [SourceSettings] = []
    ) -> [SourceSettings] {
        sources.map { source in
            let rivals = (sources + others).filter {
                $0.kind?.scheme == source.kind?.scheme && $0.origins != source.origins
            }
            guard source.kind != nil, !rivals.isEmpty else { return source }
            var source = source
            for place in source.usedCredentials where !place.isNamed && place.isSecret {
                let rival = rivals.first { $0.usedCredentials.contains { $0.hasSameCredential(as: place) } }
                source.credentialConflicts[place.name] = rival?.shown
            }
            return source
        }
    }

    private var origins: Set<String> { Set(addresses.map(\.origin)) }
}

// Rules that a credential must satisfy before it is sent.
extension SourceSettings {
    /// Throws an error if a credential would be sent to several hosts, or without encryption.
    func requirePermission(toSend place: CredentialPlace) throws(SourceError) {
        if !place.isNamed, let other = credentialConflicts[place.name] {
            let member = place.isKeyFile ? kind?.keyFiles.first?.option ?? "" : "\(place.name)Variable"
            throw failure(
                "\(place.place) was not sent, as \(other) would get the same \(place.label); set \"\(member)\" for "
                    + "each source in flagmenu.json",
                [
                    "Write both sources as objects in flagmenu.json, each with its own \"\(member)\". Both may have "
                        + "the same value."
                ], code: .insecure)
        }
        if place.isSecret { try requireEncryption(toSend: place.label, "unset the credential in \(place.place)") }
    }

    /// Throws an error if a credential would be sent without encryption.
    ///
    /// - Parameters:
    ///   - name: the credential.
    ///   - alternative: what else the user can do, as part of a sentence.
    func requireEncryption(toSend name: String, _ alternative: String) throws(SourceError) {
        guard !isYes(SourceOption.allowHTTP.name),
            let address = addresses.first(where: { !$0.isSecure && !$0.isLoopback })
        else { return }
        let secureScheme = kind?.address.secureScheme
        let scheme = secureScheme == nil ? "http" : kind?.scheme ?? ""
        let permission = "set \"\(SourceOption.allowHTTP.name)\": \"yes\" for this source in flagmenu.json"
        throw failure(
            "the \(name) was not sent, as \(scheme): would send it to \(address.authority) without encryption; use "
                + (secureScheme.map { "\($0):" } ?? "https:, or \(permission)"),
            [
                "Use an \(secureScheme ?? "https"): address"
                    + (secureScheme == nil ? "; if the network is trusted, \(permission)" : "")
                    + ", or \(alternative)."
            ], code: .insecure)
    }
}
