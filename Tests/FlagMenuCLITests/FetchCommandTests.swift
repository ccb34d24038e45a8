import TestSupport
import Testing

/// Fetching values from files and activating them.
@Suite struct FetchCommandTests {
    private let workplace = Workplace()

    private func write(title: String, _ value: String) {
        workplace.write(
            #"{"menu": "\#(value)", "config_categories": [{"category": "Shop", "items": [{"key": "menu", "title": "\#(title)"}]}]}"#,
            to: "shop.json")
    }

    private func words(_ line: String) -> String { workplace.flagmenu("\(line) --source shop.json").errorText }

    @Test func `a changed title waits for activation like a value`() {
        write(title: "Menu", "a")
        #expect(words("fetch").contains("Fetched for the first time"))
        #expect(words("fetch").contains("nothing has changed"))
        write(title: "Carte", "a")
        let fetch = words("fetch")
        #expect(
            fetch.contains("Fetched: titles, options or conditions differ. flagmenu activate activates."), "\(fetch)")
        let activate = words("activate")
        #expect(activate.contains("no value changed, but titles, options or conditions did"), "\(activate)")
        #expect(workplace.flagmenu("explain menu --source shop.json").text.contains("Carte"))
        #expect(words("activate").contains("Nothing to activate."))
        write(title: "Carte", "b")
        #expect(words("fetch").contains("1 value differs. flagmenu activate"))
        #expect(words("activate").contains("Activated: 1 changed."))
    }
}
