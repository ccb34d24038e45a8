import Foundation

/// A temporary folder where the built program runs, with its own home beside it. Both are deleted with the last
/// reference.
public final class Workplace: Sendable {
    private let root: String

    /// The working directory of commands.
    public var path: String { "\(root)/work" }
    /// The home directory of commands.
    public var home: String { "\(root)/home" }

    /// Creates an empty folder and an empty home.
    public init() {
        // The real path, because programs report their working directory that way.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        root = "\(temporary)/flagmenu-\(UUID().uuidString.prefix(13))"
        for folder in [path, home] {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit {
        // A program that is exiting may still write files here.
        _ = Clock.wait(atMost: 2) {
            try? FileManager.default.removeItem(atPath: root)
            return !FileManager.default.fileExists(atPath: root)
        }
    }

    /// The path of the built `flagmenu`, which is in the folder of the running tests.
    ///
    /// On Linux the tests run as the bundle itself. Elsewhere, the path of the bundle is an argument of the test
    /// runner.
    public static let flagmenu: String = {
        let image = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        let folders = image.split(separator: "/", omittingEmptySubsequences: false)
        let bundle = folders.firstIndex { $0.hasSuffix(".xctest") } ?? folders.count - 1
        return (folders[..<bundle] + ["flagmenu"]).joined(separator: "/")
    }()

    /// The path of the built `flagmenu-demo`.
    public static let demo = flagmenu + "-demo"

    /// The whole environment of the programs.
    public var environment: [String: String] {
        [
            "HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "SHELL": "/bin/sh",
            "TESTED_FLAGMENU": Self.flagmenu,
            "PATH":
                "\(Self.sampled):\(Self.flagmenu.dropLast("/flagmenu".count)):/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
        ]
    }

    /// Runs `flagmenu` here, on the built-in sample if neither the arguments nor anything here names other flags.
    ///
    /// - Parameter changes: changes to the environment; `nil` removes a variable.
    public func flagmenu(
        _ arguments: [String], input: String = "", environment changes: [String: String?] = [:],
        in folder: String? = nil, isOnTerminal: Bool = false, timeout: Double = 20
    ) -> CommandRun {
        CommandRun(
            ["/bin/sh", "\(Self.sampled)/flagmenu"] + arguments, environment: changed(changes),
            directory: folder ?? path,
            input: Array(input.utf8), isOnTerminal: isOnTerminal, timeout: timeout)
    }

    /// The folder of a script that runs the built `flagmenu` on the built-in sample, unless something names other flags.
    private static let sampled: String = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.appendingPathComponent("Sampled").path
    }()

    /// Runs `flagmenu` here with exactly these arguments divided by spaces.
    public func plainFlagmenu(_ line: String, input: String = "", isOnTerminal: Bool = false) -> CommandRun {
        CommandRun(
            [Self.flagmenu] + line.split(separator: " ").map(String.init), environment: environment, directory: path,
            input: Array(input.utf8), isOnTerminal: isOnTerminal)
    }

    /// Runs `flagmenu` here with arguments divided by spaces.
    public func flagmenu(_ line: String, input: String = "", environment: [String: String?] = [:]) -> CommandRun {
        flagmenu(line.split(separator: " ").map(String.init), input: input, environment: environment)
    }

    /// Runs a shell script here, with `flagmenu` in its path.
    public func shell(
        _ script: String, _ shell: [String] = ["/bin/sh", "-c"], timeout: Double = 20
    ) -> CommandRun {
        CommandRun(shell + [script], environment: environment, directory: path, timeout: timeout)
    }

    /// The fixed environment with changes; `nil` removes a variable.
    public func changed(_ changes: [String: String?]) -> [String: String] {
        environment.merging(changes.compactMapValues { $0 }) { $1 }.filter { changes[$0.key] != .some(nil) }
    }

    /// Writes a file here, with its folders.
    public func write(_ text: String, to name: String) {
        let folder = (place(name) as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: place(name), contents: Data(text.utf8))
    }

    /// The content of a file here, or `nil` if it is missing.
    public func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: place(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder here, sorted; none if the folder is missing.
    public func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place(name))) ?? []).sorted()
    }

    /// The absolute path of a file here.
    public func place(_ name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }
}
