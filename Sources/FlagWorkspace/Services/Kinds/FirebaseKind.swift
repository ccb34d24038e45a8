import FlagModel
package import FlagRemote
import FlagSourceFile
package import FlagSourceFirebase
import FlagStorage

/// A project's Remote Config as a kind of source: its templates, or the values of one of its apps.
package struct FirebaseKind: SourceKind {
    package let scheme = "firebase"
    package let title = "the Remote Config of a Firebase project, by its id"
    package let address = SourceAddress(placeholder: "PROJECT", homes: [FirebaseTemplates.address], variant: variant)
    package let options: [SourceOption] = [
        SourceOption(
            "mode", .choice(modes),
            "What is read: the template, or what an app gets; client if there is an appFile, else template."),
        SourceOption(
            "namespace", .choice(namespaces),
            "Which template is read: that of clients or of servers; client by default."),
        SourceOption(
            "version", .number(least: 1),
            "A version number of the template; the newest by default."),
        .prefix, .conditions,
        .context(
            "The evaluation context: an object of signals, with a randomization_id.",
            targetingMember: TemplateContext.randomizationKey.string),
        SourceOption(
            "appFile", .path,
            "The file google-services.json or GoogleService-Info.plist of an app, for the mode client.",
            keyFile: KeyFile(
                title: "the file of an app, google-services.json or GoogleService-Info.plist",
                hasContent: isAppFile)),
        SourceOption("package", .text, "Which of several apps in google-services.json to use."),
        SourceOption(
            "androidCert", .text,
            "The SHA-1 fingerprint of an Android app's certificate, if the file's key is restricted to such apps."),
        .changes(ChangeDetection.self), .pollSeconds, .url, .allowHTTP,
        SourceOption(
            "serviceAccountFile", .path,
            "The key file of a service account; \(keyFileVariable) by default.",
            keyFile: KeyFile(
                title: "the key file of a service account", variable: keyFileVariable,
                hasContent: isServiceAccount)),
        .credential("token", variable: tokenVariable),
    ]

    package init() {}

    /// The folder of installations in the app's state folder.
    package static let installationsFolder = "installations"
    private static let keyFileVariable = "GOOGLE_APPLICATION_CREDENTIALS"
    private static let tokenVariable = "GOOGLE_OAUTH_ACCESS_TOKEN"
    private static let modes = ["template", "client"]
    private static let namespaces = ["client", "server"]

    package func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        Self.isApp(settings) ? try appSource(settings, client) : try templateSource(settings, client)
    }

    /// Whether the settings select the values of an app rather than the template.
    private static func isApp(_ settings: SourceSettings) -> Bool {
        (settings.text("mode") ?? (settings.text("appFile") == nil ? modes[0] : modes[1])) != modes[0]
    }

    /// Words that distinguish a project's sources; `nil` for the newest client template.
    @Sendable private static func variant(_ settings: SourceSettings) -> String? {
        guard !isApp(settings) else { return "app" }
        let namespace = settings.text("namespace").flatMap { $0 == namespaces[0] ? nil : $0 }
        let version = settings.options?["version"].map { "version \($0.source)" }
        let words = [namespace, version].compactMap { $0 }.joined(separator: ", ")
        return words.isEmpty ? nil : words
    }

    package func unusedOptions(_ settings: SourceSettings) -> [String: String] {
        guard !Self.isApp(settings) else {
            return [
                "version": "what an app gets is always the newest version",
                "conditions": "Firebase itself evaluates what an app gets",
            ]
        }
        let appOnlyReason = "it only applies to what an app gets, with \"appFile\", and here the template is read"
        var reasons = ["androidCert": appOnlyReason, "changes": appOnlyReason]
        let namesProject = !settings.address.isEmpty
        if namesProject { reasons["appFile"] = "\"mode\" selects the template" }
        if namesProject || settings.text("appFile") == nil { reasons["package"] = appOnlyReason }
        if settings.text("serviceAccountFile") != nil {
            let reason = "the service account of \"serviceAccountFile\" is used"
            (reasons["tokenVariable"], reasons["tokenFile"]) = (reason, reason)
        }
        return reasons
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        // Only the file of an app is not secret.
        guard let path = settings.usedCredentials.first(where: { !$0.isSecret })?.path else {
            return error.code == .missing && settings.number("version") != nil
                ? ["Correct \"version\" in flagmenu.json; flagmenu firebase versions lists them."] : []
        }
        guard error.code == .refused else { return [] }
        return [
            "Check in the Google Cloud console what the API key in \(path) is restricted to: to Android apps, "
                + "\"package\" and \"androidCert\" must be those of one of them; to apps of Apple's, the bundle id in "
                + "the file.",
            "If the app was removed or its key renewed, download the file again.",
        ]
    }
}

// Credentials of a project, and of the values of an app.
extension FirebaseKind {
    /// The credentials for reading values: the app's file, or the credentials of the template.
    package func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace] {
        Self.isApp(settings) ? [appFile(settings)].compactMap { $0 } : templateCredentials(settings)
    }

    /// The credentials that ``templates(_:)`` uses, even if the source reads the values of an app: the service account
    /// that the project file names, else the token, else the file in the variable that all Google programs use, else the
    /// file of gcloud. The token precedes the variable, as a token is set temporarily and the variable permanently.
    package func templateCredentials(_ settings: SourceSettings) -> [CredentialPlace] {
        let (token, accountLabel) = (settings.credential("token"), "key of the service account")
        let isNamed = ["tokenVariable", "tokenFile"].contains { settings.text($0) != nil }
        let used =
            settings.file(accountLabel, member: "serviceAccountFile")
            ?? token.flatMap { $0.isThere || isNamed ? $0 : nil }
            ?? settings.file(accountLabel, variable: Self.keyFileVariable) ?? gcloudAccount(settings) ?? token
        return [used].compactMap { $0 }
    }

    private func appFile(_ settings: SourceSettings) -> CredentialPlace? {
        settings.file("description of the app", member: "appFile", isSecret: false)
    }

    /// The file that `gcloud auth application-default login` writes, in gcloud's own folder (google-auth for Python,
    /// `_cloud_sdk.py`); `nil` if there is none.
    private func gcloudAccount(_ settings: SourceSettings) -> CredentialPlace? {
        let folder = settings.variable("CLOUDSDK_CONFIG") ?? settings.variable("HOME").map { "\($0)/.config/gcloud" }
        guard let path = folder.map({ "\($0)/application_default_credentials.json" }), path.hasPrefix("/"),
            CredentialFile.isThere(path, in: "/")
        else { return nil }
        return CredentialPlace(
            name: "application default credentials", place: "the file \(path)", isThere: true,
            path: path, isKeyFile: true, naming: "gcloud", isNamed: false)
    }

    /// Whether a text is the file of an app.
    @Sendable private static func isAppFile(_ content: String) -> Bool {
        let content = content.trimmed
        return content.hasPrefix("<")
            ? content.contains("GOOGLE_APP_ID") : content.hasPrefix("{") && content.contains("\"project_info\"")
    }

    /// Whether a text is the key of a service account.
    @Sendable private static func isServiceAccount(_ content: String) -> Bool {
        content.trimmed.hasPrefix("{") && !isAppFile(content)
            && ["\"private_key\"", "\"refresh_token\""].contains(where: content.contains)
    }

    private func credentials(_ settings: SourceSettings) throws(SourceError) -> FirebaseCredentials {
        guard settings.readsCredentials else { return .token(Secret("")) }
        if let file = templateCredentials(settings).first(where: \.isKeyFile) {
            return try FirebaseCredentials(path: try settings.path(of: file))
        }
        if let token = try settings.secret("token") { return .token(token) }
        throw settings.withoutCredentials(
            "Firebase needs credentials; set \(Self.keyFileVariable) to the key file of a service account, or run "
                + "\"gcloud auth application-default login\"")
    }
}

// The templates of a project.
extension FirebaseKind {
    /// The templates of the project that the settings name, or of the project of the app that the settings name.
    ///
    /// - Throws: why the settings are not valid, or which credential is missing.
    package func templates(_ settings: SourceSettings) throws(SourceError) -> FirebaseTemplates {
        // Settings that are not valid for reading must not be valid for publishing.
        if Self.isApp(settings) { _ = try app(settings) }
        return try FirebaseTemplates(
            of: try project(settings),
            namespace: settings.text("namespace") == Self.namespaces[1] ? .server : .client,
            authorization: FirebaseAuthorization(
                try credentials(settings), quotaProject: settings.variable("GOOGLE_CLOUD_QUOTA_PROJECT")),
            address: settings.text("url"))
    }

    /// The id of the project: from the source's name, else from the app's file, else from the environment.
    private func project(_ settings: SourceSettings) throws(SourceError) -> String {
        guard settings.address.isEmpty else { return settings.address }
        guard settings.text("appFile") == nil else { return try app(settings).projectID }
        return settings.variable("GOOGLE_CLOUD_PROJECT") ?? ""
    }

    private func templateSource(
        _ settings: SourceSettings, _ client: SourceClient
    ) throws(SourceError) -> any RemoteSource {
        var firebaseSettings = FirebaseTemplateSettings(try templates(settings))
        firebaseSettings.version = settings.number("version")
        firebaseSettings.keyPrefix = settings.keyPrefix
        if let object = settings.member("context") {
            guard object.members.allSatisfy({ $0.value.kind == .null || ContextValue(signal: $0.value) != nil }) else {
                throw settings.failure("the member \"context\" must contain only strings, numbers, true and false")
            }
            firebaseSettings.context = TemplateContext(object)
        }
        let conditions = settings.member("conditions").map { Array($0.members) } ?? []
        for (name, value) in conditions {
            guard let applies = value.bool else {
                throw settings.failure("the condition \(name.quoted) in \"conditions\" must be true or false")
            }
            firebaseSettings.forcedConditions[name] = applies
        }
        firebaseSettings.pollInterval = settings.pollInterval ?? firebaseSettings.pollInterval
        return FirebaseTemplateSource(firebaseSettings, client: client)
    }
}

// The values of a project's app.
extension FirebaseKind {
    private func appSource(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        // The key of an app is not secret, but its installation gets a token.
        try settings.requireEncryption(toSend: "token of the installation", "read the template instead")
        var firebaseSettings = try FirebaseClientSettings(try app(settings), address: settings.text("url"))
        if let object = settings.member("context") {
            do throws(DocumentError) {
                firebaseSettings.device = try FirebaseDevice(object)
            } catch {
                throw settings.contextError("\(error)")
            }
        }
        firebaseSettings.keyPrefix = settings.keyPrefix
        if let fingerprint = settings.text("androidCert") { try firebaseSettings.setAndroidCertificate(fingerprint) }
        firebaseSettings.changeDetection = settings.choice("changes") ?? firebaseSettings.changeDetection
        firebaseSettings.pollInterval = settings.pollInterval ?? firebaseSettings.pollInterval
        let name = firebaseSettings.installationFileName
        let file = settings.state.map { folder, warn in
            let path = FilePath.join(folder, "\(Self.installationsFolder)/\(name)")
            return FirebaseInstallationFile(read: { try? DurableFile.read(path, limit: Self.installationLimit) }) {
                do throws(StorageError) {
                    try DurableFile.update(path, limit: Self.installationLimit, $0)
                } catch {
                    warn("The Firebase installation ID could not be saved, so the next run uses a new one. \(error)")
                }
            }
        }
        return FirebaseClientSource(firebaseSettings, client: client, cachedIn: file)
    }

    /// The size limit of a stored installation, in bytes. It is much smaller.
    private static let installationLimit = 1 << 20

    /// The app that is described in the file that the settings name.
    private func app(_ settings: SourceSettings) throws(SourceError) -> FirebaseApp {
        guard let file = appFile(settings) else {
            throw settings.failure(
                "an app needs its file; name google-services.json or GoogleService-Info.plist with \"appFile\"")
        }
        let path = try settings.path(of: file)
        let app = try app(in: path, settings.text("package"))
        guard settings.address.isEmpty || settings.address == app.projectID else {
            throw settings.failure(
                "the app in \(path) belongs to the project \(JSONOutput.quoted(app.projectID, limit: 60))")
        }
        return app
    }

    private func app(in path: String, _ package: String?) throws(SourceError) -> FirebaseApp {
        let bytes = try SourceFileBytes(path: path, limit: 1 << 20).bytes
        do throws(DocumentError) {
            // The content decides the format.
            guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) != UInt8(ascii: "{") else {
                return try FirebaseApp(googleServices: bytes, package: package)
            }
            let document = try DocumentFormat.document(in: bytes)
            guard document.kind == .defaults else {
                throw .unknownShape("this is neither google-services.json nor GoogleService-Info.plist")
            }
            return try FirebaseApp(propertyList: document.values)
        } catch {
            var failure = SourceError(error, of: path)
            let apps = FirebaseApp.packages(inGoogleServices: bytes)
            if package.map({ !apps.contains($0) }) ?? (apps.count > 1), !apps.isEmpty {
                failure.remedies = [
                    "Fix \"package\" in flagmenu.json to one of those apps, or name another file with \"appFile\"."
                ]
            }
            throw failure
        }
    }
}
