import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Why a flag is listed: marked letters, and the matched text if it is not in the name.
@Suite struct MatchedTextTests {
    /// The row of a flag and its marked letters.
    private func row(_ menu: MenuDriver, _ name: String) -> (text: String, marked: String)? {
        guard let row = menu.lines.dropFirst(2).firstIndex(where: { $0.contains(name) }) else { return nil }
        let frame = menu.state.screen.frame
        let marked = (0..<frame.size.columns).filter { frame[row, $0].style.isUnderlined }
        return (menu.lines[row], String(marked.map { frame[row, $0].character }))
    }

    @Test(
        arguments: [
            // A match in the name.
            ("ml", "Multiple locations", "Multiple locations  false", "Ml"),
            // A match in the key, if the title does not contain the word.
            ("enable", "Multiple locations", "enable_multiple_lo", "enable"),
            // A match in the description, shown from some words before the match.
            ("instead", "Multiple locations", "instead of", "instead"),
            // A match in the value, which the list shows.
            ("control", "Login variant", "Login variant  ", "control"),
            // A match in the middle of a value.
            ("welcome", "Login screen", "{\"label\":", "Welcome"),
        ] as [(String, String, String, String)])
    func `row shows why a flag is listed`(filter: String, name: String, text: String, marked: String) throws {
        let menu = MenuDriver(pressing: "/\(filter)")
        let found = try #require(row(menu, name))
        #expect(found.text.contains(text), "\(found.text)")
        #expect(found.marked == marked)
    }

    @Test func `phrase is marked but scattered letters of a description are not`() throws {
        var menu = MenuDriver(columns: 120, pressing: "/<paste:\"item count\">")
        #expect(row(menu, "Maximum")?.marked.hasPrefix("item count") == true)
        menu.press("<c-u>lv")
        let frame = menu.state.screen.frame
        let region = try #require(menu.state.layout.detail)
        let detail = region.rowRange.flatMap { row in region.columnRange.map { frame[row, $0] } }
        #expect(
            String(detail.filter(\.style.isUnderlined).map(\.character)) == "Lvlv",
            "only letters of the title and the key are marked")
    }

    /// In ASCII a letter may take two cells.
    @Test(
        arguments: [
            (Charset.unicode, "and", "Größe ändern", 11..<14, "änd"), (.ascii, "and", "Grosse andern", 12..<15, "and"),
            (.ascii, "ß", "Grosse andern", 8..<10, "ss"), (.ascii, "gr", "Grosse andern", 5..<7, "Gr"),
        ] as [(Charset, String, String, Range<Int>, String)])
    func `marks stay with their letters`(
        charset: Charset, filter: String, name: String, columns: Range<Int>, letters: String
    )
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

    /// Names and values stay in their columns for every filter and width.
    @Test(arguments: [40, 60, 80, 100, 160])
    func `matches stay in their columns`(columns: Int) {
        for filter in ["e", "login", "instead", "welcome", "control", "\"of a\"", "日"] {
            let menu = MenuDriver(columns: columns, pressing: "/<paste:\(filter)>")
            for line in menu.lines { #expect(DisplayText.width(line) <= columns) }
            #expect(menu.state.screen.frame.unsafeCell == nil)
        }
    }

    @Test(arguments: [80, 120, 200])
    func `texts that show a match are in one column`(columns: Int) {
        let values = #"{"a_b": true, "a_much_longer_name_of_a_flag": true, "middle_name": true}"#
        let menu = MenuDriver(.snapshot(values), columns: columns, pressing: "/true")
        let rows = menu.lines.filter { $0.contains("a_b ") || $0.contains("a_much_") || $0.contains("middle_name ") }
        let starts = Set(
            rows.compactMap { line in
                line.firstRange(of: "true").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
            })
        #expect(rows.count >= 3 && starts.count == 1, "\(menu.text)")
    }

    // MARK: hints

    @Test(
        arguments: [
            ("is:", "is: overridden, changed, same, stale, invalid, expired, remote, pinned"),
            ("is:s", "is: same, stale"),
            ("!type:d", "type: double"), ("cat:l", "cat: Location, Login"),
            ("type:foo", "type: accepts bool, int, double, string, json; not foo."),
            ("is:foo login", "is: accepts overridden, changed, same, stale, invalid, expired, remote, pinned, "),
        ] as [(String, String)])
    func `condition hint lists its words`(filter: String, hint: String) {
        var menu = MenuDriver(columns: 90, overrides: ["login_variant": "control"])
        menu.press("/\(filter.replacing(" ", with: "<space>"))")
        #expect(menu.lines[22].contains(hint), "\(menu.lines[22])")
        // If a typo listed every flag, somebody could clear them all by mistake.
        #expect(menu.listedKeys.isEmpty == hint.contains("accepts"))
    }

    @Test(
        arguments: [
            ("is:ov", "is:overridden "), ("is:o", "is:o"), ("is:s", "is:s"), ("is:st", "is:stale "),
            ("!layer:la", "!layer:launch "), ("cat:lo", "cat:lo"), ("cat:loc", "cat:Location "),
            ("log", "log"), ("is:", "is:"), ("is:stale", "is:stale"),
            // The first letters of a condition, also after other text.
            ("typ", "type:"), ("t", "type:"), ("is", "is:"), ("ca", "cat:"), ("lay", "layer:"),
            ("login !ty", "login !type:"), ("Typ", "type:"), ("type", "type:"),
            ("login", "login"), ("\"typ", "\"typ"), ("typed", "typed"),
        ] as [(String, String)])
    func `right completes unambiguous words`(typed: String, line: String) {
        let menu = MenuDriver(pressing: "/<paste:\(typed)><right>")
        #expect(menu.state.list.filter.text == line)
        #expect(menu.state.list.filter.cursor == line.count)
    }

    @Test func `category of several words is completed in quotes`() {
        var menu = MenuDriver(
            .snapshot(
                #"[{"category": "Health & Sync", "items": [{"key": "a"}]}, {"category": "B", "items": [{"key": "b"}]}]"#
            ))
        #expect(menu.press("/cat:he<right>").state.list.filter.text == "cat:\"Health & Sync\" ")
        #expect(menu.listedKeys == ["a"])
    }
}
