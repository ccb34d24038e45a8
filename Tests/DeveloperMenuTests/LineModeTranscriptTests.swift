import FlagModel
import TestSupport
import Testing

@testable import DeveloperMenu

/// Whole sessions in line mode, compared with saved transcripts.
@Suite struct LineModeTranscriptTests {
    typealias Transcript = SavedText

    @Test(arguments: transcripts)
    func `matches transcript`(transcript: Transcript) {
        let mismatch = transcript.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let transcripts: [Transcript] = [
        Transcript(name: "lines-journey") {
            var driver = LineModeDriver()
            driver.type("1", "1", "x", "u", "", "/variant", "1", "variant_b", "", "esc", "m", "m", "C", "n", "C", "y")
            driver.menu.remote = .oneFlag("enable_multiple_locations", value: "true", options: "true|false")
            driver.type("f", "y", "u", "summary", "q")
            return driver.transcript
        },
        Transcript(name: "lines-editing") {
            var driver = LineModeDriver()
            driver.type(
                "5", "edit", "enter", "", "= Hello there", "enter", "\"\"", "", "2", "open", "{\"label\": 1", "oops")
            driver.type(
                ".", "", "open", "{", "  \"label\": \"Hi\"", "}", "", "4", "7", "42", "2", "= 41", "open", "9", "e")
            driver.type("forty", "", "edit", "forty", "41", "n", "41", "y")
            return driver.transcript
        },
        Transcript(name: "lines-states") {
            let menu = MenuDriver(
                .sample,
                overrides: [
                    "enable_multiple_locations": "maybe", "login_variant": "variant_z", "maximum_item_count": "42",
                    "greeting_text": "Hi", "long_gone": "1",
                ],
                launch: ["login_screen": "{}"])
            var driver = LineModeDriver(menu)
            driver.type("1", "", "3", "", "4", "", "2", "", "6", "")
            return driver.transcript
        },
        Transcript(name: "lines-trouble") {
            var driver = LineModeDriver(MenuDriver(overrides: ["login_variant": "variant_a"]))
            driver.menu.store.failure = "Not saved: no space left on the disk. Your override is intact."
            driver.type("1 toggle", "q")
            driver.menu.store.failure = nil
            driver.type("r", "x", "99", "fly", "to", "/zzz", "show all")
            driver.menu.happens(
                .remote(.fetchFailed(id: 0, errors: ["shop.json: line 3, column 7: expected a comma."])))
            driver.type("", "q")
            return driver.transcript
        },
        Transcript(name: "lines-help") {
            var driver = LineModeDriver()
            driver.type("?", "? undo", ":remote", ":use remote", "? zzz")
            return driver.transcript
        },
        Transcript(name: "lines-pages") {
            let items = (1...45).map { #"{"key": "flag_\#($0)", "value": "a|b"}"# }.joined(separator: ",")
            var driver = LineModeDriver(MenuDriver(.snapshot(#"[{"category": "All", "items": [\#(items)]}]"#)))
            driver.type("", "25 2", "more", "more", "j", "k", "G", "list")
            return driver.transcript
        },
    ]
}
