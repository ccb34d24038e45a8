import FlagModel
import Foundation
import TestSupport
import Testing

/// Commands and all of their output, to compare with a snapshot.
struct Transcript {
    /// A command with its output.
    private struct Step {
        let command: String
        /// The command without values, for a digest.
        let label: String
        let output: String
        let errors: String
        let status: Int32
    }

    let workplace: Workplace
    /// The folder where commands run.
    private let folder: String
    /// Changes to the environment of every command.
    private let environment: [String: String?]
    private var steps: [Step] = []

    /// Creates an empty transcript.
    ///
    /// - Parameter folder: the folder where commands run; by default the workplace.
    init(_ workplace: Workplace = Workplace(), in folder: String? = nil, environment: [String: String?] = [:]) {
        self.workplace = workplace
        self.folder = folder ?? workplace.path
        self.environment = environment
    }

    /// Compares the transcript with its snapshot.
    func expectSnapshot(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let mismatch = Snapshot.mismatch(text, named: name)
        #expect(mismatch == nil, "\(mismatch ?? "")", sourceLocation: sourceLocation)
    }

    /// The commands, each with its output and exit code.
    var text: String {
        let exports = environment.sorted { $0.key < $1.key }.map { "$ export \($0.key)=\($0.value ?? "")\n\n" }
        return (exports + steps.map(Self.text)).joined()
    }

    /// A line for each command: its exit code, and the number of lines and a hash of both outputs. It has no values.
    var digest: String { steps.map(Self.digest).joined() }

    /// Runs `flagmenu` with words divided by spaces, and records its output and exit code.
    @discardableResult
    mutating func run(_ line: String, input: String = "", environment: [String: String?] = [:]) -> CommandRun {
        run(line.split(separator: " ").map(String.init), input: input, environment: environment)
    }

    /// The same with words that contain spaces.
    ///
    /// - Parameter label: the command as a digest shows it; by default with all of its words.
    @discardableResult
    mutating func run(
        _ arguments: [String], input: String = "", environment changes: [String: String?] = [:], label: String? = nil
    ) -> CommandRun {
        let result = workplace.flagmenu(
            arguments, input: input, environment: environment.merging(changes) { $1 }, in: folder)
        let settings = changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ?? "") " }.joined()
        let command = pinned("\(settings)flagmenu \(arguments.joined(separator: " "))")
        steps.append(
            Step(
                command: command, label: label ?? arguments.joined(separator: " "), output: pinned(result.text),
                errors: pinned(result.errorText), status: result.status))
        return result
    }

    private static func text(of step: Step) -> String {
        let errors = step.errors.split(separator: "\n").map { "2> \($0)\n" }.joined()
        return "$ \(step.command)\n\(step.output)\(errors)=> \(step.status)\n\n"
    }

    private static func digest(of step: Step) -> String {
        let streams = [step.output, step.errors].map { text in
            let bytes = Array(text.utf8)
            let lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
            let hash = String(UInt32(truncatingIfNeeded: FNV1a.hash(of: bytes)), radix: 16)
            return bytes.isEmpty ? "none" : "\(lineCount) \(lineCount == 1 ? "line" : "lines") \(hash)"
        }
        return "\(step.label) => \(step.status), \(streams[0]), 2> \(streams[1])\n"
    }

    /// Replaces what differs between runs: folders, times and the user.
    private func pinned(_ text: String) -> String {
        let user = NSUserName()
        let names = [
            (workplace.path, "WORK"), (workplace.home, "HOME"), (Fixtures.folder.path, "FIXTURES"),
        ]
        let authors = ["by %", "\"by\": \"%\"", "\"setBy\": \"%\"", "TIME  %  "].map {
            ($0.replacing("%", with: user), $0.replacing("%", with: "ana"))
        }
        let replaced = names.reduce(text) { $0.replacing($1.0, with: $1.1) }
            // The app id of a document ends with a hash of its path.
            .replacing(#/(\w)-[0-9a-f]{8}\b/#) { "\($0.1)-HASH" }
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
            .replacing(#/\b\d+ min ago\b/#, with: "just now")
        return authors.reduce(replaced) { $0.replacing($1.0, with: $1.1) }
    }
}
