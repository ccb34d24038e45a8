import TestSupport
import Testing

/// Words that users of other programs type, and words with typing errors.
@Suite struct CommandWordTests {
    private let workplace = Workplace.shop()

    @Test(arguments: ["reset", "clear", "unset", "rm", "remove", "delete"])
    func `reset has the names that other programs give it`(word: String) {
        #expect(workplace.flagmenu("set show_map=false").status == 0)
        #expect(workplace.flagmenu("list --overridden").text == "show_map\tfalse\toverride\n")
        workplace.flagmenu("\(word) show_map").expect(0)
        #expect(workplace.flagmenu("list --overridden").text == "")
    }

    @Test func `ls lists, and version prints the version`() {
        #expect(workplace.flagmenu("ls").text == workplace.flagmenu("list").text)
        let version = workplace.flagmenu("version").expect(0, exactly: workplace.flagmenu("--version").text)
        #expect(version.text.hasPrefix("flagmenu "))
    }

    @Test(arguments: ["paths", "config"]) func `a report that moved to status is named`(word: String) {
        workplace.flagmenu(word).expect(2, errors: "flagmenu status --files")
    }

    @Test(arguments: [("lst", "list"), ("rest", "reset"), ("verison", "version")])
    func `a word with a typing error is rejected with a suggestion`(word: String, meant: String) {
        workplace.flagmenu(word).expect(2, errors: "\"\(meant)\"")
    }

    @Test(arguments: ["set show_map false", "toggle show_map", "reset show_map"], ["abc", "0", "3601"])
    func `a time to wait that is no number of seconds is rejected, and nothing is changed`(line: String, time: String) {
        workplace.flagmenu("\(line) --wait=\(time)").expect(2, errors: "'\(time)'")
        #expect(workplace.flagmenu("list --overridden").text == "")
    }
}
