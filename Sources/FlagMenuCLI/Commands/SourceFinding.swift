import FlagModel
import FlagRemote
import FlagSourceHTTP

/// What is wrong with one source, and what to mend.
struct SourceFinding {
    let setting: SourceSetting
    let source: RemoteState.Source
    let environment: Environment

    var finding: Finding {
        guard let error = source.error, let sentence = source.error(at: SystemClock.now()) else {
            let held = search.used.filter(\.isThere).map { "the \($0.name) in \($0.place)" }
            let summary = [setting.shown] + (held.isEmpty ? [] : [held.joined(separator: " and ")])
            return Finding(subject: "source", problems: [], summary: summary.joined(separator: ", with "), failure: nil)
        }
        return Finding(
            subject: "source", problems: [sentence], summary: setting.shown, failure: source.failure,
            remedies: remedies(error))
    }

    private var search: CredentialSearch { CredentialSearch(setting: setting, environment: environment) }

    private func remedies(_ error: SourceError) -> [String] {
        guard error.remedies.isEmpty else { return error.remedies }
        guard let kind = setting.kind else { return fileRemedies(error.code) }
        let own = kind.remedies(error, search)
        guard own.isEmpty else { return own }
        if let variable = variable(blamedIn: error) { return ["Correct the variable \(variable), or unset it."] }
        if isSentOn(error) {
            return [
                "Correct \(addressPlace(kind)): what answers there only sends requests on, as a login page, a proxy or an "
                    + "old address does; name the address of the service itself."
            ]
        }
        if let file = search.used.first(where: { $0.path == error.path }) { return remedies(error.code, of: file) }
        switch error.code {
        case .refused: return credentialRemedies
        case .rejected:
            if setting.address.isEmpty, let variable = kind.addressVariable, environment[variable] == nil {
                return ["Write the address behind \"\(kind.scheme):\", or set the variable \(variable) to it."]
            }
            return [
                "Check the settings of this source in flagmenu.json; flagmenu config --project-schema tells what each means."
            ]
        case .missing:
            return [
                "Correct \(addressPlace(kind)), or look whether the service has moved, or has no such path or version of its "
                    + "interface."
            ]
        case .insecure:
            return [
                "Where the certificate is signed by an authority of your own, name its PEM file in "
                    + "\(TransportSettings.authoritiesVariable); where the address begins with https: but the service "
                    + "speaks http, correct it."
            ]
        case .unreachable:
            return [
                "Check that the service runs, and that the name and the port are right in \(addressPlace(kind)).",
                "Check the network, a VPN, and the proxy: HTTPS_PROXY, http_proxy, ALL_PROXY and NO_PROXY decide about it.",
            ]
        case .timedOut:
            return ["Check the network and the proxy; where only this service is slow, tell whoever runs it."]
        case .malformed: return ["Check that the address is that of \(kind.title): something else has answered."]
        case .tooLarge: return ["Ask for fewer flags, such as by \"prefix\" where this kind of source has that."]
        case .faulty: return ["There is nothing to mend here: tell whoever runs the service."]
        case .throttled: return ["There is nothing to mend here: wait, and ask less often (\"pollSeconds\")."]
        case .unreadable, .notAFile, .cancelled: return []
        }
    }

    /// The variable whose value is what is wrong; `nil` where it is something else.
    private func variable(blamedIn error: SourceError) -> String? {
        if case .variable(let variable)? = error.cause { return variable }
        guard error.code == .rejected, let variable = addressVariable,
            error.path == environment[variable].map({ RedactedURL.text($0) })
        else { return nil }
        return variable
    }

    /// Whether somebody sends requests elsewhere, or a host is not found that only such an answer names.
    private func isSentOn(_ error: SourceError) -> Bool {
        switch error.cause {
        case .redirect: return true
        case .unknownHost(let host):
            let addresses = setting.addresses(environment)
            return !addresses.isEmpty && !addresses.contains { $0.host == host }
        case .variable, nil: return false
        }
    }

    /// The variable that the address stands in; `nil` where settings name it, or nobody does.
    private var addressVariable: String? {
        setting.address.isEmpty ? setting.kind?.addressVariable.flatMap { environment[$0] == nil ? nil : $0 } : nil
    }

    /// Where whoever looks for what is wrong finds the address.
    private func addressPlace(_ kind: ServiceKind) -> String {
        if search.text("url") != nil, kind.members.contains(where: { $0.name == "url" }) {
            return "\"url\" in flagmenu.json"
        }
        if kind.isURL { return "the URL of the source" }
        return addressVariable.map { "the variable \($0)" } ?? "what stands behind \"\(kind.scheme):\""
    }

    private func fileRemedies(_ code: SourceError.Code) -> [String] {
        switch code {
        case .missing: ["Correct the path in flagmenu.json, FLAGMENU_SOURCE or --source, or write the file."]
        case .unreadable: ["Let this user read it, as with chmod."]
        case .malformed: ["Correct the document at that place, or name another one with --source."]
        default: []
        }
    }

    /// What to do about a file that lets in, where it is that file that cannot be read.
    private func remedies(_ code: SourceError.Code, of file: CredentialPlace) -> [String] {
        guard let path = file.path else { return [] }
        switch code {
        case .missing: return ["Put the \(file.name) into \(path), or correct \(file.naming)."]
        case .unreadable: return ["Let this user read \(path), as with chmod."]
        case .notAFile: return ["Correct \(file.naming) so that it names a file: \(path) is none."]
        default: return ["Write the \(file.name) whole into \(path), as it was downloaded, or correct \(file.naming)."]
        }
    }

    /// Which credential is missing, or which one is not accepted.
    private var credentialRemedies: [String] {
        let held = search.used.filter(\.isThere)
        guard held.isEmpty else {
            return held.map { credential in
                credential.isKeyFile
                    ? "Look whether the \(credential.name) in \(credential.place) still counts and is let in to this project "
                        + "or environment, or name another one."
                    : "Renew the \(credential.name) in \(credential.place): it may have expired, or be for another project "
                        + "or environment."
            }
        }
        return search.remedies(forMissing: search.used)
    }
}
