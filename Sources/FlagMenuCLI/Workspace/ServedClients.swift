import FlagModel
import FlagRemote
import FlagStorage

/// The clients of the server that is running, and what each asked last.
struct ServedClients {
    /// The server's address.
    let url: String
    /// The clients, the most recent one first.
    let clients: JSONValue

    /// Asks the running server.
    ///
    /// - Returns: `nil` if no server is running, or it does not respond.
    init?(of workspace: Workspace) {
        guard let server = RunningServer(file: RunningServer.file(in: workspace.settings.stateDirectory)),
            // The file of a server that was killed is left behind, and status must not fail because of it.
            let document = try? server.response(.get, "clients"),
            let clients = document.root["clients"]
        else { return nil }
        (url, self.clients) = (server.url, clients)
    }

    /// The server and its clients, one per line.
    func lines(now: Timestamp) -> [String] {
        ["server     \(url), \(clients.count.counted("client"))"] + clients.elements.prefix(20).map { line($0, now) }
    }

    private func line(_ client: JSONValue, _ now: Timestamp) -> String {
        func text(_ name: String) -> String? { client[name]?.text?.string }
        let name = text("client").map { JSONOutput.quoted($0, limit: 40) } ?? "without a key"
        let age = text("lastAt").flatMap { Timestamp(rfc3339: $0) }.map { ", \($0.age(at: now))" } ?? ""
        let evaluation = text("lastKey").map { key in
            "\(key) = \(EffectiveChange.shown(text("lastValue"))) (\(text("lastLayer") ?? "not found"))"
        }
        let own = client["overrides"].flatMap { Int($0.source) } ?? 0
        return "             \(name): \(evaluation ?? (age.isEmpty ? "nothing yet" : "all flags"))\(age)"
            + (own > 0 ? ", \(own.counted("override")) of its own" : "")
    }
}
