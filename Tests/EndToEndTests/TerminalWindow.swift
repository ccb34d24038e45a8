import Foundation
import TestSupport
import Testing

/// A tmux window with a shell that runs `flagmenu`. It closes with its last reference.
final class TerminalWindow: Sendable {
    /// Why tests with windows are skipped if tmux is missing.
    static let reason: Comment = "tmux is not installed"
    /// Whether tmux is installed.
    static let isPossible = InstalledProgram.has("tmux")

    let workplace: Workplace
    private let environment: [String: String]
    private let base: [String]
    private let pane: String

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - script: what the shell in the window runs.
    ///   - variables: changes to the environment in the window; `nil` removes a variable.
    ///   - words: texts to wait for, as with ``wait(for:location:)``.
    init(
        _ workplace: Workplace, _ script: String = "flagmenu", columns: Int = 80, rows: Int = 24,
        variables: [String: String?] = [:], showing words: [String] = [], location: SourceLocation = #_sourceLocation
    ) throws {
        self.workplace = workplace
        environment = workplace.environment.merging(["TMUX_TMPDIR": workplace.home]) { $1 }
        base = [try #require(InstalledProgram.path("tmux")), "-u", "-L", "test", "-f", "/dev/null"]
        pane = "window\(UInt32.random(in: 0...UInt32.max))"
        let inside = workplace.changed(["TERM": "screen-256color"].merging(variables) { $1 })
        let settings = inside.map { "'\($0.key)=\($0.value)'" }.joined(separator: " ")
        workplace.write(script, to: "\(workplace.home)/\(pane).sh")
        let command = "cd '\(workplace.path)' && exec env -i \(settings) sh '\(workplace.home)/\(pane).sh'"
        let run = CommandRun(
            base + ["new-session", "-d", "-s", pane, "-x", "\(columns)", "-y", "\(rows)", command],
            environment: environment, directory: workplace.path)
        try #require(run.status == 0, "\(run.errorText)")
        tmux("set-option", "-t", pane, "status", "off")
        tmux("set-option", "-t", pane, "window-size", "manual")
        resize(columns: columns, rows: rows)
        if !words.isEmpty { try wait(for: words, location: location) }
    }

    /// The tmux server ends with its last window.
    deinit { close() }

    /// Runs a tmux command.
    @discardableResult func tmux(_ words: String...) -> String {
        CommandRun(base + words, environment: environment, directory: workplace.path).text
    }

    /// Presses keys: characters, or tmux key names such as `Enter` and `C-c`.
    func press(_ keys: String...) { send(keys) }

    private func send(_ keys: [String]) {
        _ = CommandRun(
            base + ["send-keys", "-t", pane] + keys, environment: environment, directory: workplace.path)
    }

    /// Presses keys, then waits until all texts are visible, as with ``wait(for:location:)``.
    func press(_ keys: String..., showing words: String..., location: SourceLocation = #_sourceLocation) throws {
        send(keys)
        try wait(for: words, location: location)
    }

    /// Changes the size.
    func resize(columns: Int, rows: Int) {
        tmux("resize-window", "-t", pane, "-x", "\(columns)", "-y", "\(rows)")
    }

    /// The text in the window now.
    var text: String { tmux("capture-pane", "-p", "-t", pane) }

    /// The text in the window now, row by row.
    var rows: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// A tmux variable of the window, such as `alternate_on` or `cursor_flag`.
    func value(_ name: String) -> String {
        tmux("display-message", "-p", "-t", pane, "#{\(name)}").trimmingCharacters(in: .newlines)
    }

    /// Appends every byte that the window receives to a file.
    func record(to name: String) { tmux("pipe-pane", "-t", pane, "cat >> '\(workplace.place(name))'") }

    /// Closes the window, as a user who clicks it away.
    func close() { tmux("kill-session", "-t", pane) }

    /// Waits until all texts are visible, or fails and reports the visible text.
    ///
    /// One space in a text matches any number of spaces, so that the widths of columns do not matter.
    func wait(for words: String..., location: SourceLocation = #_sourceLocation) throws {
        try wait(for: words, location: location)
    }

    private func wait(for words: [String], location: SourceLocation) throws {
        try wait("\(words)", location: location) { text in
            let squeezed = text.squeezed
            return words.allSatisfy { squeezed.contains($0.squeezed) }
        }
    }

    /// Waits until the visible text meets a condition.
    func wait(
        _ condition: String, location: SourceLocation = #_sourceLocation, until isRight: (String) -> Bool
    ) throws {
        if Clock.wait(atMost: 15, until: { isRight(text) }) { return }
        Issue.record("timed out waiting for \(condition); the window shows:\n\(text)", sourceLocation: location)
        throw WaitTimeout()
    }

    struct WaitTimeout: Error {}
}

extension String {
    /// The text with each run of spaces reduced to one.
    fileprivate var squeezed: String { replacing(#/ {2,}/#, with: " ") }
}
