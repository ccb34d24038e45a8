import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceFirebase

extension ServiceKind {
    /// A project's Remote Config: as its templates have it, or as one of its apps gets it.
    static let firebase = ServiceKind(
        scheme: "firebase", place: "PROJECT", title: "the Remote Config of a Firebase project, by its id",
        members: [
            (
                "mode", .choice(modes),
                "What is read: the template, or what an app gets; client where there is an appFile, else template."
            ),
            (
                "namespace", .choice(namespaces.map(\.word)),
                "Whose template is read: that for clients, or that for servers; client where none is named."
            ),
            ("version", .number(least: 1), "The number of a version of the template; the newest where none is named."),
            ("prefix", .text, "Takes only flags whose keys begin with it."),
            ("context", .object, "For whom flags are evaluated: an object of signals, with a randomization_id."),
            (
                "appFile", .text,
                "The file google-services.json or GoogleService-Info.plist of an app, for the mode client."
            ),
            ("package", .text, "Which of several apps in google-services.json is meant."),
            (
                "androidCert", .text,
                "The SHA-1 fingerprint of an Android app's certificate, where the file's key is restricted to such apps."
            ),
            (
                "changes", .choice(FirebaseClientSettings.ChangeDetection.allCases.map(\.rawValue)),
                "How changes are noticed while the menu is open."
            ),
            ("pollSeconds", .number(least: 1), "How often the server is asked while the menu is open."),
            ("url", .text, "An address in place of the service's own, such as a proxy's."),
            (
                "serviceAccountFile", .text,
                "The key file of a service account; \(accountVariable) where none is named."
            ),
        ],
        credentials: [("token", tokenVariable)],
        homes: [FirebaseProject.address],
        keyFile: KeyFile(
            files: [
                ("serviceAccountFile", "the key file of a service account"),
                ("appFile", "the file of an app, google-services.json or GoogleService-Info.plist"),
            ], variable: accountVariable, member: { member(ofFile: $0) }, memberOfName: { member(ofName: $0) }),
        evaluationMembers: ["conditions"],
        idleSettings: idleSettings,
        remedies: remedies,
        usedCredentials: usedCredentials,
        variant: variant,
        source: { setting throws(SourceError) in
            guard !isApp(setting.text) else { return try app(setting) }
            // What is known of it stays in use where a credential is missing, so it is looked for last.
            let nobody = FirebaseAuthorization(.token(Secret("")))
            let known = FirebaseTemplateSource(try settings(setting, nobody), client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                let authorization = FirebaseAuthorization(try credentials(setting))
                return FirebaseTemplateSource(try settings(setting, authorization), client: setting.client)
            }
        })

    private static let accountVariable = "GOOGLE_APPLICATION_CREDENTIALS"
    private static let tokenVariable = "GOOGLE_OAUTH_ACCESS_TOKEN"
    private static let modes = ["template", "client"]
    private static let namespaces: [(word: String, namespace: FirebaseProject.Namespace)] = [
        ("client", .client), ("server", .server),
    ]

    /// Whether settings mean what an app gets, and not the template.
    private static func isApp(_ text: (String) -> String?) -> Bool {
        (text("mode") ?? (text("appFile") == nil ? modes[0] : modes[1])) != modes[0]
    }

    /// Which of a project's sources it is; the newest template for clients is the usual one.
    @Sendable private static func variant(_ setting: SourceSetting) -> String? {
        func text(_ member: String) -> String? { setting.options?[member]?.text?.string }
        guard !isApp(text) else { return "app" }
        let readers = text("namespace").flatMap { $0 == namespaces[0].word ? nil : $0 }
        let version = setting.options?["version"].map { "version \($0.source)" }
        let words = [readers, version].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// What ``credentials(_:)`` takes, or the file of the app.
    @Sendable private static func usedCredentials(_ search: CredentialSearch) -> [CredentialPlace] {
        guard !isApp(search.text) else {
            return [appFile(search)].compactMap { $0 }
        }
        let token = search.credential("token")
        let used =
            namedAccount(search) ?? token.flatMap { $0.isThere ? $0 : nil } ?? usualAccount(search) ?? token
        return [used].compactMap { $0 }
    }

    private static func appFile(_ search: CredentialSearch) -> CredentialPlace? {
        search.file("description of the app", member: "appFile")
    }

    /// The service account that the project file names.
    private static func namedAccount(_ search: CredentialSearch) -> CredentialPlace? {
        search.file("key of the service account", member: "serviceAccountFile")
    }

    /// The service account that all of Google's programs use.
    private static func usualAccount(_ search: CredentialSearch) -> CredentialPlace? {
        search.file("key of the service account", variable: accountVariable)
    }

    private static func member(ofFile content: String) -> String? {
        if KeyFile.begins(content, with: "{") {
            // Apps' files name their project's parts; all else that Google offers for download lets in a program.
            if content.contains("\"project_info\"") { return "appFile" }
            return content.contains("\"private_key\"") ? "serviceAccountFile" : nil
        }
        return KeyFile.begins(content, with: "<") && content.contains("GOOGLE_APP_ID") ? "appFile" : nil
    }

    private static func member(ofName name: String) -> String? {
        if name.hasSuffix(".plist") || name.hasSuffix("google-services.json") { return "appFile" }
        return name.hasSuffix(".json") ? "serviceAccountFile" : nil
    }

    @Sendable private static func idleSettings(_ search: CredentialSearch) -> [IdleSetting] {
        func idle(_ members: [String], _ reason: String) -> [IdleSetting] {
            members.map { IdleSetting(member: $0, reason: reason) }
        }
        guard !isApp(search.text) else {
            return idle(["version"], "what an app gets is always the newest version")
                + idle(["conditions"], "what an app gets Firebase itself evaluates")
        }
        let way = "only the way of an app goes by it, with \"appFile\", and here the template is read"
        var settings = idle(["androidCert", "changes"], way)
        let namesProject = !search.setting.address.isEmpty
        if namesProject { settings += idle(["appFile"], "\"mode\" asks for the template") }
        if namesProject || search.text("appFile") == nil { settings += idle(["package"], way) }
        if search.text("serviceAccountFile") != nil {
            settings += idle(["tokenVariable", "tokenFile"], "the service account of \"serviceAccountFile\" is used")
        }
        return settings
    }

    @Sendable private static func remedies(_ error: SourceError, _ search: CredentialSearch) -> [String] {
        guard error.code == .refused, isApp(search.text), let path = appFile(search)?.path else { return [] }
        return [
            "Look in the Google Cloud console what the API key in \(path) is restricted to: to Android apps, "
                + "\"package\" and \"androidCert\" must be those of one of them; to apps of Apple's, the bundle id in the file.",
            "Where the app was removed or its key renewed, download the file again.",
        ]
    }

    /// The templates that a setting names, or those that its app gets its values from.
    ///
    /// - Throws: what is wrong with the setting, or which credential is missing.
    static func firebaseTemplates(_ setting: ServiceSetting) throws(SourceError) -> FirebaseTemplates {
        // What is published is for the project that is read: the settings that reading refuses are refused here too.
        if isApp(setting.text) { _ = try firebaseApp(setting) }
        return try templates(setting, FirebaseAuthorization(try credentials(setting)))
    }

    /// The project: the one that is named, else that of the app, else the one that the environment names.
    private static func project(_ setting: ServiceSetting) throws(SourceError) -> String {
        guard setting.address.isEmpty else { return setting.address }
        guard setting.text("appFile") == nil else { return try firebaseApp(setting).projectID }
        return setting.variable("GOOGLE_CLOUD_PROJECT") ?? ""
    }

    private static func templates(
        _ setting: ServiceSetting, _ authorization: FirebaseAuthorization
    ) throws(SourceError) -> FirebaseTemplates {
        let word = setting.text("namespace")
        return try FirebaseTemplates(
            of: try project(setting), namespace: namespaces.first { $0.word == word }?.namespace ?? .client,
            authorization: authorization, address: setting.text("url"))
    }

    private static func settings(
        _ setting: ServiceSetting, _ authorization: FirebaseAuthorization
    ) throws(SourceError) -> FirebaseTemplateSettings {
        var settings = FirebaseTemplateSettings(try templates(setting, authorization))
        settings.version = setting.number("version")
        settings.keyPrefix = setting.text("prefix") ?? ""
        if let object = setting.member("context") {
            guard object.members.allSatisfy({ $0.value.kind == .null || SignalValue($0.value) != nil }) else {
                throw setting.failure("the member \"context\" holds texts, numbers, true and false and nothing else")
            }
            settings.context = TemplateContext(object)
        }
        let conditions = setting.member("conditions").map { Array($0.members) } ?? []
        for (name, value) in conditions {
            guard let holds = value.bool else {
                throw setting.failure("the condition \(name.quoted) in \"conditions\" must be true or false")
            }
            settings.forcedConditions[name] = holds
        }
        if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
        return settings
    }

    /// The app that a setting names by the file that its developers have of Firebase.
    private static func firebaseApp(_ setting: ServiceSetting) throws(SourceError) -> FirebaseApp {
        guard let file = appFile(setting.search) else {
            throw setting.failure(
                "an app is known by its file; name google-services.json or GoogleService-Info.plist with \"appFile\"")
        }
        let path = try setting.path(of: file)
        let app = try app(in: path, setting.text("package"))
        guard setting.address.isEmpty || setting.address == app.projectID else {
            throw setting.failure(
                "the app in \(path) belongs to the project \(JSONOutput.quoted(app.projectID, limit: 60))")
        }
        return app
    }

    /// What an app gets.
    private static func app(_ setting: ServiceSetting) throws(SourceError) -> any RemoteSource {
        var settings = try FirebaseClientSettings(try firebaseApp(setting), address: setting.text("url"))
        if let object = setting.member("context") {
            do throws(DocumentError) {
                settings.device = try FirebaseDevice(object)
            } catch {
                throw setting.objection("\(error)")
            }
        }
        settings.keyPrefix = setting.text("prefix") ?? ""
        if let fingerprint = setting.text("androidCert") { try settings.setAndroidCertificate(fingerprint) }
        if let word = setting.text("changes"), let known = FirebaseClientSettings.ChangeDetection(rawValue: word) {
            settings.changeDetection = known
        }
        if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
        let name = settings.installationFileName
        let file = setting.files.map { files in
            FirebaseInstallationFile(
                read: { files.read(name, in: installations) },
                update: { change in files.update(name, in: installations, loss: installationLoss, change) })
        }
        return FirebaseClientSource(settings, client: setting.client, keptIn: file)
    }

    private static let installations = "installations"
    private static let installationLoss =
        "The installation that Firebase knows this app by could not be kept, so the next run is another one."

    private static func app(in path: String, _ package: String?) throws(SourceError) -> FirebaseApp {
        let bytes = try SourceFileBytes(path: path, limit: 1 << 20).bytes
        do throws(DocumentError) {
            // Which of the two it is, its content decides.
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
                    "Correct \"package\" in flagmenu.json to one of those apps, or name another file with \"appFile\"."
                ]
            }
            throw failure
        }
    }

    /// What the project file names, else the token, which somebody has set for now, else the account, which is always set.
    private static func credentials(_ setting: ServiceSetting) throws(SourceError) -> FirebaseCredentials {
        if let file = namedAccount(setting.search) {
            return .serviceAccount(try ServiceAccount(path: try setting.path(of: file)))
        }
        if let token = try setting.secret("token") { return .token(token) }
        if let file = usualAccount(setting.search) {
            return .serviceAccount(try ServiceAccount(path: try setting.path(of: file)))
        }
        throw setting.withoutCredentials(
            "Firebase lets nobody in without credentials; set \(accountVariable) to the key file of a service account, or "
                + "\(tokenVariable) to what \"gcloud auth print-access-token\" prints")
    }
}
