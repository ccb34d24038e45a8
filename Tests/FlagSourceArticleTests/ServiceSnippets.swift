#if Network
import FlagSourceCloudKit
import FlagSourceFirebase
import FlagSourceFlagsmith
import FlagSourceGrowthBook
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagSourceOFREP
import FlagSourcePostHog
import FlagSourceSplit
import FlagSourceStatsig
import FlagSourceURL
import FlagSourceURLSession
import FlagSourceUnleash
import Flags
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The code of the article on services, word for word. It imports only what the article says to import: the product of
// each source, the transport and Flags.

struct User {
    let id: String
}

struct ServiceSnippets {
    func openFlags(of user: User, on server: String, token: String) throws -> FlagStore {
        var settings = try OFREPSettings(baseURL: server)
        settings.bearerToken = Secret(token)
        settings.context = EvaluationContext(targetingKey: user.id, attributes: ["plan": "pro", "age": 42])
        let client = SourceClient(transport: HTTPTransport())
        return FlagStore(app: "shop", sources: [OFREPSource(settings, client: client)])
    }

    func urlSessionClient() -> SourceClient {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.allowsCellularAccess = false
        return SourceClient(transport: URLSessionTransport(configuration, userAgent: "shop/1.0"))
    }

    func unleash(_ user: User, on server: String, token: String, _ client: SourceClient) throws -> UnleashSource {
        var settings = try UnleashSettings(baseURL: server, token: Secret(token))
        settings.context.userID = user.id
        settings.context.properties = ["plan": "pro"]
        return UnleashSource(settings, client: client)
    }

    func launchDarkly(_ user: User, environment: String, _ client: SourceClient) throws -> LaunchDarklySource {
        var settings = try LaunchDarklySettings(environment: environment)
        settings.context = LaunchDarklyContext(key: user.id, attributes: ["plan": "pro"])
        return LaunchDarklySource(settings, client: client)
    }

    func split(_ user: User, on evaluator: String, token: String, _ client: SourceClient) throws -> SplitSource {
        var settings = try SplitSettings(baseURL: evaluator)
        settings.token = Secret(token)
        settings.keys = [SplitKey(user.id)]
        settings.attributes = ["plan": "pro"]
        return SplitSource(settings, client: client)
    }

    func posthog(_ user: User, on host: String, key: String, _ client: SourceClient) throws -> PostHogSource {
        var settings = try PostHogSettings(baseURL: host, projectAPIKey: Secret(key))
        settings.context.distinctID = user.id
        settings.context.personProperties = ["plan": "pro"]
        settings.context.groups = ["company": "acme"]
        return PostHogSource(settings, client: client)
    }

    func flagsmith(_ user: User, on server: String, key: String, _ client: SourceClient) throws -> FlagsmithSource {
        var settings = try FlagsmithSettings(baseURL: server, environmentKey: Secret(key))
        settings.context = FlagsmithContext(identifier: user.id, traits: ["plan": "pro"])
        return FlagsmithSource(settings, client: client)
    }

    func statsig(_ user: User, on api: String, key: String, _ client: SourceClient) throws -> StatsigSource {
        var settings = try StatsigSettings(clientKey: Secret(key), baseURL: api)
        settings.user = StatsigUser(userID: user.id)
        settings.user.custom = ["plan": "pro"]
        settings.names = ["new_menu", "menu_colors"]
        return StatsigSource(settings, client: client)
    }

    func growthBook(_ user: User, on host: String, key: String, _ client: SourceClient) throws -> GrowthBookSource {
        var settings = try GrowthBookSettings(baseURL: host, clientKey: Secret(key))
        settings.attributes = ["id": .text(user.id), "plan": "pro"]
        return GrowthBookSource(settings, client: client)
    }

    func cloudKit(container: String, token: String, _ client: SourceClient) throws -> CloudKitSource {
        let settings = try CloudKitSettings(container: container, credentials: .apiToken(Secret(token)))
        return CloudKitSource(settings, client: client)
    }

    func firebase(_ services: [UInt8], installation file: URL, _ client: SourceClient) throws -> FirebaseClientSource {
        let settings = try FirebaseClientSettings(FirebaseApp(googleServices: services))
        let read: @Sendable () -> [UInt8]? = { (try? Data(contentsOf: file)).map(Array.init) }
        let saved = FirebaseInstallationFile(read: read) { change in
            // If it cannot be written, the next run is another installation.
            if let bytes = change(read()) { try? Data(bytes).write(to: file, options: .atomic) }
        }
        return FirebaseClientSource(settings, client: client, cachedIn: saved)
    }

    func document(at url: String, token: String, _ client: SourceClient) throws -> URLSource {
        var settings = try URLSourceSettings(url: url)
        settings.bearerToken = Secret(token)
        return URLSource(settings, client: client)
    }

    func firebaseServer(_ user: User, keyFile: String, _ client: SourceClient) throws -> FirebaseTemplateSource {
        let account = try ServiceAccount(path: keyFile)
        let templates = try FirebaseTemplates(
            of: "shop", namespace: .server, authorization: FirebaseAuthorization(.serviceAccount(account)))
        var settings = FirebaseTemplateSettings(templates)
        settings.context = TemplateContext(randomizationID: user.id, signals: ["plan": "pro", "age": 42])
        return FirebaseTemplateSource(settings, client: client)
    }
}
#endif
