import FlagModel
import FlagRemote
import FlagStorage

// Credentials, read from the places that ``SourceSettings/credential(_:)`` returns. No error contains a credential.
extension SourceSettings {
    /// A credential, from the variable or the file that the project file names. If the project file names none, the
    /// credential is from the kind's usual variable; `nil` if that variable is not set.
    ///
    /// - Throws: an error if the variable or file that the project file names is missing, or contains no credential.
    func secret(_ name: String) throws(SourceError) -> Secret? {
        guard readsCredentials, let place = credential(name) else { return nil }
        let text: String
        if let variable = place.variable {
            guard let value = self.variable(variable) else {
                guard place.isNamed else { return nil }
                throw failure(of: place, ", but is not set; set it", remedies(forMissing: [place]))
            }
            text = value
        } else {
            text = try self.text(ofFile: place)
        }
        try requirePermission(toSend: place)
        return try secret(in: text, of: place)
    }

    /// A credential that the service requires; empty if credentials are not read.
    ///
    /// - Parameter need: what the service needs, such as `Acme needs a key`.
    /// - Throws: also an error if there is no credential.
    func secret(_ name: String, _ need: String) throws(SourceError) -> Secret {
        guard readsCredentials else { return Secret("") }
        if let credential = try secret(name) { return credential }
        let variable = kind?.credentials.first { $0.name == name }?.variable ?? ""
        throw withoutCredentials("\(need); set \(variable)")
    }

    /// The path of a key file.
    ///
    /// - Throws: an error if the credential itself was entered in place of the path.
    func path(of place: CredentialPlace) throws(SourceError) -> String {
        guard let path = place.path else {
            throw failure(
                "\(place.naming) must be the path of a file, but there is no such file; it may be the "
                    + "credential itself. Write that to a file that only you can read, and set its path",
                [
                    "Write the credential to a file that only you can read, and name its path there; renew it if others saw "
                        + "it."
                ])
        }
        try requirePermission(toSend: place)
        return path
    }

    /// The error for missing credentials, with the remedies.
    ///
    /// - Parameter sentence: which credentials are missing.
    func withoutCredentials(_ sentence: String) -> SourceError {
        failure(sentence, remedies(forMissing: usedCredentials.filter { !$0.isThere }))
    }

    /// The error of a place that does not contain its credential; by default, as it contains something else.
    private func failure(of place: CredentialPlace, _ words: String, _ remedies: [String]? = nil) -> SourceError {
        let remedies = remedies ?? self.remedies(forContentOf: place)
        return failure("\(place.place) must contain the \(place.label)\(words)", remedies)
    }

    /// The size limit of a credential file, in bytes. Real tokens are much shorter.
    private static let sizeLimit = 64 << 10

    private func text(ofFile place: CredentialPlace) throws(SourceError) -> String {
        let content: [UInt8]?
        do throws(StorageError) {
            content = try place.path.flatMap { path throws(StorageError) in
                try DurableFile.read(path, limit: Self.sizeLimit)
            }
        } catch {
            let isClosed = error.code == .cannotRead
            let remedies = isClosed ? ["Give this user read access to \(place.place), for example with chmod."] : nil
            let kind = error.code == .notAFile ? place.path.flatMap { DurableFile.status(of: $0)?.kind } : nil
            throw failure(of: place, ", but \(kind.map { "this is \($0.rawValue)" } ?? error.description)", remedies)
        }
        guard let bytes = content else {
            throw failure(of: place, ", but there is no such file", remedies(forMissing: [place]))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(of: place, ", but contains no text")
        }
        return text
    }

    /// The credential in a text that contains nothing else. A byte order mark, spaces, line feeds and the word `Bearer`
    /// around it are ignored. Several lines are an error, because a line feed would end a request header.
    private func secret(in text: String, of place: CredentialPlace) throws(SourceError) -> Secret {
        if let (member, file) = kind?.keyFile(withContent: text) {
            throw failure(
                of: place,
                " and nothing else, but contains \(file.title); name that file with \"\(member)\" in flagmenu.json",
                remedies(forContentOf: place, rather: member))
        }
        if text.first(where: { !$0.isWhitespace }) == "{" {
            throw failure(
                of: place, " and nothing else, but contains JSON; keep only the \(place.label) there, on one line")
        }
        let lines = text.split(whereSeparator: \.isNewline).filter { !Self.trimmed($0).isEmpty }
        guard lines.count == 1, let line = lines.first else {
            let content = lines.isEmpty ? "only spaces or line feeds" : "\(lines.count) lines"
            throw failure(
                of: place, " on one line and nothing else, but contains \(text.isEmpty ? "nothing" : content)")
        }
        let credential = Self.withoutBearer(Self.trimmed(line))
        guard credential.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw failure(of: place, " and nothing else, but contains a control character")
        }
        return Secret(credential)
    }

    /// A text without spaces and byte order marks at its ends.
    private static func trimmed(_ text: Substring) -> Substring {
        func isIgnored(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
        let start = text.unicodeScalars.drop(while: isIgnored)
        let end = start.lastIndex { !isIgnored($0) }.map { start.index(after: $0) } ?? start.endIndex
        return Substring(start[..<end])
    }

    /// A token without the word `Bearer` in front of it. Users copy this word with the token. If the service expects
    /// the word, the source adds it.
    private static func withoutBearer(_ token: Substring) -> String {
        var token = token
        while token.lowercased().hasPrefix("bearer ") { token = trimmed(token.dropFirst("bearer ".count)) }
        return String(token)
    }

    /// What to do if a place contains something other than a credential.
    ///
    /// - Parameter keyMember: the member that names a key file, if the content is a key file.
    private func remedies(forContentOf place: CredentialPlace, rather keyMember: String? = nil) -> [String] {
        guard place.variable == nil else {
            let alternative = keyMember.map { ", or name the file itself with \"\($0)\" in flagmenu.json" } ?? ""
            return ["Set \(place.place) to the \(place.label) alone, on one line\(alternative)."]
        }
        let correction = keyMember.map { "name that file with \"\($0)\" in place of" } ?? "correct"
        return ["Write the \(place.label) alone into \(place.place), on one line, or \(correction) \(place.naming)."]
    }
}
