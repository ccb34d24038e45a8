import TestSupport
import Testing

/// Words that users of other programs type, and words with typing errors.
@Suite struct CommandWordTests {
    private let workplace = Workplace()

    init() {
        workplace.write(Documents.shop, to: "shop.json")
        workplace.write(#"{"source": "shop.json", "app": "shop"}"#, to: "flagmenu.json")
    }

    @Test(arguments: ["reset", "clear", "unset", "rm", "remove", "delete"])
    func `reset has the names that other programs give it`(word: String) {
        #expect(workplace.flagmenu("set show_map=false").status == 0)
        #expect(workplace.flagmenu("list --overridden").text == "show_map\tfalse\toverride\n")
        let run = workplace.flagmenu("\(word) show_map")
        #expect(run.status == 0, "\(run.errorText)")
        #expect(workplace.flagmenu("list --overridden").text == "")
    }

    @Test func `ls lists, and version prints the version`() {
        #expect(workplace.flagmenu("ls").text == workplace.flagmenu("list").text)
        let version = workplace.flagmenu("version")
        #expect(version.status == 0 && version.text == workplace.flagmenu("--version").text, "\(version.errorText)")
        #expect(version.text.hasPrefix("flagmenu "))
    }

    @Test(arguments: ["paths", "config"]) func `a report that moved to status is named`(word: String) {
        let run = workplace.flagmenu(word)
        #expect(run.status == 2 && run.errorText.contains("flagmenu status --files"), "\(run.errorText)")
    }

    @Test(arguments: [("lst", "list"), ("rest", "reset"), ("verison", "version")])
    func `a word with a typing error is rejected with a suggestion`(word: String, meant: String) {
        let run = workplace.flagmenu(word)
        #expect(run.status == 2 && run.errorText.contains("\"\(meant)\""), "\(run.errorText)")
    }

    @Test(arguments: ["set show_map false", "toggle show_map", "reset show_map"], ["abc", "0", "3601"])
    func `a time to wait that is no number of seconds is rejected, and nothing is changed`(line: String, time: String) {
        let run = workplace.flagmenu("\(line) --wait=\(time)")
        #expect(run.status == 2 && run.errorText.contains("'\(time)'"), "\(run.errorText)")
        #expect(workplace.flagmenu("list --overridden").text == "")
    }
}
