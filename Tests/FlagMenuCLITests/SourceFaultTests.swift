import Foundation
import TestSupport
import Testing

/// Faulty sources never lose data and never block a command.
@Suite(.slow) struct SourceFaultTests {
    private let workplace = Workplace()

    /// Golden transcripts have more of them.
    @Test(arguments: [
        ("{\"a\": 1,\n \"b\": tru}", "line 2, column 7"), ("\u{FEFF}", "the document is empty"),
        (String(repeating: "[", count: 100_000), "line 1, column"),
    ])
    func `a malformed source without cached values is an error`(content: String, expected: String) {
        workplace.write(content, to: "remote.json")
        workplace.flagmenu("list --source remote.json").expect(
            2, exactly: "", errors: "remote.json", expected, "There are no cached values")
    }

    @Test(arguments: ["list", "get a", "explain a", "set a 2", "status", "export", "fetch"])
    func `with cached values every command works and reports the malformed source`(line: String) {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        #expect(workplace.flagmenu("get a --source remote.json").text == "1\n")
        workplace.write("{\"a\": \"1\",\n\"b\"}", to: "remote.json")
        let run = workplace.flagmenu("\(line) --source remote.json").expect(
            line == "fetch" ? 5 : 0, errors: "line 2, column 4")
        #expect(run.errorText.contains("stay in use") || line == "fetch", "\(run.errorText)")
        #expect(workplace.flagmenu("get a --source remote.json -q").errorText == "")
        workplace.flagmenu("doctor --source remote.json").expect(2, text: "line 2, column 4")
    }

    @Test(arguments: ["directory", "fifo", "missing", "/dev/zero", "loop", "closed"])
    func `a source that is not a readable file is an immediate error`(kind: String) throws {
        let name = kind.hasPrefix("/") ? kind : "source"
        let path = workplace.place(name)
        switch kind {
        case "directory": workplace.write("", to: "source/inside")
        case "fifo": #expect(mkfifo(path, 0o600) == 0)
        case "loop": #expect(symlink("source", path) == 0)
        case "closed":
            workplace.write("{}", to: "source")
            chmod(path, 0)
            if access(path, R_OK) == 0 { try Test.cancel("root reads every file") }
        default: break
        }
        for command in ["list", "fetch", "activate", "explain x"] {
            workplace.flagmenu("\(command) --source \(name)").expect(2, errors: name, comment: command)
        }
    }

    @Test func `one of several sources may be missing`() {
        workplace.write(#"{"a": "1"}"#, to: "one.json")
        workplace.flagmenu("get a --source nosuch.json --source one.json").expect(
            0, exactly: "1\n", errors: "nosuch.json: no such file")
    }

    @Test func `a value of ten megabytes is read completely`() {
        let value = String(repeating: "0123456789", count: 1_000_000)
        workplace.write(#"{"big": "\#(value)"}"#, to: "remote.json")
        let run = workplace.flagmenu("get big --source remote.json")
        #expect(run.output.count == value.utf8.count + 1)
        #expect(run.text == value + "\n")
        #expect(workplace.flagmenu("explain big --source remote.json").status == 0)
    }

    @Test func `a value of three megabytes can be imported and read`() {
        let value = String(repeating: "€", count: 1_000_000)
        workplace.flagmenu("import - --new", input: #"{"big": "\#(value)"}"#).expect(0)
        #expect(workplace.flagmenu("get big").text == value + "\n")
    }

    @Test func `a cache that cannot be written is only a warning`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.write("in the way", to: "\(workplace.home)/.cache")
        workplace.flagmenu("get a --source remote.json").expect(0, exactly: "1\n", errors: "could not be cached")
    }

    @Test func `unreadable defaults are an error`() {
        workplace.write("<plist", to: "defaults.xml")
        workplace.flagmenu("list --defaults defaults.xml").expect(2, errors: "defaults.xml", "--defaults")
    }

    @Test func `defaults are read from files only, and the error says so`() {
        workplace.plainFlagmenu("list --defaults -", input: #"{"a": "1"}"#).expect(
            2, errors: "--defaults reads files only")
        workplace.shell("flagmenu list --defaults <(echo '{\"a\": \"1\"}')", ["/bin/bash", "-c"]).expect(
            2, errors: "--defaults reads files only")
    }

    @Test func `the file name of a source may contain any character`() {
        let name = "od d'\u{1B}[31m\u{202E}é.json"
        workplace.write("{", to: name)
        workplace.flagmenu(["list", "--source", name]).expect(2, without: "\u{1B}", "\u{202E}")
        workplace.write(#"{"a": "1"}"#, to: name)
        #expect(workplace.flagmenu(["get", "a", "--source", name]).text == "1\n")
    }
}
