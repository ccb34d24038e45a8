import FlagModel
import FlagRemote
import FlagStorage

/// A credential of the user, and where a project file has it sent.
struct CredentialUse: Hashable {
    /// What is sent, such as `the token in the variable OFREP_TOKEN`.
    let credential: String
    /// Scheme, host and port.
    let address: String

    /// Both, for people and for the list of what is allowed.
    var words: String { "\(credential) to \(address)" }
}

extension ProjectFile {
    /// All uses of credentials that the file decides about, also of those that are missing now.
    func credentialUses(_ environment: Environment) -> [CredentialUse] {
        sources.flatMap { source in
            var source = source
            source.environment = environment.sources
            return source.usesDecidedByProject(isNameTyped: false, includesMissing: true)
        }
    }
}

extension SourceSettings {
    /// Uses of credentials that the project file decides about: it names the address, or a variable that is not the usual one, or a
    /// file outside of its folder. To the usual address of a service, its usual variable needs nobody's consent.
    ///
    /// - Parameters:
    ///   - isNameTyped: whether the user has named the source, so that its address is theirs.
    ///   - includesMissing: whether credentials count that are not there now.
    func usesDecidedByProject(isNameTyped: Bool, includesMissing: Bool) -> [CredentialUse] {
        guard let kind else { return [] }
        let homes = Set(kind.homes.compactMap { SourceURL($0)?.origin })
        let named = namedAddresses.filter { address, naming in
            switch naming {
            case .option: !homes.contains(address.origin)
            case .name: !isNameTyped
            case .variable, .kind: false
            }
        }
        let places = includesMissing ? credentials + usedCredentials : usedCredentials.filter(\.isThere)
        let keyFile =
            includesMissing && !kind.keyFileVariable.isEmpty ? [Self.words(forFileOf: kind.keyFileVariable)] : []
        let usual = places.filter(isUsual).map(words) + keyFile
        let unusual = places.filter { !isUsual($0) }.map(words)
        func uses(_ credentials: [String], _ addresses: [SourceURL]) -> [CredentialUse] {
            credentials.flatMap { credential in
                addresses.map { CredentialUse(credential: credential, address: $0.origin) }
            }
        }
        var known: Set<CredentialUse> = []
        return (uses(usual, named.map(\.address)) + uses(unusual, addresses)).filter { known.insert($0).inserted }
    }

    /// Whether a credential is where the kind of the source looks for it, or inside the project's folder.
    private func isUsual(_ place: CredentialPlace) -> Bool {
        switch place.holder {
        case .variable(let name, let isNamed):
            return !isNamed || kind?.credentials.contains { $0.name == place.name && $0.variable == name } == true
        case .keyFile(_, _, isNamed: false): return true
        case .file, .keyFile:
            // A link inside the folder may lead out of it.
            guard let path = file(of: place) else { return true }
            let root = DurableFile.realPath(folder)
            return DurableFile.realPath(path).hasPrefix(root == "/" ? root : "\(root)/")
        }
    }

    /// What is sent, by the variable as it is named, as it is there and so no credential by mistake, or by the file that a path leads
    /// to in the end.
    private func words(for place: CredentialPlace) -> String {
        switch place.holder {
        case .variable(let name, _) where place.isThere: "the \(place.name) in the variable \(name)"
        case .keyFile(_, _, isNamed: false): Self.words(forFileOf: kind?.keyFileVariable ?? "")
        case .file, .keyFile:
            "the \(place.name) in \(file(of: place).map { "the file \(DurableFile.realPath($0))" } ?? place.place)"
        case .variable: "the \(place.name) in \(place.place)"
        }
    }

    /// The same for a file that a variable names, wherever it is now.
    private static func words(forFileOf variable: String) -> String { "the file that the variable \(variable) names" }
}
