// A login screen as JSON, which shows that it loads, that an error happened, and then the variant of the experiment, as
// in the article on Firebase Remote Config and A/B testing in an iOS app. Prints:
//
// Welcome (default) [Continue] in [50, 206, 50]
// Loading...
// An error happened: login service: offline. There are no cached values; defaults are in use.
// Loading...
// Welcome to variant B [Start] in [50, 205, 250]

import Flags
import Foundation

struct LoginScreen: Codable, FlagValue {
    struct Label: Codable {
        var text: String
    }
    struct Button: Codable {
        var text: String
        /// Red, green and blue.
        var color: [Int]
    }
    var label: Label
    var button: Button
}

extension FlagKey<LoginScreen> {
    static let login = FlagKey(
        "login_screen",
        default: LoginScreen(
            label: .init(text: "Welcome (default)"), button: .init(text: "Continue", color: [50, 206, 50])))
}

/// Stands for a service. It responds with what it is told to, or fails if that is `nil`.
struct LoginService: RemoteSource {
    let identity: SourceIdentity = "login-service"
    let name = "login service"
    let responses: AsyncStream<String?>

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        for await response in responses {
            guard let response else { break }
            return .values(Array(response.utf8), version: nil)
        }
        throw SourceError(code: .unreachable, path: name, sentence: "offline")
    }
}

func show(_ screen: LoginScreen) {
    print("\(screen.label.text) [\(screen.button.text)] in \(screen.button.color)")
}

let variantB = """
    {"login_screen":
      {"label": {"text": "Welcome to variant B"}, "button": {"text": "Start", "color": [50, 205, 250]}}}
    """
let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
let (responses, service) = AsyncStream.makeStream(of: String?.self)
let flags = FlagStore(
    app: "login-example", sources: [LoginService(responses: responses)],
    options: .init(minimumFetchInterval: .zero, cacheDirectory: folder))

show(flags[.login])
var next: [String?] = [nil, variantB]
statuses: for await status in flags.remoteStatuses {
    switch status {
    case .idle: Task { await flags.fetchAndActivate() }
    case .loading:
        print("Loading...")
        service.yield(next.removeFirst())
    case .failed(let reason):
        print("An error happened: \(reason)")
        Task { await flags.fetchAndActivate() }
    case .loaded:
        show(flags[.login])
        break statuses
    }
}
