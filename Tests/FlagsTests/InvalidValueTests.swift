import FlagModel
import Synchronization
import TestSupport
import Testing

@testable import Flags

@Suite(.timeLimit(.minutes(10)))
struct InvalidValueTests {
    private let place = AppPlace()
    private let catalog = """
        [{"category": "All", "items": [{"key": "enable_multiple_locations", "value": "true|false"}, \
        {"key": "login_page"}, {"key": "maximum_item_count", "value": "10|42"}]}]
        """

    private func facts(_ key: String, _ flags: FlagStore) -> FlagFacts { flags.board.facts(of: FlagText(key)) }

    @Test(
        arguments: [
            ("enable_multiple_locations", "maybe", "true", #""maybe" is not a valid bool; apps ignore it"#),
            ("maximum_item_count", "1.5", "42", #""1.5" is not a valid int; apps ignore it"#),
            (
                "login_page", #"{"label":"#, #"{"label":{"text":"Remote"}}"#,
                #""{\"label\":" is not a valid json; apps ignore it"#
            ),
        ])
    func `an invalid value falls through to the next layer, is reported once, and shows as invalid until cleared`(
        key: String, text: String, remote: String, sentence: String
    ) async throws {
        let flags = place.store()
        flags.updateRemote([key: remote, "config_categories": catalog])
        let read: () -> String = {
            switch key {
            case "enable_multiple_locations": "\(flags[.multipleLocations])"
            case "maximum_item_count": "\(flags[.maximumItemCount])"
            default: #"{"label":{"text":"\#(flags[.loginScreen].label.text)"}}"#
            }
        }
        #expect(read() == remote)
        // The menu rejects such a text, but a file edited by hand may contain one.
        _ = try place.menu.apply([.set(key: key, value: text)])
        func reports() -> Int {
            place.log.lines.filter { $0.contains(key) && $0.contains("layer override") }.count
        }
        // The override takes effect before the watch reports it on its own thread.
        #expect(Clock.wait { flags.activeOverrides[key] != nil && reports() > 0 })
        for _ in 1...5 { #expect(read() == remote) }
        #expect(reports() == 1)
        #expect(flags.issues.count == 1 && flags.issues[0].contains("reset or change the override"))
        let explanation = flags.explain(key)
        #expect(explanation.winner == .remote && explanation.value(in: .override)?.string == text)
        #expect(explanation.entries.first { $0.layer == .override }?.isCastable == false)
        #expect(facts(key, flags).state == .invalid(sentence))
        #expect(facts(key, flags).value == remote)
        try await flags.clearOverride(key)
        #expect(flags.issues.isEmpty && facts(key, flags).state == .notSet && read() == remote)
    }

    @Test func `an invalid value read only through snapshots is reported once and listed in issues`() async throws {
        let flags = place.store()
        flags.updateRemote(["maximum_item_count": "42"])
        try await flags.setOverride("maximum_item_count", to: "many", .unchecked)
        for _ in 1...3 { #expect(flags.snapshot()[.maximumItemCount] == 42) }
        #expect(place.log.lines.filter { $0.contains("maximum_item_count") }.count == 1)
        #expect(flags.issues.count == 1 && flags.issues[0].contains("reset or change the override"))
        try await flags.clearOverride("maximum_item_count")
        #expect(flags.issues.isEmpty)
    }

    @Test func `replaced invalid values are forgotten, so at most 257 are remembered`() {
        let flags = place.store()
        for number in 1...1_000 {
            flags.updateRemote(["maximum_item_count": "broken \(number)"])
            #expect(flags[.maximumItemCount] == 10)
        }
        #expect(flags.state.withLock { $0.reported.count } <= 257)
        #expect(place.log.lines.count == 1_000)
    }

    @Test func `if every layer is invalid, the declared default is used`() async throws {
        let flags = place.store(
            defaults: ["maximum_item_count": "d"], launch: ["maximum_item_count": "l"],
            team: ["maximum_item_count": "t"])
        flags.updateRemote(["maximum_item_count": "r"])
        try await flags.setOverride("maximum_item_count", to: "o", .unchecked)
        #expect(flags[.maximumItemCount] == 10)
        #expect(flags.issues.count == 5)
        #expect(
            place.log.lines.filter { $0.contains("maximum_item_count") && $0.contains("not a valid int") }.count == 5)
        let explanation = flags.explain(.maximumItemCount)
        #expect(explanation.winner == .default && explanation.value?.string == "10")
        // The explanation shows the app's invalid default and the declared default that is used instead.
        #expect(explanation.entries.map { $0.value?.string } == ["l", "o", "t", "r", "d", "10"])
    }

    @Test func `another spelling of the same value reports no change`() async throws {
        let flags = place.store()
        flags.updateRemote(["enable_multiple_locations": "true", "login_page": #"{"label":{"text":"x"}}"#])
        // A key is declared when code first uses it; until then its values are compared as plain text.
        #expect(flags[.multipleLocations] && flags[.loginScreen].label.text == "x")
        var changes = flags.changes.makeAsyncIterator()
        flags.updateRemote(["enable_multiple_locations": "1", "login_page": #"{"label": {"text": "x"}}"#])
        try await flags.setOverride("enable_multiple_locations", to: "ON")
        try await flags.setOverride("login_page", to: #"{ "label" : { "text" : "x" } }"#)
        try await flags.setOverride("greeting", to: "last")
        #expect(await changes.next()?.key == "greeting")
    }
}
