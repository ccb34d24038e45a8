import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Typical tasks as key sequences.
@Suite struct JourneyTests {
    /// Slash, two letters, Enter and Space change a flag.
    @Test(arguments: [
        ("/ml<enter><space>", "enable_multiple_locations", "true"),
        ("/lv<enter><space>", "login_variant", "variant_a"),
        ("/mi<enter><space>", "maximum_item_count", "100"),
    ])
    func `flag is changed in five keystrokes`(keys: String, key: String, value: String) {
        #expect(KeyScript.parse(keys).count == 5)
        var menu = MenuDriver()
        menu.press(keys)
        #expect(menu.saved == [key: value])
        #expect(menu.selectedKey == key)
    }

    /// Flags edited as text are reached as fast; Enter opens the editor.
    @Test(arguments: [("/ls<enter><enter>", "login_screen"), ("/gt<enter><enter>", "greeting_text")])
    func `editor opens in five keystrokes`(keys: String, key: String) {
        var menu = MenuDriver()
        menu.press(keys)
        guard let editor = menu.state.sheet(ValueEditor.self) else {
            Issue.record("no editor is open")
            return
        }
        #expect(editor.key.string == key)
    }

    /// In an app with 22 flags, each flag has two letters that find it first.
    @Test func `two letters find every flag of a larger app`() {
        var menu = MenuDriver(Self.gym)
        for item in Self.gym.catalog.items {
            let found = Self.pairs(of: item.name.string).first { pair in
                menu.press("/\(pair)<enter>")
                defer { menu.press("<esc>") }
                return menu.selectedKey == item.key.string
            }
            #expect(found != nil, "no two letters find \(item.name)")
        }
    }

    /// Clears all overrides. The flags have their remote values, and the title shows no overrides.
    @Test func `clear all restores remote values`() {
        var menu = MenuDriver(
            overrides: ["enable_multiple_locations": "true", "login_variant": "variant_b", "long_gone": "1"])
        #expect(menu.lines[0].contains("3 changed"))
        menu.press("Cy")
        #expect(menu.saved == [:])
        #expect(menu.lines[0].contains("nothing changed"))
        #expect(menu.value("login_variant") == "control")
        #expect(menu.listedKeys.count == 5, "the unlisted flag disappears with its override")
        menu.press("q")
        #expect(menu.state.isFinished)
    }

    /// A tester's session: toggle a flag, pick a variant, correct a mistyped text, list overrides, undo one.
    @Test func `qa session`() {
        var menu = MenuDriver()
        menu.press("<space>")
        menu.press("/variant<enter><enter>3")
        menu.press("<esc>/greeting<enter><enter>Helo<bs><bs>llo!<enter>")
        #expect(
            menu.saved == [
                "enable_multiple_locations": "true", "login_variant": "variant_b", "greeting_text": "Hello!",
            ])
        menu.press("<esc>m")
        #expect(menu.listedKeys == ["enable_multiple_locations", "login_variant", "greeting_text"])
        #expect(menu.state.selected?.state == .overridden)
        menu.press("u")
        #expect(menu.state.selected?.state == .notSet, "the flag changed last stays listed")
        menu.press("mm")
        #expect(menu.listedKeys == ["enable_multiple_locations", "login_variant"])
        menu.press("gx")
        #expect(menu.saved == ["login_variant": "variant_b"])
        menu.press("uq")
        #expect(menu.saved == ["enable_multiple_locations": "true", "login_variant": "variant_b"])
        #expect(menu.state.ending == .left)
    }

    /// Steps through the variants with Space and ends at the first one.
    @Test func `space steps through variants back to remote`() {
        var menu = MenuDriver(columns: 120, rows: 30)
        menu.press("/lv<enter>")
        var shown: [String] = []
        for _ in 0..<3 {
            menu.press("<space>")
            shown.append(menu.value("login_variant") ?? "")
        }
        #expect(shown == ["variant_a", "variant_b", "control"])
        #expect(menu.saved == [:])
        #expect(menu.lines[0].contains("nothing changed"))
    }

    /// Fetches and activates new remote values; an override still wins.
    @Test func `override wins over new remote values`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.remote = .snapshot(
            #"""
            {"login_variant": "variant_b", "enable_multiple_locations": "true", "config_categories": [
              {"category": "Login", "items": [{"key": "login_variant", "value": "control|variant_a|variant_b"}]},
              {"category": "Location", "items": [{"key": "enable_multiple_locations", "value": "true|false"}]}]}
            """#)
        menu.press("/lv<enter><esc>f")
        #expect(menu.value("enable_multiple_locations") == "false")
        #expect(menu.lines.contains { $0.contains("login_variant              control -> variant_b") }, "\(menu.lines)")
        menu.press("y")
        #expect(menu.value("enable_multiple_locations") == "true")
        #expect(menu.value("login_variant") == "variant_a")
        #expect(menu.selectedKey == "login_variant")
        menu.press("x")
        #expect(menu.value("login_variant") == "variant_b")
    }

    /// After a full disk, r saves the change again and nothing is lost.
    @Test func `full disk loses no change`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.store.failure = "Not saved: no space left on the disk. Your override is intact."
        menu.press("<space>")
        #expect(menu.saved == ["login_variant": "variant_a"])
        #expect(menu.lines[1].contains("no space left"))
        menu.press("q")
        #expect(!menu.state.isFinished)
        menu.store.failure = nil
        menu.press("rq")
        #expect(menu.saved == ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        #expect(menu.state.isFinished)
    }

    /// The titles of 22 flags of a gym app; the keys contain no words to match.
    private static let gym: RemoteSnapshot = {
        let titles = [
            "AI workout generation", "AI exercise substitution", "Healthkit sync", "Stats charts", "Personal trainer",
            "CMS workout sync", "Trainer chat", "Maintenance mode", "Force update", "Onboarding video", "Paywall",
            "Paywall variant", "Free trial days", "Dark mode", "Apple watch app", "Live activities", "Share cards",
            "Workout music", "Rest timer", "Calorie estimate", "Crash reports", "Rating prompt",
        ]
        let items = titles.enumerated().map { index, title in
            #"{"key": "k\#(index)", "value": "true|false", "title": "\#(title)"}"#
        }
        return .snapshot(#"[{"category": "All", "items": [\#(items.joined(separator: ","))]}]"#)
    }()

    /// Two letters to try: the initials of two words, the start of a word, any two letters in order.
    private static func pairs(of name: String) -> [String] {
        let words = name.lowercased().split(separator: " ")
        let initials = words.compactMap(\.first)
        let starts = words.map { String($0.prefix(2)) }
        let letters = Array(name.lowercased().filter { $0 != " " })
        let any = letters.indices.flatMap { first in
            letters[(first + 1)...].map { "\(letters[first])\($0)" }
        }
        return [String(initials.prefix(2))].filter { $0.count == 2 } + starts + any
    }
}
