import FlagModel
import Flags
import Testing

@Suite("Reading flags")
struct ReadingTests {
    @Test("each type of key reads its text")
    func eachType() {
        let flags = FlagStore.inMemory([
            "enable_multiple_locations": "yes", "maximum_item_count": "42", "ratio": "1e-2", "greeting": "hi",
            "theme": "festive", "login_screen": #"{"label":{"text":"Welcome"}}"#,
        ])
        #expect(flags[.multipleLocations])
        #expect(flags[.maximumItemCount] == 42)
        #expect(flags[.ratio] == 0.01)
        #expect(flags[.greeting] == "hi")
        #expect(flags[.theme] == .festive)
        #expect(flags[.loginScreen].label.text == "Welcome")
    }

    @Test("a key that no layer has gives its default, also the second time")
    func defaults() {
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

    @Test("extreme numbers keep their bits")
    func extremes() {
        let flags = FlagStore.inMemory(["least": "\(Int.min)", "tiny": "-2.5e-300"])
        let (least, tiny) = (FlagKey("least", default: 0), FlagKey("tiny", default: 0.0))
        for _ in 1...2 {
            #expect(flags[least] == .min)
            #expect(flags[tiny] == -2.5e-300)
        }
    }

    @Test("a JSON flag that may be nothing follows from nothing to a number and back")
    func optionalNumber() throws {
        let key = FlagKey<Int?>(json: "optional_limit", default: nil)
        let flags = FlagStore.inMemory()
        #expect(flags[key] == nil)
        for text in ["5", "null", "7"] {
            try flags.setOverride("optional_limit", to: text)
            #expect(flags[key] == Int(text))
        }
    }

    @Test("two declarations of a key with one type and two defaults keep their own defaults")
    func twoDefaults() {
        let (one, two) = (FlagKey("twice", default: 1), FlagKey("twice", default: 2))
        let flags = FlagStore.inMemory()
        #expect(flags[one] == 1 && flags[two] == 2)
        flags.updateRemote(["twice": "3"])
        #expect(flags[one] == 3 && flags[two] == 3)
    }

    @Test("keys that are made again and again take one slot")
    func dynamicKeys() {
        let first = FlagKey("made_often", default: true)
        for _ in 1...1_000 { #expect(FlagKey("made_often", default: true).slot == first.slot) }
    }

    @Test("a read by string names key, text and type when it fails")
    func failures() throws {
        let flags = FlagStore.inMemory(["text": "maybe"])
        #expect(throws: FlagReadError(code: .notFound, key: "nothing", text: nil, type: .bool)) {
            try flags.bool("nothing")
        }
        #expect(throws: FlagReadError(code: .notCastable, key: "text", text: "maybe", type: .int)) {
            try flags.int("text")
        }
        let error = try #require(throws: FlagReadError.self) { try flags.json("text", as: LoginScreen.self) }
        #expect(error.description == #"the flag "text" has the value "maybe", which is no LoginScreen"#)
        #expect(try flags.string("text") == "maybe")
    }

    @Test("more keys than there are slots are read all the same")
    func beyondTheSlots() {
        let flags = FlagStore.inMemory(["k69999": "7"])
        for number in 0..<70_000 {
            let key = FlagKey("k\(number)", default: -1)
            #expect(flags[key] == (number == 69_999 ? 7 : -1))
        }
    }
}

extension FlagKey {
    fileprivate var slot: Int { Mirror(reflecting: self).descendant("slot") as? Int ?? -1 }
}
