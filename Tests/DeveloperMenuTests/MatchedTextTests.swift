import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Seeing why a flag is listed: marked letters, and the text that was found where the name does not tell.
@Suite struct MatchedTextTests {
    /// The row of a flag, and the letters that are marked in it.
    private func row(_ menu: MenuDriver, _ name: String) -> (text: String, marked: String)? {
        guard let row = menu.lines.dropFirst(2).firstIndex(where: { $0.contains(name) }) else { return nil }
        let frame = menu.state.screen.frame
        let marked = (0..<frame.size.columns).filter { frame[row, $0].style.isUnderlined }
        return (menu.lines[row], String(marked.map { frame[row, $0].character }))
    }

    @Test(
        arguments: [
            // In the name itself.
            ("ml", "Multiple locations", "   Multiple locations      ", "Ml"),
            // In the key, which has another word than the title.
            ("enable", "Multiple locations", "enable_multiple_lo", "enable"),
            // In the description, from some words before it on.
            ("instead", "Multiple locations", "instead of", "instead"),
            // In the value, where the list shows it.
            ("control", "Login variant", "Login variant  ", "control"),
            // In the middle of a value.
            ("welcome", "Login screen", "{\"label\":", "Welcome"),
        ] as [(String, String, String, String)])
    func theRowTellsWhyAFlagIsListed(filter: String, name: String, text: String, marked: String) throws {
        var menu = MenuDriver()
        menu.press("/\(filter)")
        let found = try #require(row(menu, name))
        #expect(found.text.contains(text), "\(found.text)")
        #expect(found.marked == marked)
    }

    @Test func aPhraseIsMarkedWholeAndScatteredLettersOfADescriptionAreNot() throws {
        var menu = MenuDriver(columns: 120)
        menu.press("/<paste:\"item count\">")
        #expect(row(menu, "Maximum")?.marked.hasPrefix("item count") == true)
        menu.press("<c-u>lv")
        let frame = menu.state.screen.frame
        let region = try #require(menu.state.layout.detail)
        let detail = region.rowRange.flatMap { row in region.columnRange.map { frame[row, $0] } }
        #expect(String(detail.filter(\.style.isUnderlined).map(\.character)) == "Lvlv", "title and key, nothing else")
    }

    /// In ASCII a letter may take two cells, and marks stay with their letters.
    @Test(
        arguments: [
            (Charset.unicode, "and", "Größe ändern", 10..<13, "änd"), (.ascii, "and", "Grosse andern", 11..<14, "and"),
            (.ascii, "ß", "Grosse andern", 7..<9, "ss"), (.ascii, "gr", "Grosse andern", 4..<6, "Gr"),
        ] as [(Charset, String, String, Range<Int>, String)])
    func marksStayWithTheirLetters(charset: Charset, filter: String, name: String, columns: Range<Int>, letters: String)
        throws
    {
        let catalog = #"[{"category": "C", "items": [{"key": "size", "title": "Größe ändern", "value": "a|b"}]}]"#
        var menu = MenuDriver(.snapshot(#"{"size": "a", "config_categories": \#(catalog)}"#), charset: charset)
        menu.press("/<paste:\(filter)>")
        let row = try #require(menu.lines.firstIndex { $0.contains(name) })
        let frame = menu.state.screen.frame
        let marked = (0..<frame.size.columns).filter { frame[row, $0].style.isUnderlined }
        #expect(marked == Array(columns))
        #expect(String(marked.map { frame[row, $0].character }) == letters)
    }

    /// Whatever is typed and however wide the screen is, names and values stay in their columns.
    @Test(arguments: [40, 60, 80, 100, 160])
    func evidenceKeepsItsColumns(columns: Int) {
        for filter in ["e", "login", "instead", "welcome", "control", "\"of a\"", "日"] {
            var menu = MenuDriver(columns: columns)
            menu.press("/<paste:\(filter)>")
            for line in menu.lines { #expect(DisplayText.width(line) <= columns) }
            #expect(menu.state.screen.frame.unsafeCell == nil)
        }
    }

    // MARK: hints

    @Test(
        arguments: [
            ("is:", "is: overridden, changed, same, stale, invalid, expired, remote, pinned"),
            ("is:s", "is: same, stale"),
            ("!type:d", "type: double"), ("cat:l", "cat: Location, Login"),
            ("is:foo", "is: accepts overridden, changed, same, stale, invalid, expired, remote, pinned; not foo."),
            (
                "is:foo login",
                "is: accepts overridden, changed, same, stale, invalid, expired, remote, pinned; not foo."
            ),
        ] as [(String, String)])
    func whatAConditionKnowsIsTold(filter: String, hint: String) {
        var menu = MenuDriver(columns: 90, overrides: ["login_variant": "control"])
        menu.press("/\(filter.replacing(" ", with: "<space>"))")
        #expect(menu.lines[22].contains(hint), "\(menu.lines[22])")
        // A list that a typo leaves whole is one that somebody clears by mistake.
        #expect(menu.listedKeys.isEmpty == hint.contains("accepts"))
    }

    @Test(
        arguments: [
            ("is:o<tab>", "is:overridden "), ("is:s<tab>", "is:s"), ("is:st<tab>", "is:stale "),
            ("!layer:la<tab>", "!layer:launch "), ("cat:lo<tab>", "cat:lo"), ("cat:loc<tab>", "cat:Location "),
            ("log<tab>", "log"), ("is:<tab>", "is:"), ("is:stale<tab>", "is:stale"),
        ] as [(String, String)])
    func tabCompletesAsFarAsItCan(keys: String, line: String) {
        var menu = MenuDriver()
        menu.press("/\(keys)")
        #expect(menu.state.list.filter.text == line)
    }

    @Test func aCategoryOfSeveralWordsIsCompletedInQuotes() {
        var menu = MenuDriver(
            .snapshot(
                #"[{"category": "Health & Sync", "items": [{"key": "a"}]}, {"category": "B", "items": [{"key": "b"}]}]"#
            ))
        menu.press("/cat:he<tab>")
        #expect(menu.state.list.filter.text == "cat:\"Health & Sync\" ")
        #expect(menu.listedKeys == ["a"])
    }
}
