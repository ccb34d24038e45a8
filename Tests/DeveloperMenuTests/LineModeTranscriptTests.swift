import FlagModel
import TestSupport
import Testing

@testable import DeveloperMenu

/// Whole talks with the menu of lines, kept beside the tests to be read aloud.
@Suite struct LineModeTranscriptTests {
    typealias Talk = KeptText

    @Test(arguments: talks)
    func readsAsItDid(talk: Talk) {
        let mismatch = talk.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let talks: [Talk] = [
        Talk(name: "lines-journey") {
            var talk = LineModeDriver()
            talk.type("1", "1", "x", "u", "", "/variant", "1", "variant_b", "", "esc", "m", "m", "C", "n", "C", "y")
            talk.menu.remote = .oneFlag("enable_multiple_locations", value: "true", options: "true|false")
            talk.type("f", "y", "u", "summary", "q")
            return talk.transcript
        },
        Talk(name: "lines-editing") {
            var talk = LineModeDriver()
            talk.type("5", "e", "enter", "", "= Hello there", "enter", "\"\"", "", "2", "open", "{\"label\": 1", "oops")
            talk.type(
                ".", "", "open", "{", "  \"label\": \"Hi\"", "}", "", "4", "7", "42", "2", "= 41", "open", "9", "e")
            talk.type("forty", "", "e", "forty", "41", "n", "41", "y")
            return talk.transcript
        },
        Talk(name: "lines-states") {
            let menu = MenuDriver(
                .sample,
                overrides: [
                    "enable_multiple_locations": "maybe", "login_variant": "variant_z", "maximum_item_count": "42",
                    "greeting_text": "Hi", "long_gone": "1",
                ],
                launch: ["login_screen": "{}"])
            var talk = LineModeDriver(menu)
            talk.type("1", "", "3", "", "4", "", "2", "", "6", "")
            return talk.transcript
        },
        Talk(name: "lines-trouble") {
            var talk = LineModeDriver(MenuDriver(overrides: ["login_variant": "variant_a"]))
            talk.menu.store.failure = "Not saved: no space left on the disk. Your override is intact."
            talk.type("1 toggle", "q")
            talk.menu.store.failure = nil
            talk.type("r", "x", "99", "fly", "to", "/zzz", "show all")
            talk.menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: line 3, column 7: expected a comma."])))
            talk.type("", "q")
            return talk.transcript
        },
        Talk(name: "lines-help") {
            var talk = LineModeDriver()
            talk.type("?", "? undo", ":remote", ":use remote", "? zzz")
            return talk.transcript
        },
        Talk(name: "lines-pages") {
            let items = (1...45).map { #"{"key": "flag_\#($0)", "value": "a|b"}"# }.joined(separator: ",")
            var talk = LineModeDriver(MenuDriver(.snapshot(#"[{"category": "All", "items": [\#(items)]}]"#)))
            talk.type("", "25 2", "more", "more", "j", "k", "G", "list")
            return talk.transcript
        },
    ]
}
