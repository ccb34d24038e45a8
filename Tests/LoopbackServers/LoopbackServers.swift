#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Platform

/// Runs one server of the test kit as a process, for clients that are written in other languages.
///
/// ```
/// LoopbackServers SERVICE [ARGUMENT]...
/// ```
///
/// The first line of output is a JSON object with `url` and everything else that a client needs. Then each line of
/// input is a command, and the response is a line of JSON:
///
/// - `change NAME`: changes the flags and notifies the connected clients; prints `{"changed":"NAME"}`.
/// - `listeners`: the number of clients that are connected to the stream.
/// - `requests`: method and target of all requests since the previous `requests`. Requests of flagmenu are left out; it
///   reads the same flags between the requests of the vendor's client.
/// - `breakOff`: closes all connections to the stream.
///
/// The program exits at the end of its input.
@main
enum LoopbackServers {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let serve = ServedService.all[name] else {
            fail("usage: LoopbackServers \(ServedService.all.keys.sorted().joined(separator: " | "))")
        }
        let service = try await serve(Array(arguments.dropFirst()))
        printObject([("url", .string(service.server.url))] + service.facts)
        while let line = readLine() { await respond(line, service) }
        exit(0)
    }

    private static func respond(_ line: String, _ service: ServedService) async {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "change" where words.count == 2:
            guard let change = service.changes[words[1]] else { fail("there is no change \(words[1])") }
            await change()
            printObject([("changed", .string(words[1]))])
        case "listeners":
            printObject([("listeners", .integer(service.stream.map(service.server.listeners) ?? 0))])
        case "requests":
            let others = service.server.requests.filter { $0.headers["User-Agent"]?.hasPrefix("flagmenu/") != true }
            let lines = others.map { request in
                JSONOutput.string("\(request.method) \(request.path)\(request.query.map { "?\($0)" } ?? "")")
            }
            service.server.forgetRequests()
            printObject([("requests", .array(lines))])
        case "breakOff":
            if let stream = service.stream { await service.server.breakOff(stream) }
            printObject([("brokenOff", .bool(service.stream != nil))])
        default: fail("what is \"\(line)\"?")
        }
    }

    /// Flushes, because output to a pipe is buffered until the end.
    private static func printObject(_ members: [(String, JSONOutput)]) {
        print(JSONOutput.object(members).text(indented: false))
        fflush(nil)
    }

    private static func fail(_ sentence: String) -> Never {
        _ = Array("\(sentence)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(2)
    }
}

/// A server with the flags that a client in `.github/scripts/vendor-clients/` expects, and named changes to them.
struct ServedService: Sendable {
    /// The server itself.
    let server: LoopbackServer
    /// The data that a client needs besides the URL.
    var facts: [(String, JSONOutput)] = []
    /// The name of the server's stream, or `nil` if there is none.
    var stream: String?
    /// Changes to the server's flags, by name.
    let changes: [String: @Sendable () async -> Void]

    /// All services by name.
    static let all: [String: @Sendable (_ arguments: [String]) async throws -> ServedService] = [
        "cloudkit": cloudKit, "firebase": firebase, "flagsmith": flagsmith, "growthbook": growthBook,
        "launchdarkly": launchDarkly, "ofrep": ofrep, "posthog": posthog, "split": split, "statsig": statsig,
        "unleash": unleash,
    ]
}
#else
@main
enum LoopbackServers {
    static func main() {
        print("The servers are not compiled into this program; build it with the package trait Network.")
    }
}
#endif
