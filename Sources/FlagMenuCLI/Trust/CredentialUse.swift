import FlagModel
import FlagRemote
import FlagStorage

/// A credential of the user, and the address that a project file sends the credential to.
struct CredentialUse: Hashable {
    /// The credential, such as `the token in the variable OFREP_TOKEN`.
    let credential: String
    /// `credential` for messages, without the name of a variable that is not set: the name may itself be a secret.
    let shownCredential: String
    /// Scheme, host and port.
    let address: String

    var permission: ProjectPermission {
        ProjectPermission(stored: "\(credential) to \(address)", shown: "send \(shownCredential) to \(address)")
    }
}

/// A permission that a project file needs from the user.
struct ProjectPermission: Hashable {
    /// The complete text, as stored.
    let stored: String
    /// The text of the prompt.
    let shown: String
}

extension ProjectFile {
    /// All uses of credentials for which the file needs a permission, including credentials that are missing now.
    func credentialUses(_ environment: Environment) -> [CredentialUse] {
        let teams = team.map { [SourceSettings(name: $0, kind: SourceRegistry.team)] } ?? []
        return (sources + teams).flatMap { source in
            var source = source
            source.environment = environment.sources
            return source.usesSetByProject(of: source.possibleCredentials, isNameTyped: false)
        }
    }

    /// All permissions that the file needs.
    func permissions(_ environment: Environment) -> [ProjectPermission] {
        let stateFolder = AppFolders(app: app ?? "app", environment).state
        return storePermissions(besides: FilePath.folder(of: stateFolder))
            + credentialUses(environment).map(\.permission)
    }

    /// The permissions that the store needs; empty for a store in the project's folder or in `folder`.
    func storePermissions(besides folder: String) -> [ProjectPermission] {
        guard let store else { return [] }
        // The store, or a link in the store, may lead out of the folder, even to files that do not exist yet.
        let destinations = ([store] + DurableFile.links(in: store)).map(DurableFile.destination)
        let allowedFolders = [self.folder, folder].map(DurableFile.destination)
        return destinations.filter { destination in !allowedFolders.contains { FilePath.contains($0, destination) } }
            .prefix(1).map {
                ProjectPermission(stored: "to keep overrides in \($0)", shown: "keep overrides in \($0)")
            }
    }
}

extension SourceSettings {
    /// The uses of credentials that need a permission, because the project file names the URL, an unusual variable or a
    /// file outside the project's folder. The usual variable of a service may be sent to the service's usual URL
    /// without permission.
    ///
    /// - Parameters:
    ///   - places: the credentials.
    ///   - isNameTyped: whether the user, and not the project file, has named the source and thereby its URL.
    func usesSetByProject(of places: [CredentialPlace], isNameTyped: Bool) -> [CredentialUse] {
        guard let kind else { return [] }
        let usualOrigins = Set(kind.homes.compactMap { SourceURL($0)?.origin })
        // Only a project file can allow `http:`, also for a source that the user has typed.
        let isHTTPAllowed = isYes(SourceOption.allowHTTP.name)
        let named = namedAddresses.filter { address, naming in
            if isHTTPAllowed, !address.isSecure, !address.isLoopback { return true }
            return switch naming {
            case .option: !usualOrigins.contains(address.origin)
            case .name: !isNameTyped
            case .variable, .kind: false
            }
        }
        // A credential in a usual place that is not secret may be sent anywhere.
        let usual = places.filter { isUsual($0) && $0.isSecret }
        let unusual = places.filter { !isUsual($0) }
        func uses(_ places: [CredentialPlace], _ addresses: [SourceURL]) -> [CredentialUse] {
            places.flatMap { place in
                addresses.map {
                    CredentialUse(credential: words(for: place), shownCredential: shown(place), address: $0.origin)
                }
            }
        }
        var seen: Set<CredentialUse> = []
        return (uses(usual, named.map(\.address)) + uses(unusual, addresses)).filter { seen.insert($0).inserted }
    }

    /// The credentials that are sent now. A file that the project names is included even if it is missing, because it
    /// may be created later.
    var presentCredentials: [CredentialPlace] {
        usedCredentials.filter { place in
            if case .file = place.holder { true } else { place.isThere }
        }
    }

    /// The credentials that may be sent later, including credentials that are missing now.
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

    /// Describes the credential by the name of its variable or the real path of its file.
    private func words(for place: CredentialPlace) -> String {
        switch place.holder {
        // A text that is not the name of a variable may be the credential itself.
        case .variable(let name, _):
            VariableName.isOne(name)
                ? "the \(place.name) in the variable \(name)"
                : "the \(place.name) in \(place.place) (\(StableHash.text(name)))"
        case .keyFile(_, let naming, isNamed: false):
            naming == "the variable \(kind?.keyFileVariable ?? "")"
                ? "the file that \(naming) names" : "the \(place.name) of \(naming)"
        case .file, .keyFile:
            "the \(place.name) in \(file(of: place).map { "the file \(DurableFile.realPath($0))" } ?? place.place)"
        }
    }

    /// Describes the credential for messages. They do not show the name of a variable that is not set, because that
    /// name may be a credential in the wrong place.
    private func shown(_ place: CredentialPlace) -> String {
        if case .variable = place.holder, !place.isThere {
            "the \(place.name) in \(place.place)"
        } else {
            words(for: place)
        }
    }
}
