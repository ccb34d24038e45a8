import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Copying a shared state, and pasting one.
@Suite struct SharingTests {
    /// A menu into which a state is pasted that sets one flag, and one that no document has.
    private static func pasting(_ overrides: [String: String] = [:]) -> MenuDriver {
        var menu = MenuDriver(overrides: overrides)
        var entries = ImportEntries(values: ["login_variant": "variant_b", "old_flag": "true"], app: "shop")
        entries.lives = ["login_variant": .lasting(.seconds(3_600))]
        entries.notes = ["login_variant": "BUG-9"]
        menu.pasted = entries
        menu.happens(.key(.paste("> fm1103RMx84P2b9ScqT3M8CKNu6\n> s5cR44")))
        return menu
    }

    @Test func `y s copies the changes as a string, and says what leaves`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_b"], pressing: "y")
        #expect(menu.missing("shared state", "1 change: login_variant = variant_b.").isEmpty, "\(menu.text)")
        let effects = menu.effects(of: "s")
        #expect(effects == [.share(id: 1, menu.state.sharedChanges, report: nil)], "\(effects)")
        #expect(menu.state.mode == .list)
        #expect(menu.message?.contains("Copied the shared state") == true)
    }

    @Test func `without changes nothing is shared`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "ys").isEmpty)
        #expect(menu.message?.hasPrefix("Nothing to share.") == true)
    }

    @Test func `secret flags are named, but their values are in no report and no string`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_b", "greeting_text": "s3cret"])
        menu.prefer { $0.secrets = SecretFlags(patterns: ["greeting*"]) }
        #expect(menu.state.sharedChanges.entries.values == ["login_variant": "variant_b"])
        #expect(menu.state.sharedChanges.secretKeys == ["greeting_text"])
        let report = BugReport(state: menu.state).text
        #expect(report.contains("| `greeting_text` | secret | secret |"), "\(report)")
        #expect(!report.contains("s3cret"))
    }

    @Test func `pasted text opens the preview, and what does not fit is left out`() {
        let menu = Self.pasting(["greeting_text": "Servus"])
        #expect(menu.state.sheet(ScenarioDialog.self) != nil)
        #expect(menu.message == "shop, made 2 days ago.")
        #expect(menu.missing("login_variant", "old_flag", "save as scenario").isEmpty, "\(menu.text)")
        #expect(menu.missing(#"▌ note "BUG-9", ends in 1 h"#).isEmpty, "\(menu.text)")
        #expect(menu.saved == ["greeting_text": "Servus"])
    }

    @Test func `the preview of a state of another app says so while it is open`() {
        #expect(!Self.pasting().text.contains("not shop"))
        var menu = MenuDriver()
        menu.pasted = ImportEntries(values: ["login_variant": "variant_b"], app: "cart")
        menu.happens(.key(.paste("fm1103RMx84P2b9ScqT3M8CKNu6")))
        #expect(menu.press("j").missing("Of cart, not shop. Adds 1.").isEmpty, "\(menu.text)")
        var driver = LineModeDriver(MenuDriver())
        driver.menu.pasted = menu.pasted
        let preview = driver.reply(to: "fm1103RMx84P2b9ScqT3M8CKNu6s5cR44")
        #expect(preview.contains("Apply shared state? Of cart, not shop. Adds 1."), "\(preview)")
    }

    @Test(arguments: [
        ("a", ["greeting_text": "Servus", "login_variant": "variant_b"]), ("r", ["login_variant": "variant_b"]),
    ])
    func `the state is added or replaces all, and is no applied scenario`(key: String, saved: [String: String]) {
        var menu = Self.pasting(["greeting_text": "Servus"])
        #expect(menu.press(key).saved == saved)
        #expect(menu.store.table.scenario == nil)
        #expect(menu.store.table.overrides["login_variant"]?.end != nil)
        #expect(menu.message?.hasPrefix("Applied shared state: ") == true)
        #expect(menu.press("u").saved == ["greeting_text": "Servus"])
    }

    @Test func `the state is saved as a scenario without a change`() {
        var menu = Self.pasting(["greeting_text": "Servus"])
        menu.press("sbug_4711<enter>")
        #expect(menu.scenarios == ["bug_4711": ["login_variant": "variant_b", "old_flag": "true"]])
        #expect(menu.saved == ["greeting_text": "Servus"])
    }

    @Test func `a scenario of its own has no key to save it again`() {
        var menu = MenuDriver()
        menu.scenarios = ["checkout": ["login_variant": "variant_b"]]
        #expect(menu.press("s<enter>s").message == "The scenario is already saved.")
    }

    @Test func `a file with a shared state opens the preview, too`() {
        var menu = MenuDriver()
        menu.pasted = ImportEntries(values: ["login_variant": "variant_b"])
        menu.press(":import overrides<enter>report.md<enter>")
        #expect(menu.state.sheet(ScenarioDialog.self) != nil, "\(menu.text)")
        #expect(menu.press("a").saved == ["login_variant": "variant_b"])
    }

    @Test func `replacing all with a state without conditions resets those that are set here`() {
        var context = ContextOverride()
        context.apply(.decide(condition: "Beta", applies: true))
        var menu = MenuDriver()
        menu.changeElsewhere([.changeContext(ContextChange(source: "remote.json", edits: context.edits))])
        menu.pasted = ImportEntries(values: ["login_variant": "variant_b"])
        menu.pasted?.contexts = [:]
        menu.happens(.key(.paste("fm1103RMx84P2b9ScqT3M8CKNu6")))
        #expect(menu.press("r").store.table.contexts.parts.isEmpty)
    }

    @Test func `going back changes nothing`() {
        var menu = Self.pasting()
        menu.press("<enter>")
        #expect(menu.state.mode == .list && menu.saved.isEmpty)
    }

    @Test func `other pasted text is refused with a sentence, and text fields take it as text`() {
        var menu = MenuDriver()
        menu.happens(.key(.paste("hello, this is any other text")))
        #expect(menu.message == "No shared state in hello, this is any other text.")
        menu.press("/")
        #expect(menu.happens(.key(.paste("login"))).state.list.filter.text == "login")
    }

    @Test func `a string typed in line mode opens the preview`() {
        var menu = MenuDriver()
        menu.pasted = ImportEntries(values: ["login_variant": "variant_b"])
        menu.pasted?.lives = ["login_variant": .lasting(.seconds(3_600))]
        var session = LineModeSession()
        _ = session.begin(menu.state)
        let line = "fm1103RMx84P2b9ScqT3M8CKNu6s5cR44"
        let events = session.read(line, in: menu.state)
        #expect(events == [.pasted(line)])
        for event in events { menu.happens(.line(event)) }
        let lines = session.respond(menu.state).lines
        #expect(lines.contains { $0.contains("Apply shared state?") }, "\(lines)")
        #expect(lines.contains { $0.contains("after variant_b, add, ends in 1 h.") }, "\(lines)")
        #expect(lines.contains { $0.contains("s saves it as a scenario") }, "\(lines)")
    }
}
