import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The mouse after it is switched on.
@Suite struct MouseTests {
    private func menu(columns: Int = 80, isOn: Bool = true) -> MenuDriver {
        var menu = MenuDriver(columns: columns)
        if isOn { menu.press("<c-t>") }
        // Clears the message about the mouse.
        menu.press("<down><up>")
        return menu
    }

    /// Clicks on a text on the screen.
    private func click(_ text: String, _ offset: Int = 0, in menu: inout MenuDriver) throws {
        let row = try #require(menu.lines.firstIndex { $0.contains(text) }, "\(text) is not on the screen")
        menu.press("<click:\(row),\(try column(of: text, in: menu.lines[row]) + offset)>")
    }

    private func column(of text: String, in line: String) throws -> Int {
        line.distance(from: line.startIndex, to: try #require(line.firstRange(of: text)).lowerBound)
    }

    @Test func `mouse is off until switched on`() throws {
        var menu = menu(isOn: false)
        let before = menu.state
        try click("Login variant", in: &menu)
        #expect(menu.press("<wheel-down:5,5>").state == before)
    }

    @Test(arguments: [80, 120, 200])
    func `click selects and a second click opens`(columns: Int) throws {
        var menu = menu(columns: columns)
        // With trailing blanks, because the detail pane also shows the name.
        try click("Login variant    ", in: &menu)
        #expect(menu.selectedKey == "login_variant" && menu.state.mode == .list)
        try click("Login variant    ", in: &menu)
        #expect(menu.state.mode.part == OptionList.part)
    }

    @Test func `click on marker or value toggles`() throws {
        var menu = menu()
        let value = try #require(menu.value("login_variant"))
        try click("Login variant", -2, in: &menu)
        #expect(menu.selectedKey == "login_variant")
        #expect(menu.value("login_variant") != value && menu.state.mode == .list)
        menu.press("u")
        let row = try #require(menu.lines.first { $0.contains("Login variant") })
        try click("Login variant", column(of: " \(value)", in: row) - 3 + 1, in: &menu)
        #expect(menu.value("login_variant") != value)
    }

    @Test func `footer hints can be clicked`() throws {
        var menu = menu()
        try click("filter", in: &menu)
        #expect(menu.state.mode == .filter)
        try click("clear filter", in: &menu)
        #expect(menu.state.mode == .list)
        // A click between two hints does nothing.
        let footer = try #require(menu.lines.last)
        let before = menu.state
        menu.press("<click:23,\(try column(of: "  ", in: footer))>")
        #expect(menu.state == before)
    }

    @Test func `wheel moves by three flags`() {
        var menu = menu()
        let keys = menu.listedKeys
        #expect(menu.press("<wheel-down:5,5>").selectedKey == keys[3])
        #expect(menu.press("<wheel-up:5,5><wheel-up:5,5>").selectedKey == keys[0])
    }

    @Test func `click selects an option and a second click chooses it`() throws {
        var menu = menu()
        try click("Login variant", in: &menu)
        menu.press("<enter>")
        let options = try #require(menu.state.sheet(OptionList.self))
        let choices = menu.state.facts(of: options.key).choices
        let otherChoice = try #require(choices.last { $0.value != menu.value("login_variant") })
        try click("  \(otherChoice.value)", 2, in: &menu)
        #expect(menu.state.mode.part == OptionList.part)
        try click("  \(otherChoice.value)", 2, in: &menu)
        #expect(menu.state.mode == .list && menu.value("login_variant") == otherChoice.value)
    }

    @Test func `first click on the selected action does not run it`() throws {
        var menu = menu()
        menu.press(":theme")
        let theme = menu.state.settings.theme
        try click("Theme: dark", in: &menu)
        #expect(menu.state.mode.part == .palette)
        try click("Theme: dark", in: &menu)
        #expect(menu.state.mode == .list && menu.state.settings.theme != theme)
    }

    @Test func `click on nothing does nothing`() {
        var menu = menu()
        let before = menu.state
        #expect(menu.press("<click:0,0><click:999,999>").state == before)
    }

    /// Random presses in several modes and at random sizes.
    @Test(.slow) func `random presses never break the menu`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<40 {
            var menu = menu()
            let size = Size(
                columns: Int.random(in: 1...170, using: &random), rows: Int.random(in: 1...40, using: &random))
            menu.happens(.terminal(.resized(size)))
            menu.press(["", "<enter>", "/mu", "?", "i", "C"].randomElement(using: &random) ?? "")
            for _ in 0..<50 {
                let kind = MousePress.Kind.allCases.randomElement(using: &random) ?? .press
                let place = Position(
                    row: Int.random(in: 0...41, using: &random), column: Int.random(in: 0...171, using: &random))
                #expect(menu.happens(.key(.mouse(MousePress(kind, at: place)))).lines.count == size.rows)
            }
        }
    }
}
