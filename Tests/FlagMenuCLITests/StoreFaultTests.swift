import Foundation
import TestSupport
import Testing

/// Faulty stores: exit code 4, the old file unchanged, no temporary file, and an error that names the path.
@Suite(.slow) struct StoreFaultTests {
    private let workplace = Workplace()
    private let sound = #"{"format": 1, "revision": 1, "overrides": {"login_variant": {"value": "B"}}}"#

    private func flagmenu(_ line: String) -> CommandRun { workplace.flagmenu("\(line) --store kept") }

    private var hasTemporaryFiles: Bool {
        !workplace.names(in: "kept").allSatisfy {
            ["overrides.json", "history.jsonl"].contains($0) || $0.hasSuffix("lock")
        }
    }

    @Test func `a file in place of the store folder is an error`() {
        workplace.write("in the way", to: "kept")
        flagmenu("set login_variant B").expect(4, errors: "\(workplace.path)/kept")
        #expect(workplace.read("kept") == "in the way")
        for line in [
            "get login_variant", "explain login_variant", "set no_such_flag 1", "reset no_such_flag", "prompt --json",
        ] {
            flagmenu(line).expect(4, exactly: "", comment: line)
        }
        #expect(flagmenu("doctor").status == 4)
    }

    @Test(arguments: ["get login_variant", "set login_variant B", "export out.json", "init --yes"])
    func `without a working directory no overrides are read or written`(line: String) {
        workplace.shell("mkdir gone && cd gone && rmdir ../gone && $TESTED_FLAGMENU \(line)").expect(
            2, errors: "working directory cannot be read")
    }

    @Test func `an override file that is too large is an error, and reset --all fixes it`() {
        #expect(flagmenu("set login_variant B").status == 0)
        truncate(workplace.place("kept/overrides.json"), 65 * 1_048_576)
        for line in [
            "list", "status", "list --json", "get login_variant", "get no_such_flag", "export", "prompt --json",
        ] {
            flagmenu(line).expect(4, errors: "More than 67108864 bytes", comment: line)
        }
        for line in ["set login_variant A", "reset login_variant", "reset no_such_flag", "undo", "set no_such_flag 1"] {
            flagmenu(line).expect(4, comment: line)
        }
        flagmenu("reset --all").expect(2, errors: "needs --yes")
        flagmenu("reset --all --yes").expect(0, errors: "The unreadable file is kept.")
        #expect(flagmenu("get login_variant").text == "A\n")
        #expect(flagmenu("undo").status == 0)
        #expect(flagmenu("get login_variant").text == "B\n", "the value comes from the history")
    }

    @Test(.enabled(if: geteuid() != 0, "root ignores file permissions"))
    func `a folder without permissions is an error`() {
        #expect(flagmenu("set login_variant B").status == 0)
        chmod(workplace.place("kept"), 0)
        defer { chmod(workplace.place("kept"), 0o700) }
        for line in ["set no_such_flag 1", "set login_variant A", "get login_variant", "reset no_such_flag", "undo"] {
            flagmenu(line).expect(4, comment: line)
        }
    }

    @Test(arguments: [
        "reset --matching is:overridden --yes", "set --matching is:overridden true --yes", "undo", "redo",
        "list --matching is:overridden", "reset login_variant --dry-run", "reset --all --dry-run",
        "reset --matching login --dry-run", "set login_variant B --dry-run",
        "set --matching login_variant B --dry-run", "import import.json --dry-run",
    ])
    func `commands that need damaged overrides exit with 4, also in a dry run`(line: String) {
        workplace.write(#"{"login_variant": "A"}"#, to: "import.json")
        workplace.write(#"{"format": 1, "overr"#, to: "kept/overrides.json")
        flagmenu(line).expect(4)
        #expect(workplace.read("kept/overrides.json") == #"{"format": 1, "overr"#)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can write to the store of another user"))
    func `root reads the store of another user, and writes to it only if it is named`() {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        let folder = "\(workplace.home)/.local/state/flagmenu/sample"
        #expect(chown(folder, 12_345, 12_345) == 0)
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
        for line in ["set login_variant A", "reset login_variant", "undo", "reset --all --yes"] {
            workplace.flagmenu(line).expect(
                4, errors: folder, "sudo -u '#12345' flagmenu --sample \(line)", comment: line)
        }
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
        #expect(workplace.flagmenu("set login_variant A --store \(folder)").status == 0)
        #expect(workplace.flagmenu("get login_variant").text == "A\n")
    }

    @Test func `a file with a long name can be written`() {
        let name = String(repeating: "n", count: 245) + ".json"
        #expect(workplace.flagmenu("export \(name)").status == 0)
        #expect(workplace.names(in: ".").contains(name))
    }

    @Test func `an export leaves out the empty key and can be imported`() {
        workplace.write(#"{"overrides": {"": {"value": "x"}, "a": {"value": "1"}}}"#, to: "kept/overrides.json")
        flagmenu("export out.json").expect(
            0, errors: "The override of the empty key is left out", "1 override written to out.json.")
        #expect(flagmenu("import out.json --replace --new").status == 0)
        #expect(flagmenu("export").text.contains("\"overrides\": {\n    \"a\": \"1\"\n  }\n"))
    }

    @Test func `a project file that is a link to nothing stops every command`() {
        #expect(symlink("gone.json", workplace.place("flagmenu.json")) == 0)
        for line in ["set login_variant B", "get login_variant"] {
            flagmenu(line).expect(2, errors: "flagmenu.json is a link to nothing")
        }
        #expect(workplace.names(in: "kept") == [])
    }

    @Test func `an import that makes the store too large changes nothing`() {
        let value = String(repeating: "x", count: 1_000_000)
        for (number, status) in [(1, 0), (2, 4)] as [(Int, Int32)] {
            let members = (1...9).map { "\"k\(number)\($0)\": \"\(value)\"" }
            workplace.write("{\(members.joined(separator: ","))}", to: "import.json")
            flagmenu("import import.json --new --any --quiet").expect(status)
        }
        #expect(flagmenu("get k11").text == value + "\n")
        #expect(flagmenu("reset k11 k12 --quiet").status == 0)
        #expect(flagmenu("undo --quiet").status == 0)
        #expect(flagmenu("list --overridden --quiet").text.split(separator: "\n").count == 9)
    }

    @Test(arguments: ["directory", "fifo"])
    func `a folder or a pipe in place of the override file is an error`(kind: String) {
        workplace.write("", to: "kept/other")
        let path = workplace.place("kept/overrides.json")
        if kind == "fifo" { mkfifo(path, 0o600) } else { workplace.write("", to: "kept/overrides.json/inside") }
        flagmenu("get login_variant").expect(4, exactly: "", errors: path, comment: "the error names the path")
        for line in ["set login_variant B", "toggle login_variant", "reset --all --yes", "undo"] {
            flagmenu(line).expect(4, errors: path, comment: line)
        }
        #expect(flagmenu("doctor").status == 4)
    }

    @Test func `a corrupt file is reported when it is read and moved aside by the next write`() {
        #expect(flagmenu("set login_variant B").status == 0)
        workplace.write(#"{"format": 1, "#, to: "kept/overrides.json")
        flagmenu("get login_variant").expect(
            exactly: "B\n", errors: "line 1, column 15", "stay in use",
            comment: "the last good values come from the history")
        #expect(workplace.read("kept/overrides.json") == #"{"format": 1, "#, "reading changes nothing")
        let write = flagmenu("set maximum_item_count 100").expect(0)
        let aside = workplace.names(in: "kept").filter { $0.hasPrefix("overrides.json.corrupt-") }
        #expect(aside.count == 1)
        #expect(write.errorText.contains(aside.first ?? "nothing"), "\(write.errorText)")
        #expect(aside.first.flatMap { workplace.read("kept/\($0)") } == #"{"format": 1, "#)
        #expect(flagmenu("export --json").text.contains("login_variant"))
        #expect(flagmenu("get maximum_item_count").errorText == "")
    }

    @Test func `a newer format is read but never written`() {
        let newer = #"{"format": 3, "revision": 1, "overrides": {"login_variant": {"value": "B"}}, "more": 1}"#
        workplace.write(newer, to: "kept/overrides.json")
        flagmenu("get login_variant").expect(exactly: "B\n", errors: "newer version")
        for line in ["set login_variant A", "reset login_variant", "reset --all --yes"] {
            flagmenu(line).expect(4, errors: "format 3")
        }
        #expect(workplace.read("kept/overrides.json") == newer)
    }

    @Test(.enabled(if: getuid() != 0, "root ignores file permissions"))
    func `a folder without write permission is an error, and the overrides stay`() {
        workplace.write(sound, to: "kept/overrides.json")
        chmod(workplace.place("kept"), 0o555)
        defer { chmod(workplace.place("kept"), 0o755) }
        flagmenu("set login_variant A").expect(4, errors: workplace.place("kept"))
        #expect(flagmenu("get login_variant").text == "B\n")
    }

    @Test(arguments: [0, 1])
    func `if the system limits file sizes, set fails and the overrides are unchanged`(blocks: Int) {
        workplace.write(sound, to: "kept/overrides.json")
        let long = String(repeating: "x", count: 2_000)
        workplace.shell("ulimit -f \(blocks); flagmenu set greeting_text \(long) --store kept").expect(
            4, errors: "\(workplace.path)/kept/overrides.json")
        #expect(workplace.read("kept/overrides.json") == sound)
        #expect(!hasTemporaryFiles, "\(workplace.names(in: "kept"))")
        #expect(flagmenu("set login_variant A").status == 0)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root and Linux"))
    func `on a full disk set fails, and the overrides are unchanged`() throws {
        let disk = try SmallDisk(at: workplace.place("kept"), kilobytes: 64)
        #expect(flagmenu("set login_variant B").status == 0)
        let before = workplace.read("kept/overrides.json")
        disk.fill()
        for line in ["set maximum_item_count 100", "toggle AWESOME_FEATURE", "reset --all --yes"] {
            flagmenu(line).expect(4, errors: "\(workplace.path)/kept/overrides.json", comment: line)
            #expect(workplace.read("kept/overrides.json") == before)
        }
        disk.free()
        #expect(!hasTemporaryFiles, "\(workplace.names(in: "kept"))")
        #expect(flagmenu("set maximum_item_count 100").status == 0)
        #expect(flagmenu("get login_variant").text == "B\n")
    }

    @Test func `an export that fails leaves the old file unchanged`() {
        workplace.write("", to: "folder/inside")
        workplace.flagmenu("export folder").expect(4, errors: "\(workplace.path)/folder")
        #expect(workplace.flagmenu("export /dev/full").status == 4)
    }

    @Test func `export replaces a file only with --force and creates no folder`() {
        #expect(flagmenu("set login_variant B").status == 0)
        workplace.write("mine", to: "mine.txt")
        for line in ["export mine.txt", "export mine.txt --dry-run"] {
            flagmenu(line).expect(2, errors: "mine.txt exists; nothing was written. --force replaces it")
        }
        #expect(workplace.read("mine.txt") == "mine")
        #expect(flagmenu("export mine.txt --force").status == 0)
        #expect(workplace.read("mine.txt")?.contains("login_variant") == true)
        flagmenu("export no/such/folder.json --force").expect(
            2, errors: "There is no folder \(workplace.path)/no/such:")
        #expect(!workplace.names(in: "").contains("no"))
    }

    @Test(arguments: [
        "kept/overrides.json", "./kept/../kept/overrides.json", "link.json", "second.json", "linked/history.jsonl",
        "kept/overrides.lock",
    ])
    func `export never replaces the files of its own store`(name: String) {
        #expect(flagmenu("set login_variant B").status == 0)
        #expect(symlink("kept/overrides.json", workplace.place("link.json")) == 0)
        #expect(symlink("kept", workplace.place("linked")) == 0)
        #expect(link(workplace.place("kept/overrides.json"), workplace.place("second.json")) == 0)
        let before = workplace.names(in: "kept").map { workplace.read("kept/\($0)") }
        for line in ["export \(name)", "export \(name) --dry-run"] {
            flagmenu(line).expect(2, errors: "is where overrides are kept; nothing was written. Choose another name.")
        }
        #expect(workplace.names(in: "kept").map { workplace.read("kept/\($0)") } == before)
        #expect(flagmenu("get login_variant").text == "B\n")
        #expect(flagmenu("export elsewhere.json").status == 0)
    }

    /// The store of another app, recognized by its content, even if of a newer version.
    @Test(arguments: [
        ("other/overrides.json", #"{"format": 1, "overrides": {}}"#),
        ("copy.json", #"{"format": 9, "overrides": {}, "else": 1}"#),
    ])
    func `export never replaces the overrides of another store, even with --force`(name: String, text: String) {
        #expect(flagmenu("set login_variant B").status == 0)
        workplace.write(text, to: name)
        for line in ["export \(name) --force", "export \(name)", "export \(name) --force --dry-run"] {
            flagmenu(line).expect(2, errors: "is a file of another store of overrides; nothing was written.")
        }
        #expect(workplace.read(name) == text)
        // A file that only looks similar may be replaced.
        for text in [#"{"overrides": {}, "name": "package"}"#, #"{"format": "1", "overrides": "x"}"#, "damaged"] {
            workplace.write(text, to: "mine.json")
            #expect(flagmenu("export mine.json --force").status == 0)
        }
    }

    @Test func `export never replaces a source or takes the place of a later history`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        #expect(flagmenu("export kept/history.jsonl").status == 2)
        flagmenu("export remote.json --source remote.json").expect(
            2, errors: "remote.json is a source of this run; nothing was written.")
        #expect(workplace.read("remote.json") == #"{"a": "1"}"#)
    }

    @Test(arguments: [
        (#"{"format": 3, "overrides": {"login_variant": {"value": "B"}}}"#, "has format 3 of a newer version"),
        (#"{"format": 4}"#, "has format 4"), (#"{"": "x"}"#, "A key needs at least one character."),
        (#"{"format": 1, "overrides": {"": {"value": "x"}}}"#, "A key needs at least one character."),
    ])
    func `an import in an unsupported format is rejected as a whole`(text: String, sentence: String) {
        workplace.write(text, to: "import.json")
        flagmenu("import import.json --new --any").expect(2, errors: sentence)
        #expect(workplace.read("kept/overrides.json") == nil)
    }

    @Test func `set rejects an empty key`() {
        workplace.flagmenu(["set", "", "x", "--new", "--store", "kept"]).expect(
            2, errors: "A key needs at least one character.")
    }
}
