import Foundation
import TestSupport
import Testing

/// Standard streams that are full, closed, missing or of an unexpected kind.
@Suite struct StreamTests {
    private let workplace = Workplace()

    @Test(
        .enabled(if: access("/dev/full", W_OK) == 0, "there is no /dev/full"),
        arguments: [
            "list", "list --json", "get login_variant", "explain login_variant", "export", "status --files", "status",
            "doctor", "manual", "completions bash", "--help", "history --json", "set login_variant B --json",
            "menu --accessible",
        ])
    func `a full standard output is an error and exits with 4`(line: String) {
        workplace.shell("flagmenu \(line) > /dev/full").expect(
            4, errors: "Standard output cannot be written: No space left on device.")
    }

    @Test func `a closed standard output is an error only if there is output`() {
        #expect(workplace.shell("flagmenu list >&-").status == 4)
        #expect(workplace.shell("flagmenu set login_variant B >&-").status == 0)
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
    }

    @Test(arguments: [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func `if streams are closed, no opened file takes their descriptors`(closing: String) {
        workplace.shell("flagmenu set login_variant B --store kept \(closing)").expect(0)
        let stored = workplace.read("kept/overrides.json") ?? ""
        #expect(stored.hasPrefix("{") && stored.hasSuffix("}\n"), "\(stored)")
        #expect(workplace.flagmenu("get login_variant --store kept").text == "B\n")
        #expect(workplace.flagmenu("history --store kept --json").text.contains("\"revision\": 1"))
    }

    @Test func `a closed pipe ends the command without an error`() {
        let many = (0..<20_000).map { "\"key\($0)\": \"\($0)\"" }.joined(separator: ",")
        workplace.write("{\(many)}", to: "many.json")
        workplace.shell("flagmenu list --source many.json | head -1").expect(
            exactly: "key0\t0\tremote\n", isSilent: true)
    }

    @Test func `an unreadable standard input changes nothing`() {
        for source in ["< .", "<&-", "< /dev/null"] {
            workplace.shell("flagmenu import - \(source)").expect(2, errors: "Nothing was changed", comment: source)
        }
    }

    @Test(arguments: ["<&-", "< .", "0> written"])
    func `line mode exits with 2 if standard input cannot be read`(source: String) {
        for line in ["--accessible", "menu --accessible"] {
            let run = workplace.shell("flagmenu \(line) \(source)").expect(
                2, errors: "Standard input is closed or cannot be read.", comment: source)
            #expect(run.text == workplace.flagmenu("list").text, "the list is still printed")
        }
        workplace.shell("flagmenu --accessible < /dev/null").expect(
            0, isSilent: true, comment: "an empty standard input is readable")
    }

    @Test func `import rejects endless input`() {
        workplace.shell("flagmenu import - < /dev/zero").expect(2, errors: "has more than")
    }

    @Test func `reset --all lists the overrides and prompts on a terminal`() {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        workplace.onTerminal("reset --all", typing: ["n"]).expect(
            0, text: "  login_variant: ", "Reset 1 override? [y/N]")
        #expect(workplace.flagmenu("get login_variant").text == "B\n")
        workplace.onTerminal("reset --all", typing: ["y"]).expect(0)
        #expect(workplace.flagmenu("get login_variant").text == "A\n")
    }

    @Test func `list prints columns on a terminal`() {
        workplace.onTerminal("list --category Items").expect(
            exactly: "maximum_item_count  42   remote\nitem_price_factor   1.0  remote\n")
    }
}
