import FlagModel
import FlagRemote
import FlagStorage

/// A permission that a project file needs from the user.
package struct ProjectPermission: Hashable {
    /// The complete text, as stored.
    let stored: FlagText
    /// The text of the prompt.
    let shown: String

    /// The permission to open a file, or to keep overrides in a folder.
    fileprivate init(to action: String) { (stored, shown) = (FlagText("to \(action)"), action) }

    /// The permission to send a credential to an address, that is, to a scheme, host and port.
    ///
    /// - Parameters:
    ///   - credential: the credential, such as `the token in the variable OFREP_TOKEN`.
    ///   - shownCredential: `credential` for messages, without the name of a variable that is not set: the name may
    ///     itself be a secret.
    fileprivate init(toSend credential: String, shown shownCredential: String, to address: String) {
        (stored, shown) = (FlagText("\(credential) to \(address)"), "send \(shownCredential) to \(address)")
    }
}

extension ProjectFile {
    /// All permissions that the file needs, including those for credentials that are missing now.
    package func permissions(_ environment: Environment) -> [ProjectPermission] {
        let stateFolder = AppFolders(app: app ?? "app", environment).state
        let teams = team.map { [SourceSettings(name: $0, kind: SourceRegistry.team, environment: environment)] } ?? []
        let uses = (sources + teams).flatMap { $0.usesSetByProject(of: $0.possibleCredentials, isNameTyped: false) }
        let documents = sources.compactMap(\.path) + [defaults].compactMap { $0 }
        return storePermissions(besides: FilePath.folder(of: stateFolder))
            + permissions(toRead: documents + sources.flatMap(\.namedFiles)) + uses
    }

    /// The permissions to read files; empty for files in the project's folder.
    func permissions(toRead files: [String]) -> [ProjectPermission] {
        var seen: Set<ProjectPermission> = []
        return files.filter { !DurableFile.isInside($0, folder) }
            .map { ProjectPermission(to: "read the file \(DurableFile.destination(of: $0))") }
            .filter { seen.insert($0).inserted }
    }

    /// The permissions that the store needs; empty for a store in the project's folder or in `folder`.
    func storePermissions(besides folder: String) -> [ProjectPermission] {
        guard let store else { return [] }
        var allowedFolders = [self.folder, folder]
        var permissions: [ProjectPermission] = []
        func allow(_ path: String) {
            let destination = DurableFile.destination(of: path)
            permissions.append(ProjectPermission(to: "keep overrides in \(destination)"))
            allowedFolders.append(destination)
        }
        func check(_ directory: String) {
            // A link in the store may lead out of the folder, even to files that do not exist yet.
            for path in OverrideStore.places(in: directory)
            where !allowedFolders.contains(where: { DurableFile.isInside(path, $0) }) {
                allow(path)
            }
        }
        check(store)
        let clients = OverrideStore.clients(in: store)
        // Only a folder of the project is listed: any other one belongs to the user, who may not have allowed it.
        guard DurableFile.isInside(clients, self.folder), DurableFile.status(of: clients)?.kind == .folder else {
            return permissions
        }
        guard let names = try? DurableFile.names(in: clients) else {
            allow(clients)
            return permissions
        }
        for name in names { check(FilePath.join(clients, name)) }
        return permissions
    }
}

extension SourceSettings {
    /// The permissions to send credentials, which are needed if the project file names the URL, an unusual variable or
    /// a file outside the project's folder. The usual variable of a service may be sent to the service's usual URL
    /// without permission.
    ///
    /// - Parameters:
    ///   - places: the credentials.
    ///   - isNameTyped: whether the user, and not the project file, has named the source and thereby its URL.
    func usesSetByProject(of places: [CredentialPlace], isNameTyped: Bool) -> [ProjectPermission] {
        guard let kind else { return [] }
        let usualOrigins = Set(kind.address.homes.compactMap { SourceURL($0)?.origin })
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
        func uses(_ places: [CredentialPlace], _ addresses: [SourceURL]) -> [ProjectPermission] {
            places.flatMap { place in
                addresses.map {
                    ProjectPermission(toSend: credentialLabel(for: place), shown: shown(place), to: $0.origin)
                }
            }
        }
        var seen: Set<ProjectPermission> = []
        return (uses(usual, named.map(\.address)) + uses(unusual, addresses)).filter { seen.insert($0).inserted }
    }

    /// The credentials that are sent now. A file that the project names is included even if it is missing, because it
    /// may be created later.
    var presentCredentials: [CredentialPlace] {
        usedCredentials.filter { place in
            place.isThere || place.variable == nil && !place.isKeyFile
        }
    }

    /// The credentials that may be sent later, including credentials that are missing now.
    var possibleCredentials: [CredentialPlace] {
        guard let variable = kind?.keyFiles.first?.file.variable else { return credentials + usedCredentials }
        let file = CredentialPlace(
            name: "key", place: "", isThere: false,
            isKeyFile: true, naming: "the variable \(variable)", isNamed: false)
        return credentials + usedCredentials + [file]
    }

    /// Whether a credential is in the usual place for the source's kind, or inside the project's folder.
    private func isUsual(_ place: CredentialPlace) -> Bool {
        guard place.isNamed else { return true }
        if let variable = place.variable {
            return kind?.credentials.contains { $0.name == place.name && $0.variable == variable } == true
        }
        // A link inside the folder may lead out of it.
        return file(of: place).map { DurableFile.isInside($0, folder) } ?? true
    }

    /// Describes the credential by the name of its variable or the real path of its file.
    private func credentialLabel(for place: CredentialPlace) -> String {
        if let variable = place.variable {
            // A text that is not the name of a variable may be the credential itself.
            return VariableName.isOne(variable)
                ? "the \(place.name) in the variable \(variable)"
                : "the \(place.name) in \(place.place) (\(StableHash.text(variable)))"
        }
        guard place.isNamed || !place.isKeyFile else {
            return place.naming == "the variable \(kind?.keyFiles.first?.file.variable ?? "")"
                ? "the file that \(place.naming) names" : "the \(place.name) of \(place.naming)"
        }
        let file = file(of: place).map { "the file \(DurableFile.destination(of: $0))" }
        return "the \(place.name) in \(file ?? place.place)"
    }

    /// Describes the credential for messages. They do not show the name of a variable that is not set, because that
    /// name may be a credential in the wrong place.
    private func shown(_ place: CredentialPlace) -> String {
        place.variable != nil && !place.isThere
            ? "the \(place.name) in \(place.place)" : credentialLabel(for: place)
    }
}
