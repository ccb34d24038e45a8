import FlagFormats
import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagSharing

/// Shared states: what is written is read, and nothing else is.
@Suite struct SharedStateTests {
    private static let now = FlagTimestamp(seconds: 1_795_000_000)

    /// A state with all that a state can have.
    private static var full: SharedState {
        var entries = ImportEntries(
            values: ["express_checkout": "true", "banner_text": "50 % off — \"now\"\n", "é": ""], app: "shop")
        entries.notes = ["express_checkout": "BUG-4711"]
        entries.lives = ["express_checkout": .lasting(.seconds(7_200)), "banner_text": .untilRestart]
        var context = ContextOverride()
        context.apply(.set(name: "country", value: "\"FR\""))
        context.apply(.decide(condition: "Beta", applies: true))
        context.apply(.decide(condition: "Old", applies: nil))
        entries.contexts = ["remote.json": context]
        return SharedState(entries, madeAt: now, author: "Kim")
    }

    @Test(arguments: [SharedForm.text, .code])
    func `a state is read as it was written`(form: SharedForm) throws {
        for state in [Self.full, SharedState(ImportEntries(), madeAt: Self.now)] {
            let (states, errors) = SharedState.found(in: try state.text(form))
            #expect(states == [state])
            #expect(errors.isEmpty)
        }
    }

    @Test(
        .enabled(if: Fixtures.exists("firebase"), "the folder of fixtures is not beside the package"),
        arguments: ["firebase", "config_categories", "reports"])
    func `a state with all values of a document is read as it was written`(folder: String) throws {
        for name in Fixtures.names(in: folder) where name.hasSuffix(".json") {
            guard let document = try? RemoteDocument(ofAnyFormat: try Fixtures.bytes("\(folder)/\(name)")) else {
                continue
            }
            var entries = ImportEntries(app: name)
            for key in document.values.keys where !key.string.isEmpty {
                entries.values[key.string] = document.values[key]?.string
            }
            let state = SharedState(entries, madeAt: Self.now)
            #expect(SharedState.found(in: try state.text()).states == [state], "\(folder)/\(name)")
        }
    }

    @Test(.enabled(if: Fixtures.exists("firebase"), "the folder of fixtures is not beside the package"))
    func `ten overrides of a real template have at most 600 characters`() throws {
        let document = try RemoteDocument(
            ofAnyFormat: try Fixtures.bytes("firebase/fittoday.template.json"))
        var entries = ImportEntries(app: "fittoday")
        for key in document.values.keys.prefix(10) { entries.values[key.string] = document.values[key]?.string }
        #expect(entries.values.count == 10)
        let length = try SharedState(entries, madeAt: Self.now).text().utf8.count
        #expect(length <= 600)
    }

    /// 200,000 strings if `MEASURE` is set.
    @Test(.slow) func `no mutated string is read as another state`() throws {
        var random = SeededGenerator(seed: 45)
        var entries = ImportEntries(values: ["express_checkout": "true", "theme": "light"], app: "shop")
        entries.lives = ["theme": .lasting(.seconds(60))]
        let state = SharedState(entries, madeAt: Self.now)
        let (text, digits) = (Array(try state.text().utf8), SharedForm.text.digits.characters)
        var (same, wrong) = (0, [String]())
        let count = getenv("MEASURE") == nil ? 20_000 : 200_000
        for _ in 0..<count {
            var mutated = text
            for _ in 0..<Int.random(in: 1...3, using: &random) where !mutated.isEmpty {
                let place = Int.random(in: mutated.indices, using: &random)
                let digit = digits[Int.random(in: digits.indices, using: &random)]
                switch Int.random(in: 0..<7, using: &random) {
                case 0: mutated[place] = digit
                case 1: mutated.remove(at: place)
                case 2: mutated.insert(digit, at: place)
                case 3: mutated.swapAt(place, Int.random(in: mutated.indices, using: &random))
                case 4: mutated = Array(mutated[..<place])
                case 5: mutated[place] ^= 0x20
                default: mutated.insert(contentsOf: mutated[place..<min(mutated.count, place + 5)], at: place)
                }
            }
            for found in SharedState.found(in: String(decoding: mutated, as: UTF8.self)).states {
                if found == state { same += 1 } else { wrong.append(String(decoding: mutated, as: UTF8.self)) }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
        // Of equal characters that were swapped, or more after the last one.
        #expect(same < count / 50)
    }

    @Test func `each failure has its reason`() throws {
        let text = try Self.full.text()
        let length = text.utf8.count - 7
        let cases = [
            (String(text.prefix(60)), "is cut: 53 of its \(length) characters"),
            (String(text.dropLast()), "is cut: \(length - 1) of its \(length) characters"),
            (text.replacing("fm11", with: "fm12"), "has format 2 of a newer version"),
            (String(text.dropLast()) + (text.hasSuffix("0") ? "1" : "0"), "was changed on its way"),
        ]
        for (text, reason) in cases {
            let (states, errors) = SharedState.found(in: text)
            #expect(states.isEmpty)
            #expect(errors.count == 1 && errors[0].sentence.contains(reason), "\(errors)")
        }
    }

    @Test(arguments: [
        #"{"at": 1, "k": ["a"], "v": ["1"], "e": {"a": "someday"}}"#, #"{"at": 1, "k": ["a", 2], "v": ["1"]}"#,
        #"{"at": 1, "k": ["a"], "v": ["1", null]}"#, "[]",
    ])
    func `a state with a part that cannot be read is refused, not shortened`(json: String) throws {
        let (states, errors) = SharedState.found(in: try SharedForm.text.encoded(Array(json.utf8)))
        #expect(states.isEmpty && errors.map(\.sentence) == [InvalidText.unknownState.sentence])
    }

    @Test func `decompression is bounded, and nothing follows the stream`() throws {
        let bomb = Compression.compressed([UInt8](repeating: 0x20, count: 3 << 20))
        #expect(bomb.count < 10_000)
        let error = #expect(throws: InvalidText.self) { try Compression.decompressed(bomb[...]) }
        #expect(error?.sentence.contains("more than 1 MiB") == true)
        let whole = [UInt8](repeating: 0x20, count: Compression.limit)
        #expect(try Compression.decompressed(Compression.compressed(whole)[...]).count == Compression.limit)
        #expect(throws: InvalidText.changedState) {
            try Compression.decompressed((Compression.compressed([1, 2, 3]) + [0])[...])
        }
        #expect(throws: InvalidText.changedState) {
            try Compression.decompressed(Compression.compressed(Array("a longer text".utf8)).dropLast())
        }
    }

    @Test func `a state that is too large is refused with the way out`() throws {
        var random = SeededGenerator(seed: 1)
        var entries = ImportEntries()
        for number in 0..<20_000 {
            entries.values["key_\(number)"] = String(UInt64.random(in: 0 ... .max, using: &random), radix: 36)
        }
        let error = #expect(throws: InvalidText.self) { try SharedState(entries, madeAt: Self.now).text() }
        #expect(error?.sentence.contains("flagmenu export") == true)
    }

    @Test func `digits are those of RFC 9285, and all bytes have them`() {
        let code = SharedForm.code.digits
        #expect(String(decoding: code.encoded(Array("Hello!!".utf8)), as: UTF8.self) == "%69 VD92EX0")
        #expect(code.decoded(Array("QED8WEX0".utf8)[...]) == Array("ietf!".utf8))
        #expect(code.decoded(Array("FGW".utf8)[...]) == [0xFF, 0xFF])
        #expect(code.decoded(Array("GGW".utf8)[...]) == nil)
        var random = SeededGenerator(seed: 2)
        for count in 0...70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            for form in [SharedForm.text, .code] {
                #expect(form.digits.decoded(form.digits.encoded(bytes)[...]) == bytes)
            }
        }
    }
}
