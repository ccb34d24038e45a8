package import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage

/// The clients of the server that is running, and what each asked last.
package struct ServedClients {
    /// The server's address.
    let url: String
    /// The clients, the most recent one first; empty if the server does not respond.
    let clients: [JSONValue]
    /// How many requests the server rejected because they had no valid token.
    let rejectedCount: Int
    /// Why the server does not respond, as a sentence; `nil` if it does.
    let error: String?

    /// Asks the running server.
    ///
    /// - Returns: `nil` if no server is running.
    package init?(of workspace: Workspace) {
        let settings = workspace.settings
        guard let server = RunningServer.running(in: settings) else { return nil }
        url = server.url
        do throws(SourceError) {
            let root = try server.response(.get, "clients", settings.environment).root
            clients = root["clients"].map { Array($0.elements) } ?? []
            rejectedCount = root["rejected"].flatMap { Int($0.source) } ?? 0
            error = nil
        } catch {
            // The server may have ended meanwhile.
            guard RunningServer.running(in: settings) != nil else { return nil }
            (clients, rejectedCount, self.error) = ([], 0, error.asSentence)
        }
    }

    package var json: JSONOutput {
        .object([
            ("url", .string(url)), ("clients", .array(clients.map { .raw($0.compactJSON) })),
            ("rejected", .integer(rejectedCount)), ("error", FlagJSON.text(error)),
        ])
    }

    /// The server and its clients, one per line.
    package func lines(now: FlagTimestamp) -> [String] {
        if let error { return ["server     \(url), which runs but cannot be reached: \(error)"] }
        let rejected = rejectedCount > 0 ? ", rejected \(rejectedCount.counted("request")) without a valid token" : ""
        return ["server     \(url), \(clients.count.counted("client"))\(rejected)"]
            + clients.prefix(20).map { line($0, now) }
    }

    private func line(_ client: JSONValue, _ now: FlagTimestamp) -> String {
        func text(_ name: String) -> String? { client[name]?.text?.string }
        let name = text("client").map { JSONOutput.quoted($0, limit: 40) } ?? "without a key"
        let age = text("lastAt").flatMap { FlagTimestamp(rfc3339: $0) }.map { ", \($0.age(at: now))" } ?? ""
        let evaluation = text("lastKey").map { key in
            "\(key) = \(EffectiveChange.shown(text("lastValue"))) (\(text("lastLayer") ?? "not found"))"
        }
        let own = client["overrides"].flatMap { Int($0.source) } ?? 0
        return "             \(name): \(evaluation ?? (age.isEmpty ? "nothing yet" : "all flags"))\(age)"
            + (own > 0 ? ", \(own.counted("override")) of its own" : "")
    }
}
