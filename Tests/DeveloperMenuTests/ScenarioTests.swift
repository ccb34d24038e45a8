import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The scenarios: listed, previewed, applied, saved, renamed, deleted.
@Suite struct ScenarioTests {
    /// A menu with two overrides, one of which is also in the scenario, and a scenario with three values.
    static func menu(_ keys: String = "", columns: Int = 80, rows: Int = 24) -> MenuDriver {
        var menu = MenuDriver(
            columns: columns, rows: rows,
            overrides: ["enable_multiple_locations": "true", "login_variant": "variant_a"])
        menu.scenarios = ["checkout": ["login_variant": "variant_b", "maximum_item_count": "10", "gone": "1"]]
        menu.press(keys)
        return menu
    }

    private func dialog(_ menu: MenuDriver) -> ScenarioDialog? { menu.state.sheet(ScenarioDialog.self) }

    // MARK: the list

    @Test func `the list says what each scenario has and what adding it would change`() {
        let menu = Self.menu("s")
        #expect(
            menu.lines.contains { $0.contains("> checkout") && $0.contains("3 changes, 1 left out.") }, "\(menu.text)")
        #expect(menu.missing("Adds 1, replaces 1.", "/scenarios/checkout.json") == [])
    }

    @Test func `without scenarios, the list says how to save one`() {
        var menu = MenuDriver(pressing: "s")
        #expect(menu.lines.contains { $0.contains("No scenarios yet.") })
        #expect(menu.press("<enter>").message == "There is no scenario to choose.")
        #expect(menu.press("n").message == "Nothing is changed, so a scenario would be empty.")
        #expect(menu.press("s").state.mode == .list)
    }

    @Test func `a file that cannot be read says why and cannot be applied`() {
        var menu = Self.menu("s")
        let reason = "broken.json: line 1, column 2: expected a value. Nothing was changed."
        let broken = ScenarioFile(
            name: "broken", file: "/scenarios/broken.json", content: .failure(InvalidText(sentence: reason)))
        menu.happens(.file(id: 0, .scenarios([broken], change: nil)))
        #expect(menu.missing("Not readable.", "broken.json: line 1, column 2") == [])
        #expect(menu.press("<enter>").message == reason)
        #expect(menu.state.mode.part == ScenarioSheet.part)
    }

    @Test func `keys that are typed before the scenarios are read wait for them`() {
        var menu = Self.menu()
        menu.performsEffects = false
        #expect(menu.effects(of: "s<enter>") == [.scenarios(id: 1, .list)])
        #expect(menu.lines.contains { $0.contains("Reading.") })
        let file = ScenarioFile(
            name: "checkout", file: nil, content: .success(ImportEntries(values: ["login_variant": "variant_b"])))
        menu.happens(.file(id: 1, .scenarios([file], change: nil)))
        #expect(dialog(menu)?.plan.name == "checkout")
    }

    @Test func `the applied scenario shows how many changes deviate from it`() {
        var menu = Self.menu("s<enter>rs")
        #expect(menu.lines.contains { $0.contains("checkout") && $0.contains("applied.") }, "\(menu.text)")
        menu.changeElsewhere([.set(key: "greeting_text", value: "Hi")])
        #expect(menu.lines.contains { $0.contains("applied +1.") }, "\(menu.text)")
    }

    // MARK: the preview

    @Test func `the preview has three columns, a bar beside each change, and what is left out at the end`() {
        let menu = Self.menu("s<enter>")
        #expect(menu.missing("Adds 1, replaces 1, resets 1. a resets nothing.", "now", "scenario", "after") == [])
        for words in [
            ["▌ enable_multiple_locations", "true", "-", "false", "reset"],
            ["▌ login_variant", "variant_a", "variant_b", "replace"], ["▌ maximum_item_count", "42", "10", "add"],
            [#"gone is left out. "gone" is not a flag."#], ["r replace all  a only add  esc back"],
        ] {
            #expect(menu.lines.contains { line in words.allSatisfy(line.contains) }, "\(words) in \(menu.text)")
        }
    }

    @Test func `a flag that stays has no bar and no effect`() {
        var menu = Self.menu()
        menu.scenarios["checkout"] = ["login_variant": "variant_a"]
        menu.press("s<enter>")
        let line = menu.lines.first { $0.contains("login_variant") && $0.contains("variant_a") } ?? ""
        #expect(!line.contains("▌") && !line.contains("replace"), "\(line)")
    }

    @Test func `the smallest screen shows keys whole, above their values`() {
        var menu = Self.menu("s<enter>", columns: 40, rows: 10)
        #expect(menu.missing("Apply \"checkout\"", "r replace all") == [])
        for text in ["enable_multiple_locations", "login_variant", "maximum_item_count", "reset", "is left out."] {
            menu.press("g")
            for _ in 0..<20 where !menu.text.contains(text) { menu.press("j") }
            #expect(menu.text.contains(text), "\(text)")
        }
    }

    @Test func `replacing makes the scenario's changes the only ones, as one step that undo takes back`() {
        var menu = Self.menu("s<enter>r")
        #expect(menu.saved == ["login_variant": "variant_b", "maximum_item_count": "10"])
        #expect(menu.message?.hasPrefix("Applied checkout: 3 changes. u undoes it.") == true, "\(menu.message ?? "")")
        #expect(menu.state.store.table.scenario?.name == "checkout")
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario apply checkout --replace"])
        #expect(menu.state.mode == .list)
        #expect(menu.press("u").saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
    }

    @Test func `adding keeps the other changes`() {
        let menu = Self.menu("s<enter>a")
        let expected = ["enable_multiple_locations": "true", "login_variant": "variant_b", "maximum_item_count": "10"]
        #expect(menu.saved == expected)
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario apply checkout --add"])
        let saves = menu.effects.filter { if case .saveOverrides = $0 { true } else { false } }
        #expect(saves.count == 1)
    }

    @Test(arguments: ["<enter>", "<esc>", "q", "n"])
    func `any other key goes back to the list and changes nothing`(key: String) {
        var menu = Self.menu("s<enter>")
        #expect(menu.effects(of: key) == [])
        #expect(menu.state.mode.part == ScenarioSheet.part)
        #expect(menu.saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
    }

    @Test func `the preview follows changes that others make, and applies what it shows`() {
        var menu = Self.menu("s<enter>")
        menu.changeElsewhere([.clear(key: "enable_multiple_locations"), .set(key: "maximum_item_count", value: "10")])
        #expect(dialog(menu)?.plan.summary == "Replaces 1.")
        menu.changeElsewhere([.set(key: "greeting_text", value: "Hi")])
        #expect(dialog(menu)?.plan.lines.first { $0.key == "greeting_text" }?.effect == .reset)
        #expect(menu.press("r").saved == ["login_variant": "variant_b", "maximum_item_count": "10"])
    }

    @Test func `a read-only menu shows the preview and applies nothing`() {
        var menu = Self.menu()
        menu.prefer { $0.isReadOnly = true }
        menu.press("s<enter>")
        for key in ["r", "a"] { #expect(menu.effects(of: key) == []) }
        #expect(menu.message?.hasPrefix("Read-only") == true && menu.state.mode.part == ScenarioDialog.part)
    }

    // MARK: changes of scenarios

    @Test func `the current changes are saved under a name, and a taken name is asked about`() {
        var menu = Self.menu("sn")
        #expect(menu.press("<enter>").lines.contains { $0.contains("Write a name, such as checkout.") })
        menu.press("mine<enter>")
        #expect(menu.scenarios["mine"] == menu.saved && menu.message == "Saved mine.")
        #expect(menu.lines.contains { $0.contains("> mine") }, "\(menu.text)")
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario save mine"])
        menu.press("ncheckout<enter>")
        #expect(menu.lines.contains { $0.contains("checkout exists. Enter again replaces it.") })
        #expect(menu.scenarios["checkout"]?.count == 3)
        menu.press("<enter>")
        #expect(menu.scenarios["checkout"] == menu.saved)
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario save checkout --force"])
    }

    @Test func `a second Enter while a scenario is saved does not ask about it`() {
        var menu = Self.menu("sntwo")
        menu.performsEffects = false
        #expect(menu.effects(of: "<enter><enter>").count == 1)
    }

    @Test func `a saved scenario names the secret flags of which it has the values`() {
        var menu = Self.menu()
        menu.prefer { $0.secrets = SecretFlags(patterns: ["login*"]) }
        menu.press("snmine<enter>")
        #expect(menu.message?.contains("has the values of secret flags: login_variant.") == true, "\(menu.text)")
    }

    @Test func `a rename that is rejected stays in the prompt`() {
        var menu = Self.menu()
        menu.scenarios["other"] = [:]
        #expect(menu.press("sR<c-u>other<enter>").lines.contains { $0.contains("There is a scenario other already.") })
        #expect(menu.press("<c-u>paid<enter>").scenarios.keys.sorted() == ["other", "paid"])
        #expect(menu.message == "Renamed checkout to paid." && menu.lines.contains { $0.contains("> paid") })
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario rename checkout paid"])
    }

    @Test func `deleting asks, and only y confirms`() {
        var menu = Self.menu("sD")
        #expect(menu.lines.contains { $0.contains("Delete checkout? No undo. y deletes it.") })
        #expect(menu.press("<esc>").state.mode.part == ScenarioSheet.part)
        menu.press("y")
        #expect(menu.scenarios.count == 1 && menu.message == "D deletes a scenario.")
        #expect(menu.press("Djy").scenarios.count == 1, "moving cancels")
        menu.press("Dy")
        #expect(menu.scenarios.isEmpty && menu.message == "Deleted checkout.")
        #expect(menu.state.lastCommands.map(\.text) == ["flagmenu scenario delete checkout --yes"])
        #expect(menu.saved.count == 2, "the changes stay")
    }

    @Test func `keys wait until a scenario is deleted`() {
        var menu = Self.menu("sD")
        menu.performsEffects = false
        guard case .scenarios(let id, .delete("checkout"))? = menu.effects(of: "y").last else {
            Issue.record("nothing is deleted")
            return
        }
        #expect(!menu.state.isSettled && menu.press("<esc>").state.part == ScenarioSheet.part)
        menu.happens(.file(id: id, .scenarios([], change: "Deleted checkout.")))
        #expect(menu.state.isSettled && menu.message == "Deleted checkout.")
    }

    @Test(arguments: ["D", "R"])
    func `a built-in scenario is neither deleted nor renamed`(key: String) {
        var menu = Self.menu()
        menu.builtInScenarios = ["checkout"]
        menu.press("s\(key)")
        #expect(menu.message?.contains("checkout is built in") == true)
        #expect(menu.state.mode.part == ScenarioSheet.part && !menu.lines.contains { $0.contains("Delete checkout?") })
    }

    @Test func `the question ends if the scenario cannot be deleted`() {
        var menu = Self.menu("sD")
        menu.builtInScenarios = ["checkout"]
        menu.press("y")
        #expect(menu.message == "checkout cannot be deleted." && menu.scenarios.count == 1)
        #expect(!menu.lines.contains { $0.contains("Delete checkout?") })
    }

    // MARK: line mode

    @Test func `line mode lists, previews and applies a scenario`() {
        var driver = LineModeDriver(Self.menu())
        let listed = driver.reply(to: "s")
        let note = "3 changes, 1 left out. Adds 1, replaces 1. /scenarios/checkout.json"
        #expect(listed.contains("1. checkout: \(note)"), "\(listed)")
        #expect(driver.prompt == "Scenario: ")
        let preview = driver.reply(to: "1")
        #expect(preview.contains("login_variant: now variant_a, scenario variant_b, after variant_b, replace."))
        #expect(
            preview.contains("enable_multiple_locations: now true, not in the scenario, after false, reset."),
            "\(preview)")
        driver.type("no")
        #expect(driver.menu.saved.count == 2 && driver.menu.state.part == ScenarioSheet.part)
        driver.type("1", "r")
        #expect(driver.menu.saved == ["login_variant": "variant_b", "maximum_item_count": "10"])
        driver.type("s", "n", "late", "", "s", "D", "y")
        #expect(driver.menu.scenarios.keys.sorted() == ["late"])
    }
}
