import FlagModel
package import FlagRemote

// Remedies for the error of a source.
extension SourceSettings {
    /// What to do about an error of this source, one sentence each. The remedies depend on the error's cause and the
    /// kind of source, and name the settings to change.
    package func remedies(for error: SourceError) -> [String] {
        guard error.remedies.isEmpty else { return error.remedies }
        guard let kind else { return fileRemedies(error.code) }
        let serviceRemedies = kind.remedies(for: error, of: self)
        guard serviceRemedies.isEmpty else { return serviceRemedies }
        if let variable = variable(blamedIn: error) { return ["Fix the variable \(variable), or unset it."] }
        if isRedirected(error) {
            return [
                "Fix \(addressPlace(kind)): it only redirects, as a login page, a proxy or an "
                    + "old address does; use the address of the service itself."
            ]
        }
        if let file = usedCredentials.first(where: { $0.path == error.path }) { return remedies(error.code, of: file) }
        switch error.code {
        case .refused: return credentialRemedies
        case .rejected:
            if address.isEmpty, let variable = kind.address.variable, self.variable(variable) == nil {
                return ["Write the address after \"\(kind.scheme):\", or set the variable \(variable) to it."]
            }
            return [
                "Check the settings of this source in flagmenu.json; flagmenu status --project-schema describes each."
            ]
        case .missing:
            return [
                "Fix \(addressPlace(kind)), or check whether the service has moved, or has no such path or version "
                    + "of its API."
            ]
        case .insecure:
            return [
                "If the certificate has expired, check this machine's clock, or contact the operator; if a private "
                    + "authority signed it, set SSL_CERT_FILE to its PEM file; if the address begins with https: but "
                    + "the service speaks http, correct it."
            ]
        case .unreachable:
            return [
                "Check that the service runs, and that the name and the port are right in \(addressPlace(kind)).",
                "Check the network, a VPN, and the proxy: HTTPS_PROXY, http_proxy, ALL_PROXY and NO_PROXY control it.",
            ]
        case .timedOut:
            return ["Check the network and the proxy; if only this service is slow, contact its operator."]
        case .malformed: return ["Check that the address is that of \(kind.title): something else responded."]
        case .tooLarge: return ["Request fewer flags, such as with \"prefix\" if the source has that setting."]
        case .faulty: return ["Contact the operator of the service."]
        case .rateLimited: return ["Wait, and poll less often (\"pollSeconds\")."]
        case .unreadable, .notAFile, .cancelled: return []
        }
    }

    /// The environment variable whose value caused the error; `nil` if none did.
    private func variable(blamedIn error: SourceError) -> String? {
        if case .variable(let variable)? = error.cause { return variable }
        guard error.code == .rejected, let variable = addressVariable,
            error.path == self.variable(variable).map({ RedactedURL.text($0) })
        else { return nil }
        return variable
    }

    /// Whether a redirect caused the error. Either the redirect is not followed, or it leads to an unknown host that is
    /// not one of the source's addresses.
    private func isRedirected(_ error: SourceError) -> Bool {
        switch error.cause {
        case .redirect: return true
        case .unknownHost(let host):
            let addresses = self.addresses
            return !addresses.isEmpty && !addresses.contains { $0.host == host }
        case .variable, .unconnected, nil: return false
        }
    }

    /// Where the address is set, in words.
    private func addressPlace(_ kind: any SourceKind) -> String {
        if text("url") != nil, kind.options.contains(where: { $0.name == "url" }) {
            return "\"url\" in flagmenu.json"
        }
        if kind.address.isURL { return "the URL of the source" }
        return addressVariable.map { "the variable \($0)" } ?? "what follows \"\(kind.scheme):\""
    }

    private func fileRemedies(_ code: SourceError.Code) -> [String] {
        switch code {
        case .missing: ["Fix the path in flagmenu.json, FLAGMENU_SOURCE or --source, or write the file."]
        case .unreadable: ["Give this user read access to it, for example with chmod."]
        case .malformed: ["Fix the document there, or name another one with --source."]
        default: []
        }
    }

    /// What to do about a credential file that cannot be read.
    private func remedies(_ code: SourceError.Code, of file: CredentialPlace) -> [String] {
        guard let path = file.path else { return [] }
        switch code {
        case .missing: return ["Put the \(file.label) into \(path), or correct \(file.naming)."]
        case .unreadable: return ["Give this user read access to \(path), for example with chmod."]
        case .notAFile: return ["Fix \(file.naming): \(path) is not a file."]
        default: return ["Write the whole \(file.label) to \(path), as downloaded, or correct \(file.naming)."]
        }
    }

    /// What to do if the service rejects the credentials, or if they are missing.
    private var credentialRemedies: [String] {
        let present = usedCredentials.filter(\.isThere)
        guard present.isEmpty else {
            return present.map { credential in
                credential.isKeyFile
                    ? "Check whether the \(credential.label) in \(credential.place) is still valid and has access to "
                        + "this project or environment, or use another one."
                    : "Renew the \(credential.label) in \(credential.place): it may have expired, or be for another "
                        + "project or environment."
            }
        }
        return remedies(forMissing: usedCredentials)
    }
}

// Options that are set and have no effect.
extension SourceSettings {
    /// The options in the project file that have no effect, in the order of the file, each with the reason as the end of
    /// a sentence.
    package var unusedOptions: [(name: String, reason: String)] {
        let names = (options?.members.map(\.key.string) ?? []).filter { $0 != "source" }
        let options = kind?.options ?? SourceOption.common
        let knownNames = options.flatMap(\.members).map(\.name) + (kind?.contextOption == nil ? [] : ["context"])
        let owner = kind.map { "sources of \"\($0.scheme):\" have" } ?? "a file needs"
        let unused = kind?.unusedOptions(self) ?? [:]
        return names.compactMap { name in
            let reason = knownNames.contains(name) ? unused[name] : "\(owner) no such setting"
            return reason.map { (name, $0) }
        }
    }
}
