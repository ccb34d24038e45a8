import FlagModel
import FlagRemote
import FlagSourcePostHog
import FlagSourceStatsig

// Remedies for errors that mean something special to one service.
extension SourceSettings {
    /// What to do about an error in terms of the service; empty if the remedies for all services say it.
    func serviceRemedies(for error: SourceError) -> [String] {
        // Without a response, neither the credentials nor the address are the cause.
        guard error.status != nil || kind is PostHogKind || kind is FirebaseKind else { return [] }
        return switch kind {
        case is PostHogKind: postHogRemedies(error.code)
        case is FlagsmithKind: flagsmithRemedies(error.status)
        case is GrowthBookKind: growthBookRemedies(error.status)
        case is StatsigKind: statsigRemedies(error.code)
        case is CloudKitKind: cloudKitRemedies(error.code)
        case is FirebaseKind: firebaseRemedies(error.code)
        default: []
        }
    }

    private func postHogRemedies(_ code: SourceError.Code) -> [String] {
        let (us, eu) = (PostHogSettings.usBaseURL, PostHogSettings.euBaseURL)
        return switch code {
        case .refused:
            [
                "Check that \(credential("key")?.place ?? "the key") has the project API key (phc_…) from the project's "
                    + "settings in PostHog.",
                "Check the region: the address of the US cloud is \(us), and that of the EU cloud \(eu).",
            ]
        case .missing:
            [
                "Check the address: use \(us), \(eu) or the URL of a self-hosted PostHog. PostHog versions without the "
                    + "endpoint /flags, which have only /decide, are not supported."
            ]
        default: []
        }
    }

    private func flagsmithRemedies(_ status: Int?) -> [String] {
        switch status {
        case 400, 422:
            ["Check the identifier and the traits in \"context\"; the Edge Proxy requires an identifier."]
        // The server responds with status 403 to an unknown key, and to every key if the plan's limit is exceeded
        // (`EnvironmentKeyAuthentication` in `api/environments/authentication.py` of Flagsmith/flagsmith).
        case 401, 403:
            [
                "Check the environment key in \(credential("environmentKey")?.place ?? "its variable"): Flagsmith shows "
                    + "the key in the environment's settings, under SDK Keys.",
                "If the organisation is disabled from serving flags, the request limit of its plan is exceeded: change "
                    + "the plan in Flagsmith.",
            ]
        case 404: ["Check the URL: the source appends \"/api/v1\" to it."]
        default: []
        }
    }

    private func growthBookRemedies(_ status: Int?) -> [String] {
        // GrowthBook responds with status 400 to an unknown key, and to a request of the wrong kind of evaluation
        // (`getFeaturesPublic` in `packages/back-end/src/controllers/features.ts` of growthbook/growthbook).
        guard status == 400 else { return [] }
        return [
            "Check that \(credential("clientKey")?.place ?? "the key") has the client key of an SDK connection in "
                + "GrowthBook, and that \"remoteEval\" is set as this connection requires."
        ]
    }

    private func statsigRemedies(_ code: SourceError.Code) -> [String] {
        switch code {
        case .refused:
            usedCredentials.filter(\.isThere).map { key in
                "Check in the Statsig console, under API keys, that the key in \(key.place) is a client key, and that "
                    + "it is enabled for this project and environment."
            }
        case .missing:
            [
                "Fix the URL after \"statsig:\": use the URL of the SDKs' option \"api\", such as "
                    + "\(StatsigSettings.defaultBaseURL)."
            ]
        default: []
        }
    }

    private func cloudKitRemedies(_ code: SourceError.Code) -> [String] {
        func option(_ name: String, _ defaultValue: String) -> String {
            "\"\(name)\" (now \(text(name).map { JSONOutput.quoted($0, limit: 60) } ?? defaultValue))"
        }
        let recordType = option("recordType", "FeatureStatus")
        switch code {
        case .rejected:
            return [
                "Fix \(recordType), \(option("nameField", "featureName")) and \(option("activeField", "isActive")), or "
                    + "make recordName queryable for that type in the CloudKit Console."
            ]
        case .missing:
            return [
                "Fix the container after \"cloudkit:\", \(option("environment", "production")) or \(recordType)."
            ]
        case .refused:
            guard let file = usedCredentials.first(where: \.isKeyFile), file.isThere, let id = credential("keyID")
            else {
                return []
            }
            return [
                "Check in the CloudKit Console, Tokens & Keys, that the id in \(id.place) is of the private key in "
                    + "\(file.place), and that it is one of this container and environment."
            ]
        default: return []
        }
    }

    private func firebaseRemedies(_ code: SourceError.Code) -> [String] {
        // Only the file of an app is not secret.
        guard let path = usedCredentials.first(where: { !$0.isSecret })?.path else {
            return code == .missing && number("version") != nil
                ? ["Correct \"version\" in flagmenu.json; flagmenu firebase versions lists them."] : []
        }
        guard code == .refused else { return [] }
        return [
            "Check in the Google Cloud console what the API key in \(path) is restricted to: to Android apps, "
                + "\"package\" and \"androidCert\" must be those of one of them; to apps of Apple's, the bundle id in "
                + "the file.",
            "If the app was removed or its key renewed, download the file again.",
        ]
    }
}
