import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The list of what the tester changed: overrides, conditions, attributes of the context and, below them, launch values.
@Suite struct ChangesListTests {
    /// A condition set by hand, an attribute, two overrides of which one is invalid, and a launch value.
    static func menu(columns: Int = 80, rows: Int = 24, pressing keys: String = "") -> MenuDriver {
        var menu = MenuDriver(columns: columns, rows: rows, launch: ["greeting_text": "Hi"])
        let override = ContextOverride(
            .set(name: "country", value: #""FR""#), .decide(condition: "beta", applies: true))
        for (key, value) in [("enable_multiple_locations", "true"), ("maximum_item_count", "soon")] {
            menu.store.apply([.set(key: key, value: value)], at: MenuDriver.now)
        }
        menu.changeElsewhere(override.edits.map { edit("shop.json", $0) })
        let evaluations = ContextSample.updates(override).evaluations
        let content = RemoteContent(snapshot: .sample, fetchedAt: MenuDriver.now, evaluations: evaluations)
        menu.happens(.remote(.activated(content, by: .fetch(id: 0))))
        menu.press(keys)
        return menu
    }

    private static func edit(_ source: String, _ edit: ContextEdit) -> OverrideEdit {
        .changeContext(ContextChange(source: source, edits: [edit]))
    }

    @Test func `all changes are listed and launch values are not counted`() {
        var menu = Self.menu()
        #expect(menu.lines[0].hasSuffix("4 changed"))
        menu.press("m")
        let expected = [
            " Conditions by hand", " ▌   beta", " Context", " ▌   country", " Overrides", " ▌● Multiple locations",
            " ▌!  Maximum item count", " This run only", "     greeting_text",
        ]
        let rows = menu.lines.dropFirst(2).prefix(expected.count)
        for (row, start) in zip(rows, expected) {
            #expect(
                row.replacing(">", with: " ").split(separator: " ").starts(with: start.split(separator: " ")), "\(row)")
        }
        #expect(rows[3].contains("on") && rows[3].contains("was off: 1 flag uses it"))
        #expect(rows[5].contains("FR") && rows[5].contains("was DE"))
    }

    @Test func `a filter finds launch values by words, and conditions by name`() {
        var menu = Self.menu(pressing: "m/greet")
        #expect(menu.listedKeys == ["greeting_text"])
        #expect(menu.press("<c-u>bet").lines.contains { $0.contains("beta") && $0.contains("was off") })
        #expect(menu.missing("country") == ["country"])
    }

    @Test func `space toggles and x resets a condition`() {
        var menu = Self.menu(pressing: "mg")
        let part = ContextPart("shop.json", .condition, "beta")
        #expect(menu.state.list.selectedPart == part)
        func change(_ edit: ContextEdit, id: RequestID) -> [Effect] {
            [.changeContext(id: id, ContextChange(source: "shop.json", edits: [edit]))]
        }
        #expect(menu.effects(of: " ") == change(.decide(condition: "beta", applies: false), id: 1))
        #expect(menu.effects(of: "x") == change(.restore(.condition, "beta"), id: 2))
        #expect(menu.effects(of: "jx") == change(.restore(.attribute, "country"), id: 3))
    }

    @Test func `enter opens the context at the row`() {
        var menu = Self.menu(pressing: "mgj<enter>")
        let sheet = menu.state.sheet(ContextSheet.self)
        #expect(sheet.map { ContextRow.rows(of: menu.state.remote.evaluations)[$0.selection].part?.name } == "country")
        #expect(menu.press("<esc>").state.list.selectedPart?.name == "country")
    }

    @Test func `change of a source that is gone can be reset`() {
        var menu = MenuDriver()
        menu.changeElsewhere([Self.edit("old.json", .set(name: "plan", value: "1"))])
        menu.press("m<enter>")
        #expect(menu.message == "old.json is not a source of this menu. x resets it.")
        let change = ContextChange(source: "old.json", edits: [.restore(.attribute, "plan")])
        #expect(menu.effects(of: "x") == [.changeContext(id: 1, change)])
    }

    /// A change that is taken back elsewhere leaves the list; the nearest row is selected.
    @Test func `row of a change that is gone is left`() {
        var menu = Self.menu(pressing: "mg")
        var table = menu.store.table
        table.contexts = [:]
        table.revision += 1
        menu.happens(.store(.read(table, error: nil)))
        #expect(menu.state.list.selectedPart == nil && menu.selectedKey == "enable_multiple_locations")
        #expect(menu.lines[0].hasSuffix("2 changed"))
    }

    @Test func `rows that are all gone leave no selection`() {
        var menu = MenuDriver()
        menu.changeElsewhere([Self.edit("shop.json", .decide(condition: "beta", applies: true))])
        #expect(menu.press("m").state.list.selectedPart?.name == "beta")
        #expect(menu.changeElsewhere([.clearAll]).state.list.selectedPart == nil)
        #expect(menu.missing("beta") == ["beta"])
    }

    @Test func `line mode prints all changes`() {
        var line = LineModeDriver(Self.menu())
        let text = line.reply(to: "changed").joined(separator: "\n")
        let facts = [
            "Condition beta: on, was off", "Attribute country: FR, was DE", "Multiple", "Maximum item count",
            "greeting_text",
        ]
        #expect(facts.filter { !text.contains($0) } == [], "\(text)")
    }

    @Test func `bug report has all changes and the launch values`() {
        let report = BugReport(state: Self.menu().state).text
        let facts = [
            "`enable_multiple_locations`", "`soon`", "condition `beta` is `on`", "attribute `country` is",
            "this run only: `greeting_text` is `Hi`",
        ]
        #expect(facts.filter { !report.contains($0) } == [], "\(report)")
        var menu = MenuDriver()
        menu.changeElsewhere([Self.edit("/home/ana/old.json", .decide(condition: "beta", applies: true))])
        #expect(BugReport(state: menu.state).text.contains("- old.json: condition `beta` is `on`"))
        #expect(Self.menu().state.lastingOverrides?.hasPrefix("4 changes are active for shop") == true)
    }

    @Test func `detail names the reason`() {
        let menu = Self.menu(columns: 120, rows: 30, pressing: "mg")
        #expect(menu.text.contains("The source") || menu.text.contains("Rule: plan is"))
    }
}
