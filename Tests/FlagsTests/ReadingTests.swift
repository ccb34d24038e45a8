import FlagModel
import Testing

@testable import Flags

/// Reading flags.
struct ReadingTests {
    @Test func `a key of each type reads its text, also after a change`() {
        let flags = FlagStore.inMemory([
            "enable_multiple_locations": "yes", "maximum_item_count": "42", "ratio": "1e-2", "greeting": "hi",
            "theme": "festive", "login_page": #"{"label":{"text":"Welcome"}}"#,
        ])
        #expect(flags[.multipleLocations])
        #expect(flags[.maximumItemCount] == 42)
        #expect(flags[.ratio] == 0.01)
        #expect(flags[.greeting] == "hi")
        #expect(flags[.theme] == .festive)
        #expect(flags[.loginScreen].label.text == "Welcome")
        flags.updateRemote([
            "enable_multiple_locations": "off", "maximum_item_count": "-1", "ratio": "-0.0", "greeting": "",
            "theme": "plain",
        ])
        for _ in 1...2 {
            #expect(!flags[.multipleLocations] && flags[.maximumItemCount] == -1 && flags[.ratio].sign == .minus)
            #expect(flags[.greeting] == "" && flags[.theme] == .plain && flags[.loginScreen].label.text == "default")
        }
    }

    @Test func `a key without a value in any layer returns its default, also on the second read`() {
        let flags = FlagStore.inMemory()
        for _ in 1...2 {
            #expect(!flags[.multipleLocations])
            #expect(flags[.maximumItemCount] == 10)
            #expect(flags[.ratio] == 0.5)
            #expect(flags[.greeting] == "hello")
            #expect(flags[.theme] == .plain)
            #expect(flags[.loginScreen].label.text == "default")
        }
    }

    @Test func `extreme numbers are read exactly`() {
        let flags = FlagStore.inMemory(["least": "\(Int.min)", "tiny": "-2.5e-300"])
        let (least, tiny) = (FlagKey("least", default: 0), FlagKey("tiny", default: 0.0))
        for _ in 1...2 {
            #expect(flags[least] == .min)
            #expect(flags[tiny] == -2.5e-300)
        }
    }

    @Test func `an optional JSON flag changes from nil to a number and back`() async throws {
        let key = FlagKey<Int?>("optional_limit", default: nil)
        let flags = FlagStore.inMemory()
        #expect(flags[key] == nil)
        for text in ["5", "null", "7"] {
            try await flags.setOverride("optional_limit", to: text)
            #expect(flags[key] == Int(text))
        }
    }

    @Test func `two declarations of a key with different defaults each use their own default`() {
        let (one, two) = (FlagKey("twice", default: 1), FlagKey("twice", default: 2))
        let flags = FlagStore.inMemory()
        #expect(flags[one] == 1 && flags[two] == 2)
        flags.updateRemote(["twice": "3"])
        #expect(flags[one] == 3 && flags[two] == 3)
    }

    @Test func `creating the same key 1,000 times uses one slot`() {
        let first = FlagKey("made_often", default: true)
        for _ in 1...1_000 { #expect(FlagKey("made_often", default: true).slot == first.slot) }
    }

    @Test func `a failed read by string throws an error with the key, text and type`() throws {
        let screen = #"{"label":{"text":"Welcome"}}"#
        let flags = FlagStore.inMemory(["text": "maybe", "on": "YES", "rate": "1e3", "screen": screen])
        #expect(try flags.bool("on") && flags.double("rate") == 1_000)
        #expect(try flags.json("screen", as: LoginScreen.self).label.text == "Welcome")
        #expect(throws: FlagReadError.self) { try flags.json("nothing", as: LoginScreen.self) }
        #expect(throws: FlagReadError(code: .notFound, key: "nothing", text: nil, type: .bool)) {
            try flags.bool("nothing")
        }
        #expect(throws: FlagReadError(code: .notCastable, key: "text", text: "maybe", type: .int)) {
            try flags.int("text")
        }
        let error = try #require(throws: FlagReadError.self) { try flags.json("text", as: LoginScreen.self) }
        #expect(
            error.description
                == #"the flag "text" has the value "maybe", not a valid LoginScreen: it is not JSON that the app can read"#
        )
        #expect(try flags.string("text") == "maybe")
    }

    @Test func `a typed read returns any type that is created from text, and throws without a valid one`() throws {
        let flags = FlagStore.inMemory(["count": "7", "wait": "30s", "ratio": "0.25", "word": "perhaps"])
        let (count, small): (Int, UInt8) = (try flags.value("count"), try flags.value("count"))
        let wait: Duration = try flags.value("wait")
        #expect(count == 7 && small == 7 && wait == .seconds(30))
        #expect(try flags.value("ratio", as: Double.self) == 0.25)
        let missing = try #require(throws: FlagReadError.self) { try flags.value("missing", as: Bool.self) }
        #expect(missing.code == .notFound && missing.key == "missing" && missing.text == nil)
        let number = try #require(throws: FlagReadError.self) { try flags.value("word", as: Int8.self) }
        #expect(number.code == .notCastable && number.text == "perhaps" && number.typeName == "Int8")
        let bool = try #require(throws: FlagReadError.self) { try flags.value("word", as: Bool.self) }
        #expect(bool.code == .notCastable && bool.type == .bool)
    }

    @Test func `70,000 keys, more than there are slots, are all read`() async {
        // Runs in its own process, because keys live as long as the process.
        await #expect(processExitsWith: .success) {
            let flags = FlagStore.inMemory(["k69999": "7"])
            for number in 0..<70_000 {
                let key = FlagKey("k\(number)", default: -1)
                precondition(flags[key] == (number == 69_999 ? 7 : -1))
            }
        }
    }

    @Test func `every way of reading a value uses the same parsing rules`() {
        let flags = FlagStore.inMemory(["plus": "+5", "nan": "nan", "word": "on"])
        #expect(throws: FlagReadError.self) { try flags.int("plus") }
        #expect(throws: FlagReadError.self) { try flags.value("plus", as: Int.self) }
        #expect(throws: FlagReadError.self) { try flags.value("nan", as: Double.self) }
        #expect(try! flags.value("word", as: Bool.self))
        func generic<Value: FlagValue>(_ name: String, _ value: Value) -> FlagKey<Value> {
            FlagKey(name, default: value)
        }
        #expect(flags[generic("word", false)])
        #expect(flags[generic("plus", 1)] == 1 && flags[generic("nan", 0.5)] == 0.5)
    }

    @Test func `a String enum may also be LosslessStringConvertible`() {
        enum Size: String, LosslessStringConvertible, FlagValue {
            case small, large
            init?(_ description: String) { self.init(rawValue: description.lowercased()) }
            var description: String { rawValue.uppercased() }
        }
        let flags = FlagStore.inMemory(["size": "large"])
        #expect(flags[FlagKey("size", default: Size.small)] == .large)
    }
}
