import FlagModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// Types of flags, and their texts.
struct FlagValueTests {
    private enum Level: Int, CaseIterable, FlagValue { case low = 1, high = 3 }
    private enum Shade: String, Codable, CaseIterable, FlagValue { case light, dark }
    private struct Screen: Codable, FlagValue, Equatable {
        struct Label: Codable, Equatable { var text: String }
        var label: Label
    }

    /// Expects that values have these texts, and are read from them again.
    private func expect<Value: FlagValue & Equatable>(_ texts: [String: Value], type: FlagType) throws {
        #expect(Value.flagType == type)
        for (text, value) in texts {
            #expect(try value.flagText() == text)
            #expect(try Value(flagText: text) == value)
            #expect(type.accepts(text))
        }
    }

    @Test func `values have a text from which they are read again`() throws {
        try expect(["true": true, "false": false], type: .bool)
        try expect(["-7": -7], type: .int)
        try expect(["255": UInt8.max], type: .int)
        try expect(["0.25": 0.25], type: .double)
        try expect(["0.1": Float(0.1)], type: .double)
        try expect(["": "", "text": "text"], type: .string)
        try expect(["https://example.com/a?b=c": try #require(URL(string: "https://example.com/a?b=c"))], type: .string)
        try expect(["3": Level.high], type: .int)
        try expect(["dark": Shade.dark], type: .string)
        try expect([#"{"label":{"text":"a"}}"#: Screen(label: .init(text: "a"))], type: .json)
        try expect(["[1,2]": [1, 2], "[]": []], type: .json)
        try expect([#"{"a":1}"#: ["a": 1]], type: .json)
        try expect(["null": nil, "5": 5], type: .json)
        try expect(["null": nil, "text": "text"], type: .string)
    }

    @Test(arguments: ["0ms", "250ms", "30s", "90s", "5m", "2h", "1d"])
    func `a duration has a number and a unit`(text: String) throws {
        #expect(try Duration(flagText: text).flagText() == text)
    }

    @Test(arguments: ["", "5", "s", "1.5s", "5 s", "9223372036854775807d"])
    func `another text is no duration, and the reason says what is`(text: String) {
        let error = #expect(throws: InvalidFlagText.self) { try Duration(flagText: text) }
        #expect(error?.reason?.contains("30s") == true)
    }

    @Test func `invalid texts have a reason that says what is valid, or what is missing where`() throws {
        func reason<Value: FlagValue>(_ text: String, _ type: Value.Type) -> String? {
            #expect(throws: InvalidFlagText.self) { try Value(flagText: text) }?.reason
        }
        #expect(reason("2", Level.self) == "the cases are 1, 3")
        #expect(reason("grey", Shade.self) == "the cases are light, dark")
        #expect(reason("256", UInt8.self) == nil)
        #expect(reason("no scheme", URL.self)?.contains("scheme") == true)
        #expect(reason(#"{"label":{}}"#, Screen.self) == "label.text is missing")
        #expect(reason("yes please", Bool?.self) == nil)
    }

    @Test func `menus get the options of a type, or those of the key`() {
        func options<Value>(_ key: FlagKey<Value>) -> [String] { key.declaration.facts.options }
        #expect(options(FlagKey("level", default: Level.low)) == ["1", "3"])
        #expect(options(FlagKey("maybe_on", default: Bool?.none)) == ["true", "false", "null"])
        #expect(options(FlagKey("page_size", default: 10, options: [10, 42])) == ["10", "42"])
        #expect(options(FlagKey("any_number", default: 1)).isEmpty)
    }

    @Test func `keys are equal by name, type and default, and print as their name`() {
        let (one, two) = (FlagKey("hashed", default: 1), FlagKey("hashed", default: 1))
        #expect(Set([one, two, FlagKey("hashed_other", default: 1)]).count == 2)
        #expect("\(one)" == "hashed")
    }

    private struct ShopFlags: FlagNamespace {
        struct Checkout: FlagNamespace { let express = FlagKey("namespace_express", default: false) }

        let shade = FlagKey("namespace_shade", default: Shade.light)
        let checkout = Checkout()
    }

    @Test func `a namespace declares all of its keys at once`() {
        #expect(ShopFlags.keys.map(\.name) == ["namespace_shade", "namespace_express"])
        let flags = FlagStore.inMemory(["namespace_shade": "dark"])
        #expect(flags[ShopFlags().shade] == .dark)
    }

    @Test func `two declarations with different defaults are reported once the code reads one`() async throws {
        let place = AppPlace()
        let flags = place.store()
        let (one, two) = (FlagKey("declared_apart", default: 1), FlagKey("declared_apart", default: 2))
        #expect(flags.issues.isEmpty)
        #expect(flags[one] == 1 && flags[two] == 2)
        #expect(flags.issues.count == 2 && flags.issues[0].contains(#"with the defaults "1" and "2""#))
        #expect(place.log.lines.contains { $0.contains(#"with the defaults "1" and "2""#) })
    }

    @Test func `a text that the code cannot read is refused with the reason, unless the caller insists`() async throws {
        let flags = FlagStore.inMemory()
        #expect(flags[.theme] == .plain)
        let error = await #expect(throws: InvalidFlagText.self) {
            try await flags.setOverride("theme", to: "grey")
        }
        #expect(error?.reason?.hasSuffix("Nothing was changed.") == true && error?.reason?.contains("theme") == true)
        #expect(flags.activeOverrides.isEmpty)
        try await flags.setOverride("theme", to: "grey", .unchecked)
        #expect(flags.activeOverrides["theme"]?.value == "grey" && flags[.theme] == .plain)
    }

    @Test func `a JSON value is decoded once for all snapshots`() {
        let flags = FlagStore.inMemory(["counted": #"{"text":"a"}"#])
        let key = FlagKey("counted", default: Counted(text: ""))
        let before = Counted.count.withLock { $0 }
        for _ in 1...10 { #expect(flags.snapshot()[key].text == "a" && flags[key].text == "a") }
        flags.updateRemote(["counted": #"{"text":"a"}"#, "other": "1"])
        #expect(flags.snapshot()[key].text == "a")
        #expect(Counted.count.withLock { $0 } == before + 1)
    }
}

/// A value that counts how often it was decoded.
private struct Counted: Codable, FlagValue {
    static let count = Mutex(0)
    let text: String

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        Self.count.withLock { $0 += 1 }
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }
}
