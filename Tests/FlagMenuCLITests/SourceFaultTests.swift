import Foundation
import TestSupport
import Testing

/// Bad sources never cost data and never hold a command up.
@Suite struct SourceFaultTests {
    private let workplace = Workplace()

    @Test(arguments: [
        ("{\"a\": 1,\n \"b\": tru}", "line 2, column 7"), ("", "line 1, column 1"), ("\u{FEFF}", "line 1"),
        ("3", "expected an object or an array"), ("{\"a\": 1, \"a\": 2}", "line 1, column 10"),
        (String(repeating: "[", count: 100_000), "line 1, column"),
    ])
    func `a malformed source without last good values`(content: String, expected: String) {
        workplace.write(content, to: "remote.json")
        let run = workplace.flagmenu("list --source remote.json")
        #expect(run.status == 2)
        #expect(run.text == "")
        #expect(run.words.contains("remote.json"))
        #expect(run.words.contains(expected), "\(run.words)")
        #expect(run.words.contains("There are no cached values"))
    }

    @Test(arguments: ["list", "get a", "explain a", "set a 2", "status", "export", "fetch"])
    func `with last good values every command goes on and says so`(line: String) {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        #expect(workplace.flagmenu("get a --source remote.json").text == "1\n")
        workplace.write("{\"a\": \"1\",\n\"b\"}", to: "remote.json")
        let run = workplace.flagmenu("\(line) --source remote.json")
        #expect(run.status == (line == "fetch" ? 5 : 0), "\(run.words)")
        #expect(run.words.contains("line 2, column 4"), "\(run.words)")
        #expect(run.words.contains("stay in use") || line == "fetch", "\(run.words)")
        #expect(workplace.flagmenu("get a --source remote.json -q").words == "")
    }

    @Test func `doctor tells of a source that is broken although its last good values stand`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        #expect(workplace.flagmenu("list --source remote.json").status == 0)
        workplace.write("{", to: "remote.json")
        let run = workplace.flagmenu("doctor --source remote.json")
        #expect(run.status == 2)
        #expect(run.text.contains("line 1, column 2"))
    }

    @Test(arguments: ["directory", "fifo", "missing", "/dev/zero", "loop", "closed"])
    func `what is no readable file is a sentence at once`(kind: String) throws {
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
            let run = workplace.flagmenu("\(command) --source \(name)")
            #expect(run.status == 2, "\(command): \(run.words)")
            #expect(run.words.contains(name))
        }
    }

    @Test func `one of several sources may be missing`() {
        workplace.write(#"{"a": "1"}"#, to: "one.json")
        let run = workplace.flagmenu("get a --source nosuch.json --source one.json")
        #expect(run.status == 0 && run.text == "1\n")
        #expect(run.words.contains("nosuch.json: no such file"))
    }

    @Test func `a value of ten megabytes goes through whole`() {
        let value = String(repeating: "0123456789", count: 1_000_000)
        workplace.write(#"{"big": "\#(value)"}"#, to: "remote.json")
        let run = workplace.flagmenu("get big --source remote.json")
        #expect(run.output.count == value.utf8.count + 1)
        #expect(run.text == value + "\n")
        #expect(workplace.flagmenu("explain big --source remote.json").status == 0)
    }

    @Test func `a text of megabytes can be set from a file and read again`() {
        let value = String(repeating: "€", count: 1_000_000)
        let run = workplace.flagmenu("import - --new", input: #"{"big": "\#(value)"}"#)
        #expect(run.status == 0, "\(run.words.prefix(200))")
        #expect(workplace.flagmenu("get big").text == value + "\n")
    }

    @Test func `a cache that cannot be written costs a sentence, not the command`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.write("in the way", to: "\(workplace.home)/.cache")
        let run = workplace.flagmenu("get a --source remote.json")
        #expect(run.status == 0 && run.text == "1\n")
        #expect(run.words.contains("could not be cached"))
    }

    @Test func `defaults that cannot be read`() {
        workplace.write("<plist", to: "defaults.xml")
        let run = workplace.flagmenu("list --defaults defaults.xml")
        #expect(run.status == 2)
        #expect(run.words.contains("defaults.xml") && run.words.contains("--defaults"))
    }

    @Test func `a source's name may be anything`() {
        let name = "od d'\u{1B}[31m\u{202E}é.json"
        workplace.write("{", to: name)
        let run = workplace.flagmenu(["list", "--source", name])
        #expect(run.status == 2)
        #expect(!run.words.contains("\u{1B}") && !run.words.contains("\u{202E}"))
        workplace.write(#"{"a": "1"}"#, to: name)
        #expect(workplace.flagmenu(["get", "a", "--source", name]).text == "1\n")
    }
}
