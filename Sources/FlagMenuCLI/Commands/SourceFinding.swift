import FlagModel
import FlagSourceFile
import FlagSourceHTTP
import FlagSourceSupport

/// What is wrong with one source, and what to mend.
struct SourceFinding {
    let setting: SourceSetting
    let source: RemoteState.Source
    let environment: Environment
    /// What of the network's settings cannot be followed.
    let objections: [TransportObjection]

    var finding: Finding {
        guard let problem = source.problem else {
            let held = credentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" }
            let summary = [setting.shown] + (held.isEmpty ? [] : [held.joined(separator: " and ")])
            return Finding(subject: "source", problems: [], summary: summary.joined(separator: ", with "), failure: nil)
        }
        return Finding(
            subject: "source", problems: [RemoteFiles.sentence(problem)], summary: setting.shown,
            failure: setting.kind == nil ? .usage : .remote, remedies: remedies(problem.error))
    }

    private var search: CredentialSearch { CredentialSearch(setting: setting, environment: environment) }

    private var credentials: [CredentialPlace] { setting.kind?.usedCredentials(search) ?? [] }

    private func remedies(_ error: SourceError) -> [String] {
        guard let kind = setting.kind else { return fileRemedies(error.code) }
        let own = kind.remedies(error, search)
        guard own.isEmpty else { return own }
        if let redirect = redirectRemedy(error, kind) { return [redirect] }
        if let file = credentials.first(where: { $0.keyFile?.path == error.path }) {
            return remedies(error.code, of: file)
        }
        if let objection = objections.first(where: { $0.sentence == error.sentence }) {
            return ["Correct the variable \(objection.variable), or unset it."]
        }
        switch error.code {
        case .refused: return credentialRemedies
        case .rejected:
            if let variable = variable(blamedIn: error, kind) {
                return ["Correct the variable \(variable), or unset it."]
            }
            let remedies = rejectionRemedies(error, kind)
            return remedies.isEmpty
                ? [
                    "Check the settings of this source in flagmenu.json; flagmenu config --project-schema tells what each means."
                ] : remedies
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
    private func variable(blamedIn error: SourceError, _ kind: ServiceKind) -> String? {
        if let variable = addressVariable, error.path == environment[variable].map({ RedactedURL.text($0) }) {
            return variable
        }
        return kind.settingVariables.first { environment[$0] != nil && error.sentence.contains($0) }
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
        return addressVariable.map { "the variable \($0)" } ?? "what stands behind \"\(kind.scheme):\""
    }

    /// What to do where somebody sends requests elsewhere, or where a host is not reached that only such an answer names;
    /// `nil` where nobody has.
    private func redirectRemedy(_ error: SourceError, _ kind: ServiceKind) -> String? {
        let isSaid = ["sends the request on", "sent the request on"].contains { error.sentence.contains($0) }
        let addresses = setting.addresses(environment)
        let isForeign =
            error.sentence.hasPrefix("there is no host with the name ") && !addresses.isEmpty
            && !addresses.contains { error.sentence.contains($0.host) }
            && !isBehindProxy(addresses)
        guard isSaid || isForeign else { return nil }
        return
            "Correct \(addressPlace(kind)): what answers there only sends requests on, as a login page, a proxy or an old "
            + "address does; name the address of the service itself."
    }

    private func isBehindProxy(_ addresses: [SourceURL]) -> Bool {
        let proxies = TransportSettings(environment: environment.variables.table, userAgent: "") { _ in }.proxies
        return addresses.contains { proxies.proxy(for: $0) != nil }
    }

    /// What to do about settings that nobody was even asked with, where that can be told.
    private func rejectionRemedies(_ error: SourceError, _ kind: ServiceKind) -> [String] {
        if setting.address.isEmpty, let variable = kind.addressVariable, environment[variable] == nil {
            return ["Write the address behind \"\(kind.scheme):\", or set the variable \(variable) to it."]
        }
        guard !error.sentence.contains("HTTP status") else { return [] }
        if let file = credentials.first(where: { $0.member != nil && error.sentence.hasPrefix($0.place) }),
            let member = file.member, !error.sentence.hasSuffix("no such file")
        {
            guard !error.sentence.contains("cannot be read") else {
                return ["Let this user read \(file.place), as with chmod."]
            }
            let right = kind.keyFile?.files.first { error.sentence.contains("\"\($0.member)\"") }?.member
            let correction = right.map { "name that file with \"\($0)\" in place of" } ?? "correct"
            return [
                "Write the \(file.name) alone into \(file.place), in one line, or \(correction) \"\(member)\" in flagmenu.json."
            ]
        }
        if error.sentence.contains("is to hold the path of a file") {
            return [
                "Write the credential to a file that only you can read, and name its path there; renew it if others saw it."
            ]
        }
        // Where one of several is told of, it is that one which is missing.
        let told = credentials.filter { error.sentence.hasPrefix($0.place) }
        let missing = (told.isEmpty ? credentials : told).filter { !$0.isThere }
        guard !missing.isEmpty else { return [] }
        return missingRemedies(missing)
    }

    /// Where to put credentials that are not there.
    private func missingRemedies(_ missing: [CredentialPlace]) -> [String] {
        let remedies = missing.map { credential in
            let name = credential.name
            // The file of a key has no variable for its content.
            let members =
                setting.kind?.credentials.contains { $0.name == name } == true
                ? ", or name another place with \"\(name)Variable\" or \"\(name)File\"" : ""
            return "Put the \(name) into \(credential.place)\(members)."
        }
        guard let keyFile = setting.kind?.keyFile, !credentials.contains(where: { $0.keyFile != nil }) else {
            return remedies
        }
        return remedies
            + keyFile.files.map { "Or name \($0.title) with \"\($0.member)\"." }
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
    private func remedies(_ code: SourceError.Code, of credential: CredentialPlace) -> [String] {
        guard let file = credential.keyFile else { return [] }
        switch code {
        case .missing: return ["Put the \(credential.name) into \(file.path), or correct \(file.naming)."]
        case .unreadable: return ["Let this user read \(file.path), as with chmod."]
        case .notAFile: return ["Correct \(file.naming) so that it names a file: \(file.path) is none."]
        default:
            return [
                "Write the \(credential.name) whole into \(file.path), as it was downloaded, or correct \(file.naming)."
            ]
        }
    }

    /// Which credential is missing, or which one is not accepted.
    private var credentialRemedies: [String] {
        let held = credentials.filter(\.isThere)
        guard held.isEmpty else {
            return held.map { credential in
                credential.keyFile == nil
                    ? "Renew the \(credential.name) in \(credential.place): it may have expired, or be for another project "
                        + "or environment."
                    : "Look whether the \(credential.name) in \(credential.place) still counts and is let in to this project "
                        + "or environment, or name another one."
            }
        }
        return missingRemedies(credentials)
    }
}
