import Flags
import Testing

/// Flags with any JSON value, and flags with options.
@Suite struct JSONTextTests {
    @Test func `a flag of any JSON rejects other text`() throws {
        let key = FlagKey<JSONText>("any_json", default: #"{"rows": [1, "two"]}"#)
        #expect(key.type == .json)
        let flags = FlagStore.inMemory([.set("any_json", to: "[1, 2]")])
        #expect(flags[key].text == "[1, 2]")
        #expect(try flags[key].decoded(as: [Int].self) == [1, 2])
        #expect(throws: InvalidFlagText.self) { try flags[key].decoded(as: [String].self) }
        let other = FlagStore.inMemory([.set("any_json", to: "[1,")])
        #expect(other[key] == #"{"rows": [1, "two"]}"#)
        // Not literals, which have an initializer of their own.
        let (invalid, valid) = (String("{"), String("3"))
        #expect(JSONText(invalid) == nil && JSONText(valid)?.description == "3")
    }

    @Test func `a literal that is not JSON stops the program and is shown`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlagKey<JSONText>("any_json", default: "{rows}")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(#""{rows}" is not JSON."#))
    }

    @Test func `options are offered, and other values of the type are valid`() {
        let key = FlagKey("maximum_with_options", default: 42, options: [10, 42, 100])
        #expect(FlagStore.inMemory([.set("maximum_with_options", to: "7")])[key] == 7)
        #expect(FlagStore.inMemory([.set("maximum_with_options", to: "x")])[key] == 42)
    }
}
