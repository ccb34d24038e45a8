import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The explanation sheet of a flag and the actions that work in it.
@Suite struct ExplanationTests {
    private func explaining(_ key: String) -> MenuDriver {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        menu.happens(.line(.flagChosen(FlagText(key))))
        menu.press("i")
        return menu
    }

    private func explainedKey(_ menu: MenuDriver) -> String? { menu.state.sheet(ExplanationSheet.self)?.key.string }

    /// A flag that only the second and third of three sources have.
    private static var ofSeveralSources: MenuDriver {
        func document(_ text: String) -> RemoteDocument? { try? RemoteDocument(parsing: Array(text.utf8)) }
        let documents = [#"{"login": "variant_b"}"#, #"{"login": "variant_a", "other": "1"}"#].compactMap(document)
        var menu = MenuDriver(RemoteSnapshot(documents: documents, places: [1, 2]))
        menu.happens(
            .remote(.sourcesChanged(Array(FetchingTests.statuses[2...]) + Array(FetchingTests.statuses[..<2]))))
        menu.happens(.line(.flagChosen("login")))
        menu.press("i")
        return menu
    }

    @Test func `lists each source of the flag with value and age`() {
        let sources = Array(FetchingTests.statuses[..<2])
        let snapshot = Self.ofSeveralSources.state.board.snapshot
        #expect(snapshot.holders(of: "login").map(\.place) == [1, 2])
        var menu = Self.ofSeveralSources
        menu.happens(.remote(.sourcesChanged([FetchingTests.statuses[3]] + sources)))
        let from = "from ofrep:flags.example.com, active, fetched 2 min ago"
        #expect(menu.missing(from, "shop.json  variant_a", "cached 2 h ago") == [])
        let facts = menu.state.facts(of: "login")
        let one = ExplanationContent(
            facts, in: snapshot, sources: [sources[0]], remote: "active", now: MenuDriver.now)
        #expect(one.rows.first { $0.layer == .remote }?.note == "active", "the name of the only source is not shown")
    }

    @Test(arguments: FlagLayer.allCases)
    func `every layer with the flag has a row`(layer: FlagLayer) {
        let facts = FlagBoard(LayerValues([layer: ["k": "7"]])).facts(of: "k")
        let content = ExplanationContent(facts, in: .empty, sources: [], remote: "", now: MenuDriver.now)
        #expect(content.rows.filter(\.isWinner).map(\.name) == [layer.word])
        let shown = FlagLayer.allCases.filter { $0 == layer || $0.isInEverySetup }
        #expect(content.rows.map(\.layer) == shown)
        let sentences = FlagSentences(facts, at: MenuDriver.now).full(in: MenuDriver().state)
        #expect(sentences.contains { $0.hasPrefix("\(layer.word.capitalized): 7") })
    }

    @Test func `footer shows available actions`() {
        let actions = ["enter change", "x reset", "n next flag", "y copy", "esc back"]
        #expect(actions.filter { !explaining("login_variant").lines[23].contains($0) } == [])
    }

    @Test func `clearing keeps the sheet open`() {
        var menu = explaining("login_variant")
        #expect(menu.press("x").saved == ["enable_multiple_locations": "true"])
        #expect(explainedKey(menu) == "login_variant")
        #expect(!menu.lines[23].contains("x reset"))
        #expect(menu.press("x").message == "Login variant is not overridden.")
        #expect(menu.press("u").saved["login_variant"] == "variant_a")
        #expect(explainedKey(menu) == "login_variant")
    }

    @Test func `next and previous flag are explained and selected`() {
        var menu = explaining("login_screen")
        menu.press("n")
        #expect(explainedKey(menu) == "login_variant")
        #expect(menu.selectedKey == "login_variant")
        menu.press("N<left>")
        #expect(explainedKey(menu) == "enable_multiple_locations")
        #expect(menu.press("N").message == "This is the first flag that is listed.")
        #expect(explainedKey(menu) == "enable_multiple_locations")
    }

    @Test func `enter opens options and y copies`() {
        var menu = explaining("login_variant")
        #expect(menu.press("<enter>").state.mode.part == OptionList.part)
        #expect(menu.press("<esc>iy").state.mode.part == CopySheet.part)
        #expect(menu.effects(of: "k") == [.copy(id: 1, "login_variant", what: "key")])
    }
}
