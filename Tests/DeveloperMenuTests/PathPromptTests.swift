import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Path prompts and completion with Tab.
@Suite struct PathPromptTests {
    private static let files = ["config/": [:], "remote.json": [:], "remote.plist": [:]] as [String: [String: String]]

    private func prompting(_ keys: String) -> MenuDriver {
        var menu = MenuDriver()
        menu.files = Self.files
        menu.press(keys)
        return menu
    }

    private func text(_ menu: MenuDriver) -> String? { menu.state.sheet(LinePrompt.self)?.field.text }

    @Test(arguments: [":export<enter>", ":import<enter>", ":open<enter>e"])
    func `tab completes the common prefix`(keys: String) {
        var menu = prompting(keys + "r")
        #expect(menu.lines[23].contains("tab complete"))
        menu.press("<tab>")
        #expect(text(menu) == "remote.")
        #expect(menu.missing("remote.json", "remote.plist") == [])
        menu.press("j<tab>")
        #expect(text(menu) == "remote.json")
        #expect(!menu.lines.contains { $0.contains("remote.plist") })
        menu.press("<c-u>c<tab>")
        #expect(text(menu) == "config/")
    }

    @Test func `suggestions can be chosen`() {
        var menu = prompting(":export<enter><tab>")
        #expect(menu.lines.contains { $0.contains("config/") && $0.contains("folder") })
        menu.press("<down><down>")
        #expect(text(menu) == "remote.json")
        menu.press("x")
        #expect(text(menu) == "remote.jsonx")
        #expect(menu.state.sheet(LinePrompt.self)?.suggestions == [], "suggestions for another text are removed")
    }

    @Test func `completion without match shows a message`() {
        let menu = prompting(":export<enter>nosuch<tab>")
        #expect(menu.lines.contains { $0.contains("No path begins like this.") })
        #expect(text(menu) == "nosuch")
    }

    /// A slow folder must not overwrite text typed meanwhile.
    @Test func `completion of another text is ignored`() {
        var state = prompting(":export<enter>r").state
        #expect(state.reduce(.key(.tab), at: MenuDriver.now) == [.completePath(id: 1, "r")])
        _ = state.reduce(.line(.textWritten("rx")), at: MenuDriver.now)
        _ = state.reduce(.file(id: 1, .completed(["remote.json"])), at: MenuDriver.now)
        #expect(state.sheet(LinePrompt.self)?.field.text == "rx")
    }

    @Test func `keys after tab wait for the completion`() {
        var state = prompting(":import<enter>r").state
        for key in KeyScript.parse("<tab><enter>") { _ = state.reduce(.key(key), at: MenuDriver.now) }
        let effects = state.reduce(.file(id: 2, .completed(["remote.json"])), at: MenuDriver.now)
        #expect(effects == [.readImport(id: 3, path: "remote.json")])
        _ = state.reduce(.key(.tab), at: MenuDriver.now)
        for key in KeyScript.parse("x<esc>") { _ = state.reduce(.key(key), at: MenuDriver.now) }
        #expect(state.mode == .list && state.typeAhead == [])
    }

    @Test func `rejection of a path is shown whole`() {
        let reason =
            "a/folder/that/is/deep/remote.json: line 1, column 7: expected ',' or '}' before the next member, and nothing was read."
        var menu = MenuDriver(columns: 40, rows: 12)
        menu.openError = reason
        menu.press(":open<enter>ex<enter>")
        let box = menu.lines.joined().replacing("│", with: "").split(separator: " ").joined(separator: " ")
        #expect(box.contains("line 1, column 7: expected ',' or '}'"), "\(menu.lines)")
    }

    @Test func `tab steps through suggestions in other prompts`() {
        let menu = MenuDriver(pressing: "/login_variant<enter>S<tab>")
        #expect(text(menu) == menu.state.sheet(LinePrompt.self)?.suggestions.first?.text && text(menu) != nil)
        #expect(!menu.lines[23].contains("tab complete"))
    }

    @Test func `import prompt lists the files`() {
        let menu = prompting(":import<enter>")
        #expect(menu.lines.contains { $0.contains("remote.plist") })
        #expect(text(menu) == "", "an empty prompt is not completed")
    }
}
