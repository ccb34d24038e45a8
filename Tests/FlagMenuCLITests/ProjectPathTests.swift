import ArgumentParser
import DeveloperMenuTerminal
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Foundation
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// Paths in a project file. Nothing outside its folder is read or written without consent.
@Suite(.slow, .limitedParallelism) struct ProjectPathTests {
    private let workplace = Workplace()
    /// The folder of the project. It has a letter with two Unicode forms.
    private let project: String
    /// Folders beside the project, with a file in each.
    private let outside: [String]

    init() throws {
        let place = workplace.path
        project = "\(place)/caf\u{E9}"
        outside = ["outside", "caf\u{E9}-other", "cafe\u{301}", "CAF\u{E9}"].map { "\(place)/\($0)" }
        for folder in outside + ["\(project)/sub", "\(project)/deep/one", "\(project)/x"] {
            workplace.write(Self.document, to: "\(folder)/file")
        }
        for (name, target) in [
            ("up", ".."), ("deep/up", "../.."), ("deep/one/up", "../up"), ("chain", "deep/one/up"), ("here", "."),
            ("away", outside[0]), ("all", "/"), ("dangling", "../outside/new"), ("sub/dangling", "../dangling"),
            ("toFile", "../outside/file"), ("in", "sub"),
        ] { try #require(symlink(target, "\(project)/\(name)") == 0) }
    }

    private static let document = #"{"a": "1"}"#

    /// Paths that lead to the folder above the project.
    private var escapes: [String] {
        [
            "..", "./..", ".//..", "..//.", "sub/../..", "sub//..//..", "sub/./.././..", "missing/../..", "~/../..",
            "up", "deep/up/", "deep/one/up", "chain", "here/..", "here/../caf\u{E9}/here/..", "away/..", "in/../..",
            "\(project)/..", "/\(project)//sub/../../", "all\(workplace.path)",
        ]
    }

    /// Paths from there, and where they lead.
    private var targets: [(path: String, place: String)] {
        let (folder, prefix, form, other) = (outside[0], outside[1], outside[2], outside[3])
        return [
            ("outside/file", "\(folder)/file"), ("outside//.//file", "\(folder)/file"),
            ("outside/new", "\(folder)/new"), ("outside/new/../file", "\(folder)/file"), ("outside/", folder),
            ("caf\u{E9}-other/file", "\(prefix)/file"), ("cafe\u{301}/file", "\(form)/file"),
            ("CAF\u{E9}/file", "\(other)/file"), ("outside/file.", "\(folder)/file."),
            ("caf\u{E9}/../outside/~/...", "\(folder)/~/..."),
        ]
    }

    /// 200 paths that lead out of the project, and links that do so themselves.
    private var hostilePaths: [(path: String, place: String)] {
        escapes.flatMap { escape in targets.map { ("\(escape)/\($0.path)", $0.place) } }
            + [
                ("toFile", "\(outside[0])/file"), ("dangling", "\(outside[0])/new"),
                ("sub/dangling", "\(outside[0])/new"), ("./sub/../toFile", "\(outside[0])/file"),
            ]
    }

    /// Spellings of a path in the project.
    private var harmlessPaths: [String] {
        [
            "sub/file", "./sub/file", ".//sub/file", "sub//file", "sub/./file", "x/../sub/file", "in/file",
            "here/sub/file", "in/../sub/file", "up/caf\u{E9}/sub/file", "away/../caf\u{E9}/sub/file",
            "../caf\u{E9}/sub/file", "\(project)/sub/file", "/\(project)/here//sub/file", "all\(project)/sub/file",
        ]
    }

    /// A member of a project file that names a path.
    struct Member: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The text before and after the path.
        let parts: (String, String)

        init(_ name: String, _ template: String) {
            testDescription = name
            let pieces = template.components(separatedBy: "PATH")
            parts = (pieces[0], pieces[1])
        }

        var isStore: Bool { testDescription == "store" }

        func text(_ path: String) -> String { parts.0 + path + parts.1 }

        /// Whether this member can have the path: a host, which is ignored, follows `file://`.
        func takes(_ path: String) -> Bool { !(parts.0.hasSuffix("file:") && path.hasPrefix("//")) }
    }

    /// Every member that names a path: those of the file, and the options of each kind of source.
    private static var members: [Member] {
        let sources = [
            Member("source", #"{"app": "shop", "source": "PATH"}"#),
            Member("file:", #"{"app": "shop", "source": "file:PATH"}"#),
            Member("source object", #"{"app": "shop", "source": {"source": "PATH", "context": {}}}"#),
            Member("sources", #"{"app": "shop", "sources": ["sub/file", {"source": "PATH"}]}"#),
            Member("defaults", #"{"app": "shop", "source": "sub/file", "defaults": "PATH"}"#),
            Member("store", #"{"app": "shop", "source": "sub/file", "store": "PATH"}"#),
        ]
        let options = SourceRegistry.standard.kinds.flatMap { kind in
            kind.options.flatMap(\.members).filter { $0.form == .path }.map { option in
                Member(
                    "\(kind.scheme) \(option.name)",
                    #"{"app": "shop", "source": {"source": "\#(kind.address.isURL ? "https://flags.invalid" : "\(kind.scheme):shop")", "\#(option.name)": "PATH"}}"#
                )
            }
        }
        return sources + options
    }

    private var environment: Environment {
        Environment(
            variables: workplace.environment, workingDirectory: project,
            homeDirectory: workplace.home)
    }

    private func write(_ text: String) { workplace.write(text, to: "\(project)/flagmenu.json") }

    private func flagmenu(_ line: String, environment: [String: String?] = [:]) -> CommandRun {
        workplace.flagmenu(line.split(separator: " ").map(String.init), environment: environment, in: project)
    }

    /// The permissions that a project file needs to open files.
    private func permissions(_ text: String) throws -> [String] {
        try ProjectFile(Array(text.utf8), path: "\(project)/flagmenu.json", environment).permissions(environment).map(
            \.shown
        )
        .filter { $0.hasPrefix("read the file ") || $0.hasPrefix("keep overrides in ") }
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return (error as? CommandFailure)?.sentence.contains("has not been allowed yet to ") == true
        }
    }

    @Test func `the members that name paths are known`() {
        let paths = SourceRegistry.standard.options.filter { $0.form == .path }.map(\.name)
        let named = SourceRegistry.standard.options.map(\.name).filter { $0.hasSuffix("File") }
        #expect(paths == named)
        let keyFiles = SourceRegistry.standard.kinds.flatMap(\.keyFiles).map(\.option)
        #expect(keyFiles.count == 3 && keyFiles.allSatisfy(paths.contains))
        #expect(Self.members.count > 15)
    }

    @Test(arguments: members) func `nothing outside is opened without consent`(member: Member) throws {
        let paths = hostilePaths
        #expect(Set(paths.map { Array($0.path.utf8) }).count >= 200)
        let opened = OpenedFiles(in: outside)
        let options = try GlobalOptions.parse([])
        let action = member.isStore ? "keep overrides in " : "read the file "
        let lines = [
            "get a", "set a false", "fetch", "doctor", "prompt", "status", "status --files", "explain a", "history",
        ]
        for (index, (path, place)) in paths.enumerated() where member.takes(path) {
            let text = member.text(path)
            let needed = try permissions(text).map { FlagText($0) }
            #expect(needed == [FlagText(action + place)], "\(path)")
            write(text)
            #expect(
                isRefused {
                    let settings = try Settings(options.values, environment: environment)
                    _ = try RunStore(settings, isPrompting: false, sendsRequests: index % 2 == 0)
                }, "\(path)")
            guard index % 41 == 0 else { continue }
            let line = lines[index % lines.count]
            let run = flagmenu(line)
            #expect(
                ["prompt", "status --files"].contains(line) ? run.status == 0 : run.status == 2,
                "\(line), \(path): \(run)")
        }
        #expect(opened.take() == [])
        for folder in outside {
            #expect(workplace.names(in: folder) == ["file"] && workplace.read("\(folder)/file") == Self.document)
        }
    }

    @Test func `an opened file is noticed`() throws {
        let opened = OpenedFiles(in: outside)
        guard opened.isWatching else { return }
        write(#"{"app": "shop", "source": "../outside/file"}"#)
        #expect(flagmenu("trust").text.contains("to read the file \(outside[0])/file"))
        #expect(opened.take() == [])
        flagmenu("get a").expect(exactly: "1\n")
        #expect(opened.take() == ["\(outside[0])/file"])
    }

    @Test(arguments: members) func `a path in the project needs no consent`(member: Member) throws {
        for path in harmlessPaths where member.takes(path) {
            let text = member.text(member.isStore ? path.replacing("/file", with: "/kept") : path)
            #expect(try permissions(text) == [], "\(path)")
            guard !member.testDescription.contains(" ") else { continue }
            write(text)
            flagmenu("get a").expect(exactly: "1\n", comment: path)
            guard member.isStore else { continue }
            #expect(flagmenu("set a 2").status == 0)
            #expect(workplace.names(in: "\(project)/sub/kept").contains("overrides.json"), "\(path)")
            try FileManager.default.removeItem(atPath: "\(project)/sub/kept")
        }
    }

    @Test func `a typed path needs no consent, even if the project names it, too`() throws {
        write(#"{"app": "shop", "source": "../outside/file", "defaults": "../outside/file", "store": "../outside"}"#)
        #expect(flagmenu("get a").status == 2)
        flagmenu("set a 2 --source ../outside/file --defaults ../outside/file --store ../outside").expect(0)
        let variables = [
            "FLAGMENU_SOURCE": "../outside/file", "FLAGMENU_DEFAULTS": "../outside/file",
            "FLAGMENU_STORE": "../outside",
        ]
        #expect(flagmenu("get a", environment: variables).text == "2\n")
        flagmenu("get a --source ../outside/file --store ../outside").expect(
            2, errors: "read the file \(outside[0])/file")
    }

    @Test func `trust lists the files, and is for these files only`() {
        write(#"{"app": "shop", "source": "../caf\#u{E9}-other/file", "store": "../outside/s"}"#)
        flagmenu("trust --json").expect(
            text: #""to keep overrides in \#(outside[0])/s""#, #""to read the file \#(outside[1])/file""#)
        #expect(flagmenu("set a 2").status == 0 && flagmenu("get a").text == "2\n")
        // The same name for Swift, but another file.
        let (composed, decomposed) = ("\(outside[0])/\u{E9}", "\(outside[0])/e\u{301}")
        workplace.write(Self.document, to: composed)
        workplace.write(Self.document, to: decomposed)
        write(#"{"app": "shop", "source": "\#(composed)"}"#)
        #expect(flagmenu("trust").status == 0 && flagmenu("get a").status == 0)
        write(#"{"app": "shop", "source": "\#(decomposed)"}"#)
        #expect(flagmenu("get a").status == 2)
    }

    /// The history is beside the target of a link to the overrides, and clients of a server have stores of their own.
    @Test(arguments: [
        ("overrides.json", "sub/o.json", "sub/history.jsonl"),
        ("clients/ana/overrides.json", "../../o.json", "history.jsonl"),
        ("x", "none", "clients/ana/overrides.json"), ("x", "none", "clients"), ("x", "none", "running"),
    ])
    func `a link in a store is followed before it is used`(name: String, target: String, way: String) throws {
        let store = "\(project)/s"
        for path in [name, target, way] {
            try FileManager.default.createDirectory(
                atPath: ("\(store)/\(path)" as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        }
        #expect(symlink(target, "\(store)/\(name)") == 0)
        write(#"{"app": "shop", "source": "sub/file", "store": "s"}"#)
        #expect(flagmenu("get a").status == 0)
        #expect(symlink("../../../../../../../../../../../..\(outside[0])/new", "\(store)/\(way)") == 0)
        flagmenu("set a 2").expect(2, errors: "keep overrides in \(outside[0])/new")
        #expect(workplace.names(in: outside[0]) == ["file"])
    }

    @Test func `each way out of a store needs its own consent`() throws {
        write(#"{"app": "shop", "source": "sub/file", "store": "s"}"#)
        try FileManager.default.createDirectory(atPath: "\(project)/s", withIntermediateDirectories: false)
        #expect(symlink("\(outside[0])/one", "\(project)/s/overrides.lock") == 0)
        #expect(flagmenu("trust").text.contains("to keep overrides in \(outside[0])/one"))
        #expect(symlink("\(outside[0])/two", "\(project)/s/overrides.json") == 0)
        flagmenu("set a 2").expect(2, errors: "keep overrides in \(outside[0])/two")
    }

    @Test func `a path with a null character is an error`() {
        for member in Self.members {
            write(member.text(#"sub\u0000/file"#))
            flagmenu("get a").expect(2, errors: "U+0000", comment: member.testDescription)
            #expect(flagmenu("trust").status == 2)
        }
    }

    @Test func `an app cannot name a folder outside those of apps`() {
        write(#"{"app": "../\#u{338}x", "source": "sub/file"}"#)
        flagmenu("set a 2").expect(2, errors: "cannot be an app id")
        #expect(workplace.names(in: "\(workplace.home)/.local/state") == [])
    }

    @Test func `a source of the project that is chosen in the menu is not typed`() throws {
        write(#"{"app": "shop", "sources": ["sub/file", "../outside/file"]}"#)
        let options = try GlobalOptions.parse(["--source", "sub/file"])
        let settings = try Settings(options.values, environment: environment)
        let sources = try #require(settings.project?.sources)
        let opened = OpenedFiles(in: outside)
        let reason = Openings(options, settings).prepare(.source(sources[1].shown))
        #expect(reason?.contains("read the file \(outside[0])/file") == true, "\(reason ?? "")")
        #expect(opened.take() == [])
    }
}
