import Foundation
import TestSupport
import Testing

/// Standard streams that are full, closed, gone or not what they seem.
@Suite struct StreamTests {
    private let workplace = Workplace()

    @Test(
        .enabled(if: access("/dev/full", W_OK) == 0, "there is no /dev/full"),
        arguments: [
            "list", "list --json", "get login_variant", "explain login_variant", "export", "paths", "status",
            "doctor", "manual", "completions bash", "--help", "history --json", "set login_variant B --json",
            "menu --accessible",
        ])
    func `a full standard output is exit code 4 and a sentence`(line: String) {
        let run = workplace.shell("flagmenu \(line) > /dev/full")
        #expect(run.status == 4)
        #expect(run.words.contains("Standard output cannot be written: No space left on device."), "\(run.words)")
    }

    @Test func `a closed standard output is an error only for what has something to say there`() {
        #expect(workplace.shell("flagmenu list >&-").status == 4)
        #expect(workplace.shell("flagmenu set login_variant B >&-").status == 0)
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
    }

    @Test(arguments: [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func `with closed streams no file of ours takes their place`(closing: String) {
        let run = workplace.shell("flagmenu set login_variant B --store kept \(closing)")
        #expect(run.status == 0)
        let stored = workplace.read("kept/overrides.json") ?? ""
        #expect(stored.hasPrefix("{") && stored.hasSuffix("}\n"), "\(stored)")
        #expect(workplace.flagmenu("get login_variant --store kept").text == "B\n")
        #expect(workplace.flagmenu("history --store kept --json").text.contains("\"revision\": 1"))
    }

    @Test func `a reader that has seen enough ends the command without a word`() {
        let many = (0..<20_000).map { "\"key\($0)\": \"\($0)\"" }.joined(separator: ",")
        workplace.write("{\(many)}", to: "many.json")
        let run = workplace.shell("flagmenu list --source many.json | head -1")
        #expect(run.text == "key0\t0\tremote\n")
        #expect(run.words == "")
    }

    @Test func `standard input that cannot be read changes nothing`() {
        for source in ["< .", "<&-", "< /dev/null"] {
            let run = workplace.shell("flagmenu import - \(source)")
            #expect(run.status == 2, "\(source): \(run.words)")
            #expect(run.words.contains("Nothing was changed"))
        }
    }

    @Test(arguments: ["<&-", "< .", "0> written"])
    func `the menu in lines needs somebody who can answer`(source: String) {
        for line in ["--accessible", "menu --accessible"] {
            let run = workplace.shell("flagmenu \(line) \(source)")
            #expect(run.status == 2, "\(source): \(run.words)")
            #expect(run.words.contains("Standard input is closed or cannot be read."))
            #expect(run.text == workplace.flagmenu("list").text, "there is still the list")
        }
        let ended = workplace.shell("flagmenu --accessible < /dev/null")
        #expect(ended.status == 0 && ended.words == "", "an input that ends has been there: \(ended.words)")
    }

    @Test func `import refuses endless input`() {
        let run = workplace.shell("flagmenu import - < /dev/zero")
        #expect(run.status == 2)
        #expect(run.words.contains("has more than"))
    }

    @Test func `reset --all asks on a terminal, with the list`() {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        let no = workplace.flagmenu(["reset", "--all"], input: "n\n", isOnTerminal: true)
        #expect(no.status == 0)
        #expect(no.text.contains("  login_variant: ") && no.text.contains("Clear 1 override? [y/N]"), "\(no.text)")
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
        let yes = workplace.flagmenu(["reset", "--all"], input: "y\n", isOnTerminal: true)
        #expect(yes.status == 0, "\(yes.text)")
        #expect(workplace.flagmenu("get login_variant").text == "A\n")
    }

    @Test func `on a terminal a list has columns`() {
        let run = workplace.flagmenu(["list", "--category", "Items"], isOnTerminal: true)
        #expect(run.text == "maximum_item_count  42   remote\nitem_price_factor   1.0  remote\n")
    }
}
