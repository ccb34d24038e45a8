import FlagModel
import FlagStorage
import Foundation
import TestSupport
import Testing

/// `flagmenu bisect`: which changes break a command.
@Suite struct BisectTests {
    private let workplace = Workplace()
    private let keys = (1...9).map { "k\($0)" }

    init() {
        let values = keys.map { #""\#($0)": "0""# }.joined(separator: ", ")
        workplace.write(
            #"""
            {\#(values), "config_categories": [{"category": "C", "items": [
              {"key": "k2", "requires": ["k9"]}, {"key": "k9"}]}]}
            """#, to: "shop.json")
        workplace.write(#"{"source": "shop.json", "app": "shop"}"#, to: "flagmenu.json")
        workplace.write(
            #"{"overrides": {\#(keys.map { #""\#($0)": {"value": "1"}"# }.joined(separator: ", "))}}"#,
            to: "store/overrides.json")
    }

    /// Runs `flagmenu bisect` with a shell script as the command; the script's runs are counted in the file `runs`.
    @discardableResult private func bisect(_ options: String = "", _ script: String) -> CommandRun {
        workplace.flagmenu(
            ["bisect", "--store", "store"] + options.split(separator: " ").map(String.init)
                + ["--", "sh", "-c", "echo run >> runs; \(script)"], timeout: 60)
    }

    private var runCount: Int { workplace.read("runs")?.split(separator: "\n").count ?? 0 }
    private var store: String? { workplace.read("store/overrides.json") }

    /// A script that fails if all of these flags are overridden.
    private func failing(with keys: String...) -> String {
        keys.map { "test $(flagmenu get \($0)) = 0" }.joined(separator: " || ")
    }

    @Test func `one guilty override is found, and nothing is changed`() {
        let before = store
        bisect("", failing(with: "k5")).expect(
            0, exactly: "k5: not set -> 1\n", errors: "Run 1, about 7 left: 0 of 9 changes.",
            "Good: the command exited with 0.", "Bad: the command exited with 1.", "Found in ", ": k5.",
            "flagmenu reset k5 --store ", "resets it.")
        #expect(store == before)
        #expect(runCount <= 2 + 5 + 1)
    }

    @Test func `the example of the article finds the guilty flag of the sample`() {
        let script = """
            flagmenu scenario apply black-friday --replace --sample --quiet
            flagmenu bisect --sample -- sh -c 'test "$(flagmenu get maximum_item_count --sample)" -le 50'
            """
        Workplace().shell(script, timeout: 60).expect(
            0, exactly: "maximum_item_count: not set -> 100\n", errors: "Run 1, about 6 left: 0 of 5 changes.",
            "Found in 6 runs: maximum_item_count.", "flagmenu reset maximum_item_count --sample resets it.")
    }

    @Test func `overrides that are guilty together, and independent ones, are found`() {
        bisect("", failing(with: "k3", "k7")).expect(0, exactly: "k3: not set -> 1\nk7: not set -> 1\n")
        bisect("", "\(failing(with: "k3", "k7")) && test $(flagmenu get k5) = 0").expect(
            0, text: "k5: not set -> 1\n", "k3: not set -> 1\nk7: not set -> 1\n", errors: "resets them.")
    }

    @Test func `a flag is tested with what it requires`() {
        // k2 breaks, and without k9 so does everything that has k2.
        bisect("", "test $(flagmenu get k2) = 0 || { test $(flagmenu get k9) = 1 || exit 130; exit 1; }").expect(
            0, exactly: "k2: not set -> 1\n")
    }

    @Test func `JSON has the runs and what was found, and the output of the command is in the messages`() {
        let run = bisect("--json", "echo output; \(failing(with: "k5"))").expect(0, errors: "output")
        run.expect(text: #""runs": "#, #""key": "k5""#, #""new": "1""#, #""exact": true"#)
        #expect(!run.text.contains("output"))
    }

    @Test(
        arguments: [
            ("exit 1", "", 1, "not good with none"), ("exit 0", "", 1, "not bad with current"),
            ("exit 126", "", 2, "exited with 126, so the search was ended."),
            ("exit 139", "", 2, "--crash-is-bad counts that as bad."),
            ("kill -9 $$", "", 2, "was ended by signal 9, so the search was ended. --crash-is-bad"),
            ("exit 139", "--crash-is-bad", 1, "not good with none"),
            ("exit 126", "--crash-is-bad", 2, "the search was ended."),
            ("exit 125", "", 1, "not good with none"),
        ] as [(String, String, Int32, String)])
    func `exit codes end the search`(script: String, options: String, status: Int32, sentence: String) {
        bisect(options, script).expect(status, exactly: "", errors: sentence)
    }

    @Test func `a command that does not exist ends the search`() {
        workplace.flagmenu(["bisect", "--store", "store", "--", "no-such-command"]).expect(
            2, errors: "exited with 127, so the search was ended.")
        workplace.flagmenu(["bisect", "--store", "store"]).expect(2, errors: "Name the command after --;")
    }

    @Test func `everything after the two hyphens belongs to the command`() {
        workplace.flagmenu(["bisect", "--store", "store", "--", "sh", "-c", "exit 0", "--help", "--version"]).expect(
            1, errors: "not bad with current")
    }

    @Test func `a crash that only some changes cause is found`() {
        bisect("--crash-is-bad", "test $(flagmenu get k4) = 0 || kill -11 $$").expect(
            0, exactly: "k4: not set -> 1\n", errors: "was ended by signal 11")
    }

    @Test func `skipped states are avoided`() {
        bisect("", "test $(flagmenu get k1)$(flagmenu get k8) = 10 && exit 125; \(failing(with: "k5"))").expect(
            0, exactly: "k5: not set -> 1\n", errors: "Skip: the command exited with 125.")
    }

    @Test func `a state is good only after the repeated runs`() {
        // Fails in every second run.
        let script = "test $(flagmenu get k5) = 0 || test $(( $(wc -l < runs) % 2 )) = 0"
        bisect("--repeat 2", script).expect(0, exactly: "k5: not set -> 1\n")
        bisect("--repeat 0", script).expect(2, errors: "--repeat takes a number")
    }

    @Test func `scenarios are the good and the bad state`() {
        workplace.write(
            #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"k1": "1", "k5": "7"}}"#, to: "scenarios/works.json")
        bisect("--good works", "test $(flagmenu get k5) = 7").expect(
            0, exactly: "k5: 7 -> 1\n", errors: "Found in ", without: "resets")
        bisect("--good current --bad works", "test $(flagmenu get k5) = 1").expect(
            0, exactly: "k5: 1 -> 7\n", without: "resets")
        bisect("--good nowhere", "true").expect(1, errors: "no scenario")
        bisect("--good current", "true").expect(1, errors: "Nothing differs between current and current")
    }

    @Test func `a search goes on from its log`() throws {
        bisect("--log answers.json", "test $(wc -l < runs) -lt 4 || exit 126; \(failing(with: "k5"))").expect(2)
        #expect(runCount == 4)
        let log = try #require(workplace.read("answers.json"))
        #expect(log.contains(#""outcome": "bad""#) && log.contains(#""name": "k5""#))
        workplace.write("", to: "runs")
        bisect("--replay answers.json --log answers.json", failing(with: "k5")).expect(
            0, exactly: "k5: not set -> 1\n")
        #expect(runCount <= 5)
        bisect("--log answers.json", "true").expect(2, errors: "answers.json exists")
        workplace.flagmenu("set k1 2 --new --any --store store").expect(0)
        bisect("--replay answers.json", "true").expect(2, errors: "is not a log of a search among these changes")
        bisect("--log store/overrides.json", "true").expect(2, errors: "nothing was written")
    }

    @Test func `different outcomes of one state are noticed`() {
        workplace.write(log(of: [([], "good"), (Array(0..<9), "bad"), ([0], "bad"), ([0], "good")]), to: "log")
        bisect("--replay log", "exit 0").expect(1, errors: "A state with 1 change was both good and bad", "--repeat 5")
    }

    @Test func `commands name a search by hand that is running, and leave it alone`() throws {
        let store = OverrideStore(
            directory: workplace.place("store"), author: "ana", now: { FlagTimestamp(seconds: 1_795_000_000) })
        let state = OverrideTable(overrides: ["k2": FlagOverride(value: "1")])
        _ = try LiveSession(store, of: "bisect", isByHand: true).replace(with: state, log: .null)
        let sentence = "A bisect by hand is running, so some of your changes are off."
        workplace.flagmenu("get k1 --store store").expect(0, exactly: "0\n", errors: sentence)
        bisect("--live", "true").expect(2, errors: sentence)
        workplace.flagmenu("undo --store store").expect(1, errors: "undo and redo wait for its end")
        workplace.flagmenu("prompt --store store").expect(0, exactly: "1 override, bisect running\n")
        #expect(try LiveSession.searchByHand(in: store)?.original.overrides.count == 9)
        _ = try LiveSession(store, of: "bisect", isByHand: true).restore()
        workplace.flagmenu("get k1 --store store").expect(0, exactly: "1\n", without: sentence)
    }

    /// A log of a search among the nine overrides.
    private func log(of outcomes: [([Int], String)]) -> String {
        let order = ["k1", "k9", "k2"] + keys[2..<8]
        let changes = order.map { #"{"name": "\#($0)", "good": null, "bad": "1"}"# }
        let entries = outcomes.map {
            #"{"changes": [\#($0.map(String.init).joined(separator: ", "))], "outcome": "\#($1)"}"#
        }
        return #"{"changes": [\#(changes.joined(separator: ", "))], "outcomes": [\#(entries.joined(separator: ", "))]}"#
    }

    @Test func `on a terminal the user is asked whether to take back what is guilty`() {
        let line = "bisect --store store -- sh fail.sh"
        workplace.write(failing(with: "k5"), to: "fail.sh")
        workplace.onTerminal(line, typing: ["n"]).expect(0, text: "k5: not set -> 1", "Take back what is guilty now?")
        #expect(store?.contains(#""k5""#) == true)
        workplace.onTerminal(line, typing: ["y"]).expect(0, text: "k5: 1 -> 0")
        #expect(store?.contains(#""k5""#) == false && store?.contains(#""k4""#) == true)
    }

    @Test func `without a command the user judges each state of the store itself`() {
        let before = workplace.flagmenu("list --overridden --store store").text
        // The guilty one is k1, the first of nine.
        workplace.onTerminal("bisect --store store", typing: ["g", "b", "x", "b", "b", "b", "g", "n"]).expect(
            0, text: "Run 1, about 7 left: 0 of 9 changes.", "g good, b bad, s skip, q quit", "k1: not set -> 1",
            "Take back what is guilty now?")
        #expect(workplace.flagmenu("list --overridden --store store").text == before)
        workplace.onTerminal("bisect --store store", typing: ["g", "q"]).expect(
            130, text: "Stopped. Your changes are restored.")
        #expect(workplace.flagmenu("list --overridden --store store").text == before)
    }

    @Test func `a signal ends the command and the search, and removes the copy`() throws {
        let temporary = "\(workplace.path)/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let process = try workplace.start(
            ["bisect", "--store", "store", "--", "sh", "-c", "echo $$ > pid; sleep 60 & wait"],
            environment: ["TMPDIR": temporary])
        #expect(Clock.wait { workplace.process() != nil })
        #expect(workplace.names(in: temporary).count == 1)
        kill(process.id, SIGINT)
        #expect(process.end(before: Clock.seconds() + 20) == 130)
        #expect(workplace.names(in: temporary).isEmpty)
        let command = try #require(workplace.process())
        #expect(Clock.wait { workplace.isGone(command) })
    }

    @Test func `live runs change the store itself, and restore it as one entry of the history`() {
        workplace.flagmenu("set k1 2 --store store --any").expect(0)
        let before = workplace.flagmenu("list --overridden --store store").text
        bisect("--live", "test \"$FLAGMENU_STORE\" = \"$PWD/store\" || exit 126; \(failing(with: "k5"))").expect(
            0, exactly: "k5: not set -> 1\n")
        #expect(workplace.flagmenu("list --overridden --store store").text == before)
        let actions = workplace.flagmenu("history --store store --json").text.matches(of: #/"action": "([^"]+)"/#)
        #expect(actions.map(\.output.1) == ["bisect", "set k1"])
        workplace.flagmenu("undo --store store").expect(0, errors: "k1: 2 -> 1")
        #expect(!workplace.names(in: "store").contains("live.json"))
    }

    @Test func `a live search that was killed is restored by the next command`() throws {
        let before = workplace.flagmenu("list --overridden --store store").text
        let process = try workplace.start([
            "bisect", "--store", "store", "--live", "--", "sh", "-c", "echo $$ > pid; sleep 60",
        ])
        #expect(Clock.wait { workplace.process() != nil })
        #expect(workplace.flagmenu("list --overridden --store store").text == "", "the first state has no changes")
        kill(process.id, SIGKILL)
        process.end(before: Clock.seconds() + 20)
        if let command = workplace.process() { kill(-command, SIGKILL) }
        let run = workplace.flagmenu("list --overridden --store store").expect(
            0, errors: "A bisect ended without restoring your changes: they are restored now.")
        #expect(run.text == before)
        workplace.flagmenu("list --overridden --store store").expect(0, exactly: before, isSilent: true)
    }

    @Test func `a live search stops if somebody else changes the store`() {
        let script = "flagmenu set k5 8 --store store --any --quiet"
        bisect("--live", script).expect(2, errors: "Somebody has changed the overrides meanwhile")
        #expect(workplace.flagmenu("get k5 k4 --store store").text == "8\n1\n")
    }

    @Test func `live needs no second search, and wait needs live`() {
        bisect("--wait=3", "true").expect(2, errors: "--wait needs --live.")
        workplace.write(#"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"k1": "1"}}"#, to: "scenarios/one.json")
        bisect("--live", "flagmenu bisect --store store --bad one --live -- true").expect(
            1, errors: "Another bisect or matrix uses these overrides.")
    }
}
