import FlagModel
import FlagRemote
import FlagStorage

/// A credential of the user, and where a project file has it sent.
struct CredentialUse: Hashable {
    /// What is sent, such as `the token in the variable OFREP_TOKEN`.
    let credential: String
    /// The same without what may be a credential by mistake.
    let shownCredential: String
    /// Scheme, host and port.
    let address: String

    var permission: ProjectPermission {
        ProjectPermission(stored: "\(credential) to \(address)", shown: "send \(shownCredential) to \(address)")
    }
}

/// What a project file needs the user's permission for.
struct ProjectPermission: Hashable {
    /// As it is kept, whole.
    let stored: String
    /// As people are asked.
    let shown: String
}

extension ProjectFile {
    /// All uses of credentials that the file decides about, also of those that are missing now.
    func credentialUses(_ environment: Environment) -> [CredentialUse] {
        sources.flatMap { source in
            var source = source
            source.environment = environment.sources
            return source.usesDecidedByProject(of: source.possibleCredentials, isNameTyped: false)
        }
    }

    /// All that the file needs permission for.
    func permissions(_ environment: Environment) -> [ProjectPermission] {
        let own = AppFolders(app: app ?? "app", environment).state
        return storePermissions(besides: FilePath.folder(of: own)) + credentialUses(environment).map(\.permission)
    }

    /// What it needs permission for where it has overrides kept: nothing inside its own folder or `folder`.
    func storePermissions(besides folder: String) -> [ProjectPermission] {
        guard let store else { return [] }
        // The store itself or a link in it may lead out of the folder, also to what is not there yet.
        let places = ([store] + DurableFile.links(in: store)).map(DurableFile.destination)
        let homes = [self.folder, folder].map(DurableFile.destination)
        return places.filter { place in !homes.contains { FilePath.contains($0, place) } }.prefix(1).map {
            ProjectPermission(stored: "to keep overrides in \($0)", shown: "keep overrides in \($0)")
        }
    }
}

extension SourceSettings {
    /// Uses of credentials that the project file decides about: it names the address, or a variable that is not the usual one, or a
    /// file outside of its folder. To the usual address of a service, its usual variable needs nobody's consent.
    ///
    /// - Parameters:
    ///   - places: the credentials.
    ///   - isNameTyped: whether the user has named the source, so that its address is theirs.
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
        // What is in the repository for everybody to read may go anywhere.
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

    /// The credentials that are sent now. A file that the project names counts also if it is not there, as that may be about to change.
    var presentCredentials: [CredentialPlace] {
        usedCredentials.filter { place in
            if case .file = place.holder { true } else { place.isThere }
        }
    }

    /// The credentials that may be sent some time, also those that are missing now.
    var possibleCredentials: [CredentialPlace] {
        guard let variable = kind?.keyFileVariable, !variable.isEmpty else { return credentials + usedCredentials }
        let file = CredentialPlace(
            name: "key", place: "", isThere: false,
            holder: .keyFile(path: nil, naming: "the variable \(variable)", isNamed: false))
        return credentials + usedCredentials + [file]
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
            return FilePath.contains(DurableFile.realPath(folder), DurableFile.realPath(path))
        }
    }

    /// What is sent, by the variable as it is named, or by the file that a path leads to in the end.
    private func words(for place: CredentialPlace) -> String {
        switch place.holder {
        case .variable(let name, _): "the \(place.name) in the variable \(name)"
        // Wherever it is now.
        case .keyFile(_, _, isNamed: false): "the file that the variable \(kind?.keyFileVariable ?? "") names"
        case .file, .keyFile:
            "the \(place.name) in \(file(of: place).map { "the file \(DurableFile.realPath($0))" } ?? place.place)"
        }
    }

    /// The same for people: the name of a variable that is not set may be a credential that was put there by mistake.
    private func shown(_ place: CredentialPlace) -> String {
        if case .variable = place.holder, !place.isThere {
            "the \(place.name) in \(place.place)"
        } else {
            words(for: place)
        }
    }
}
