import FlagModel
import FlagRemote
import FlagStorage

/// A credential of the user, and where a project file sends it.
struct CredentialUse: Hashable {
    /// The credential, such as `the token in the variable OFREP_TOKEN`.
    let credential: String
    /// The credential without text that may be secret by mistake.
    let shownCredential: String
    /// Scheme, host and port.
    let address: String

    var permission: ProjectPermission {
        ProjectPermission(stored: "\(credential) to \(address)", shown: "send \(shownCredential) to \(address)")
    }
}

/// A permission that a project file needs from the user.
struct ProjectPermission: Hashable {
    /// The stored text, complete.
    let stored: String
    /// The text of the prompt.
    let shown: String
}

extension ProjectFile {
    /// All uses of credentials that the file decides, even of missing ones.
    func credentialUses(_ environment: Environment) -> [CredentialUse] {
        sources.flatMap { source in
            var source = source
            source.environment = environment.sources
            return source.usesDecidedByProject(of: source.possibleCredentials, isNameTyped: false)
        }
    }

    /// All permissions that the file needs.
    func permissions(_ environment: Environment) -> [ProjectPermission] {
        let own = AppFolders(app: app ?? "app", environment).state
        return storePermissions(besides: FilePath.folder(of: own)) + credentialUses(environment).map(\.permission)
    }

    /// The permissions for its store: none inside its own folder or `folder`.
    func storePermissions(besides folder: String) -> [ProjectPermission] {
        guard let store else { return [] }
        // The store itself or a link in it may lead out of the folder, even to what does not exist yet.
        let places = ([store] + DurableFile.links(in: store)).map(DurableFile.destination)
        let homes = [self.folder, folder].map(DurableFile.destination)
        return places.filter { place in !homes.contains { FilePath.contains($0, place) } }.prefix(1).map {
            ProjectPermission(stored: "to keep overrides in \($0)", shown: "keep overrides in \($0)")
        }
    }
}

extension SourceSettings {
    /// Uses of credentials that the project file decides: it names the URL, or an unusual variable, or a file outside
    /// its folder. A service's usual variable may be sent to its usual URL without consent.
    ///
    /// - Parameters:
    ///   - places: the credentials.
    ///   - isNameTyped: whether the user has named the source, so that its URL is the user's.
    func usesDecidedByProject(of places: [CredentialPlace], isNameTyped: Bool) -> [CredentialUse] {
        guard let kind else { return [] }
        let homes = Set(kind.homes.compactMap { SourceURL($0)?.origin })
        let named = namedAddresses.filter { address, naming in
            switch naming {
            case .option: !homes.contains(address.origin)
            case .name: !isNameTyped
            case .variable, .kind: false
            }
        }
        // What is public in the repository may be sent anywhere.
        let usual = places.filter { isUsual($0) && $0.isSecret }
        let unusual = places.filter { !isUsual($0) }
        func uses(_ places: [CredentialPlace], _ addresses: [SourceURL]) -> [CredentialUse] {
            places.flatMap { place in
                addresses.map {
                    CredentialUse(credential: words(for: place), shownCredential: shown(place), address: $0.origin)
                }
            }
        }
        var known: Set<CredentialUse> = []
        return (uses(usual, named.map(\.address)) + uses(unusual, addresses)).filter { known.insert($0).inserted }
    }

    /// The credentials that are sent now. A file that the project names counts even if it is missing, as it may be
    /// created.
    var presentCredentials: [CredentialPlace] {
        usedCredentials.filter { place in
            if case .file = place.holder { true } else { place.isThere }
        }
    }

    /// The credentials that may be sent later, even missing ones.
    var possibleCredentials: [CredentialPlace] {
        guard let variable = kind?.keyFileVariable, !variable.isEmpty else { return credentials + usedCredentials }
        let file = CredentialPlace(
            name: "key", place: "", isThere: false,
            holder: .keyFile(path: nil, naming: "the variable \(variable)", isNamed: false))
        return credentials + usedCredentials + [file]
    }

    /// Whether a credential is in the usual place for the source's kind, or inside the project's folder.
    private func isUsual(_ place: CredentialPlace) -> Bool {
        switch place.holder {
        case .variable(let name, let isNamed):
            return !isNamed || kind?.credentials.contains { $0.name == place.name && $0.variable == name } == true
        case .keyFile(_, _, isNamed: false): return true
        case .file, .keyFile:
            // A link inside the folder may lead out of it.
            guard let path = file(of: place) else { return true }
            return FilePath.contains(DurableFile.realPath(folder), DurableFile.realPath(path))
        }
    }

    /// The credential, by the name of its variable, or by the real path of its file.
    private func words(for place: CredentialPlace) -> String {
        switch place.holder {
        case .variable(let name, _): "the \(place.name) in the variable \(name)"
        // In its current place.
        case .keyFile(_, _, isNamed: false): "the file that the variable \(kind?.keyFileVariable ?? "") names"
        case .file, .keyFile:
            "the \(place.name) in \(file(of: place).map { "the file \(DurableFile.realPath($0))" } ?? place.place)"
        }
    }

    /// The credential for people: the name of a variable that is not set may be a credential by mistake.
    private func shown(_ place: CredentialPlace) -> String {
        if case .variable = place.holder, !place.isThere {
            "the \(place.name) in \(place.place)"
        } else {
            words(for: place)
        }
    }
}
