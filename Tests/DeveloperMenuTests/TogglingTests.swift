import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Space, x and the option list: what they save, and what the menu then shows.
@Suite struct TogglingTests {
    private let key = "enable_multiple_locations"

    @Test func `space sets a bool and clears it at the remote value`() {
        var menu = MenuDriver()
        let first = menu.effects(of: "<space>")
        #expect(first == [.saveOverrides(id: 1, edits: [.set(key: key, value: "true")], label: "toggle \(key)")])
        #expect(menu.saved == [key: "true"])
        #expect(menu.state.selected?.state == .overridden)
        let second = menu.effects(of: "<space>")
        #expect(second == [.saveOverrides(id: 2, edits: [.clear(key: key)], label: "toggle \(key)")])
        #expect(menu.saved == [:])
        #expect(menu.state.selected?.state == .notSet)
    }

    /// Steps through all options and back to no override, also if a launch value hides the override.
    @Test(
        arguments: [
            ("login_variant", [:], ["variant_a", "variant_b", nil, "variant_a"]),
            ("enable_multiple_locations", ["enable_multiple_locations": "true"], ["false", "true", nil, "false"]),
        ] as [(String, [String: String], [String?])])
    func `space steps through the options back to remote`(key: String, launch: [String: String], saved: [String?]) {
        var menu = MenuDriver(launch: launch, pressing: "/\(key)<enter>")
        let values = saved.map { _ in
            menu.press("<space>")
            return menu.saved[key]
        }
        #expect(values == saved)
    }

    @Test(arguments: [
        // If the effective value is not an option, stepping starts with the first option.
        ("z", "x|y", "x"),
        // A duplicate option is skipped.
        ("x", "x|x|y", "y"),
        // The remote value `TRUE` and the option `true` are the same bool.
        ("TRUE", "true|false", "false"),
    ])
    func `space sets the next option`(value: String, options: String, saved: String) {
        #expect(MenuDriver(.oneFlag("a", value: value, options: options), pressing: "<space>").saved == ["a": saved])
    }

    @Test func `bools are compared by meaning`() {
        let menu = MenuDriver(.oneFlag("a", value: "TRUE", options: "true|false"), pressing: "<space><space>")
        #expect(menu.saved == [:])
    }

    @Test func `flag without options shows a message`() {
        var menu = MenuDriver()
        let effects = menu.effects(of: "G<space>")
        #expect(menu.selectedKey == "greeting_text")
        #expect(effects == [])
        #expect(menu.message == "greeting_text has no options to step through. Enter edits its value.")
    }

    @Test func `orphan can only be edited or cleared`() {
        var menu = MenuDriver(overrides: ["gone_key": "7"], pressing: "G")
        #expect(menu.selectedKey == "gone_key")
        #expect(menu.state.selected?.state.word == "stale")
        #expect(menu.effects(of: "<space>") == [])
        #expect(menu.message == "gone_key has no options to step through. Enter edits its value.")
        #expect(menu.press("<enter><bs>8<enter>").saved == ["gone_key": "8"])
        #expect(menu.selectedKey == "gone_key")
        #expect(menu.press("x").saved == [:])
        #expect(menu.selectedKey == "greeting_text", "the flag above the removed one is selected")
    }

    @Test func `x clears the override or shows a message`() {
        for press in ["x", "<del>", "<bs>"] {
            var menu = MenuDriver(overrides: [key: "true"], pressing: press)
            #expect(menu.saved == [:], "\(press)")
            #expect(menu.effects(of: press) == [])
            #expect(menu.message == "Multiple locations is not overridden.")
        }
    }

    // MARK: launch values

    @Test func `launch value wins and shows a message`() {
        var menu = MenuDriver(launch: [key: "true"])
        #expect(menu.value(key) == "true")
        #expect(menu.press("<space>").saved == [key: "false"])
        #expect(menu.value(key) == "true")
        #expect(menu.message == "Saved, but this run was started with \(key) = true, which wins.")
        #expect(menu.lines.contains { $0.contains("override hidden") })
    }

    @Test func `use remote shows the remote value not the launch value`() {
        let menu = MenuDriver(overrides: [key: "true"], launch: [key: "true"], pressing: "<enter>")
        #expect(menu.lines.contains { $0.contains("x  reset to false (remote)") })
    }

    @Test func `launch value of the wrong type is ignored`() {
        let menu = MenuDriver(launch: [key: "maybe"], pressing: "<space>")
        #expect(menu.value(key) == "true")
        #expect(menu.state.selected?.explanation.winner == .override)
    }
}
