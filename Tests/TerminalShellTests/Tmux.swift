import Platform
import Testing

/// A program in a tmux window of 80 columns, on its own tmux server.
final class Tmux {
    /// The path of tmux; `nil` if it is not installed.
    static let path: String? = {
        let places: [String] = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
        return places.first { place in access(place, X_OK) == 0 }
    }()

    private let base: String

    init(running words: [String], rows: Int = 24) throws {
        let path = try #require(Tmux.path)
        base = "LC_ALL=C.UTF-8 \(path) -u -L flagmenu-\(getpid())-\(UInt32.random(in: 0...UInt32.max)) -f /dev/null"
        let program = words.map { "'\($0)'" }.joined(separator: " ")
        _ = run("new-session -d -x 80 -y \(rows) \"\(program)\"")
    }

    deinit {
        _ = run("kill-server")
    }

    /// Waits until the window's rows fulfill a condition, and returns them.
    func rows(until condition: ([String]) -> Bool) throws -> [String] {
        let deadline = ProbeTerminal.now() + 10
        while ProbeTerminal.now() < deadline {
            let rows = run("capture-pane -p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if condition(rows) { return rows }
        }
        Issue.record("timed out waiting for the rows: \(run("capture-pane -p"))")
        return []
    }

    private func run(_ command: String) -> String {
        guard let pipe = popen("\(base) \(command) 2>/dev/null", "r") else { return "" }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&chunk, 1, chunk.count, pipe)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
