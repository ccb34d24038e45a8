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
        let menu = MenuDriver(pressing: keys)
        #expect(menu.saved == [key: value])
        #expect(menu.selectedKey == key)
    }

    /// Flags edited as text are reached as fast; Enter opens the editor.
    @Test(arguments: [("/ls<enter><enter>", "login_screen"), ("/gt<enter><enter>", "greeting_text")])
    func `editor opens in five keystrokes`(keys: String, key: String) throws {
        let menu = MenuDriver(pressing: keys)
        let editor = try #require(menu.state.sheet(ValueEditor.self))
        #expect(editor.key.string == key)
    }

    /// In an app with 22 flags, each flag has two letters that find it first.
    @Test func `two letters find every flag of a larger app`() {
        var menu = MenuDriver(Self.gym)
        for item in Self.gym.catalog.items {
            let isFound = Self.pairs(of: item.name.string).contains { pair in
                menu.press("/\(pair)<enter>")
                defer { menu.press("<esc>") }
                return menu.selectedKey == item.key.string
            }
            #expect(isFound, "no two letters find \(item.name)")
        }
    }

    /// A tester's session: toggle a flag, pick a variant, correct a mistyped text, list overrides, undo one.
    @Test func `qa session`() {
        var menu = MenuDriver()
        menu.press("<space>/variant<enter><enter>3<esc>/greeting<enter><enter>Helo<bs><bs>llo!<enter>")
        #expect(
            menu.saved == [
                "enable_multiple_locations": "true", "login_variant": "variant_b", "greeting_text": "Hello!",
            ])
        #expect(menu.press("<esc>m").listedKeys == ["enable_multiple_locations", "login_variant", "greeting_text"])
        #expect(menu.state.selected?.state == .overridden)
        #expect(menu.press("u").state.selected?.state == .notSet, "the flag changed last stays listed")
        #expect(menu.press("mm").listedKeys == ["enable_multiple_locations", "login_variant"])
        #expect(menu.press("gx").saved == ["login_variant": "variant_b"])
        #expect(menu.press("uq").saved == ["enable_multiple_locations": "true", "login_variant": "variant_b"])
        #expect(menu.state.isFinished && menu.state.ending == .left)
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
        #expect(menu.press("/lv<enter><esc>f").value("enable_multiple_locations") == "false")
        #expect(menu.lines.contains { $0.contains("login_variant              control -> variant_b") }, "\(menu.lines)")
        #expect(menu.press("y").value("enable_multiple_locations") == "true")
        #expect(menu.value("login_variant") == "variant_a")
        #expect(menu.selectedKey == "login_variant")
        #expect(menu.press("x").value("login_variant") == "variant_b")
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
