import FlagModel
import FlagRemote
import FlagTesting
import Platform

/// One server of the test kit as a process, for clients that are written in other languages.
///
/// ```
/// LoopbackServers SERVICE [ARGUMENT]...
/// ```
///
/// The first line of its output is a JSON object with `url` and whatever else a client must know. Then it does what the
/// lines of its input say and answers each with a line of JSON:
///
/// - `change NAME`: changes its flags, and tells those who listen; answers `{"changed":"NAME"}`.
/// - `listeners`: how many clients listen to its stream.
/// - `requests`: method and target of all requests since the last such line, but for those of flagmenu, which looks at the
///   same flags between those of the vendor's client.
/// - `breakOff`: ends the stream for all who listen.
///
/// It ends with its input.
@main
enum LoopbackServers {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let serve = ServedService.all[name] else {
            fail("usage: LoopbackServers \(ServedService.all.keys.sorted().joined(separator: " | "))")
        }
        do {
            let service = try await serve(Array(arguments.dropFirst()))
            say([("url", .string(service.server.url))] + service.facts)
            while let line = readLine() { await answer(line, service) }
            exit(0)
        } catch {
            fail("\(name): \(error)")
        }
    }

    private static func answer(_ line: String, _ service: ServedService) async {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "change" where words.count == 2:
            guard let change = service.changes[words[1]] else { fail("there is no change \(words[1])") }
            await change()
            say([("changed", .string(words[1]))])
        case "listeners":
            say([("listeners", .integer(service.stream.map(service.server.listeners) ?? 0))])
        case "requests":
            let others = service.server.requests.filter { $0.headers["User-Agent"]?.hasPrefix("flagmenu/") != true }
            let lines = others.map { request in
                JSONOutput.string("\(request.method) \(request.path)\(request.query.map { "?\($0)" } ?? "")")
            }
            service.server.forgetRequests()
            say([("requests", .array(lines))])
        case "breakOff":
            if let stream = service.stream { await service.server.breakOff(stream) }
            say([("brokenOff", .bool(service.stream != nil))])
        default: fail("what is \"\(line)\"?")
        }
    }

    /// Output goes through a pipe, where nothing leaves by itself before the end.
    private static func say(_ members: [(String, JSONOutput)]) {
        print(JSONOutput.object(members).text(indented: false))
        fflush(nil)
    }

    private static func fail(_ sentence: String) -> Never {
        _ = Array("\(sentence)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(2)
    }
}
