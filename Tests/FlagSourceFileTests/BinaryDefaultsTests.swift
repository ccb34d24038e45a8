import FlagModel
import FlagSourceFile
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct BinaryDefaultsTests {
    /// Written by Python's plistlib, which shares no code with the reader under test.
    static let sample = """
        YnBsaXN0MDDfEBYBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLFJvblNvZmZUemVyb1NvbmVUYnl0
        ZVVzaG9ydFRsb25nVWJlbG93VGh1Z2VUaGFsZlV0ZW50aFV3aG9sZVNmYXJVbmV2ZXJUZGF0ZVR1dGY4Vm9jdGV0c1Vhc2NpaVZ1
        bWxhdXRUbm9uZVlsb25nIHRleHRWbmVzdGVkCQgQABABEP8R//8S/////xP/////////+xQAAAAAAAAAAIAAAAAAAAAFIz/gAAAA
        AAAAIz+5mZmZmZmaIz/wAAAAAAAAI0RLGuTW4u9QI3/4AAAAAAAAM0HIWNGQAAAAQmhpQv/+VWEgJiBiYwD82D3eAFBfEQEseHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh40i0u
        LzFRelFhoxoXMFF40AAIADcAOgA+AEMARwBMAFIAVwBdAGIAZwBtAHMAdwB9AIIAhwCOAJQAmwCgAKoAsQCyALMAtQC3ALkAvADB
        AMoA2wDkAO0A9gD/AQgBEQEUARcBHQEkASUCVQJaAlwCXgJiAmQAAAAAAAACAQAAAAAAAAAyAAAAAAAAAAAAAAAAAAACZQ==
        """

    /// A property list of these objects. The first object is the root. Offsets have two bytes, references have one
    /// byte.
    private static func list(_ objects: [[UInt8]]) -> [UInt8] {
        var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        return trailed(bytes, offsets, count: objects.count)
    }

    private static func trailed(_ head: [UInt8], _ offsets: [UInt8], count: Int) -> [UInt8] {
        let numbers = [count, 0, head.count].flatMap { number in
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return head + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + numbers
    }

    private static let a: [UInt8] = [0x51, 0x61]

    @Test func `every type becomes text`() throws {
        let data = try #require(Data(base64Encoded: Self.sample, options: .ignoreUnknownCharacters))
        let values = try #require(try defaults(in: Array(data)))
        #expect(
            values == [
                "on": "true", "off": "false", "zero": "0", "one": "1", "byte": "255", "short": "65535",
                "long": "4294967295", "below": "-5", "huge": "9223372036854775813", "half": "0.5", "tenth": "0.1",
                "whole": "1", "far": "1e+21", "never": "nan", "date": "2026-11-21T10:00:00Z", "utf8": "hi",
                "octets": "//4=", "ascii": "a & b", "umlaut": "ü😀", "none": "",
                "long text": String(repeating: "x", count: 300),
                "nested": #"{"a":{},"z":[1,true,"x"]}"#,
            ])
        #expect(values.keys.map(\.string) == values.keys.map(\.string).sorted())
        #expect(values.types["on"] == .bool && values.types["nested"] == .json && values.types["none"] == nil)
        #expect(values.types["one"] == .int && values.types["below"] == .int)
        // A whole number is a double if the list says that it is real.
        #expect(values.types["whole"] == .double && values.types["half"] == .double)
    }

    @Test(
        arguments: [
            ([[0xA0]], "the property list is an array; expected a dictionary"),
            ([[0x09]], "the property list is a single value; expected a dictionary"),
            ([[0xD1, 1, 2], a, [0xA1, 0]], "nested more than 128 levels deep"),
            ([[0xD1, 1, 0], a], "nested more than 128 levels deep"),
        ] as [([[UInt8]], String)])
    func `property list that is not a dictionary is rejected`(_ objects: [[UInt8]], _ sentence: String) {
        #expect(issue(in: Self.list(objects)) == sentence)
    }

    @Test(
        arguments: [
            ("a key that is no string", [[0xD1, 1, 1], [0x09]]),
            ("a reference to no object", [[0xD1, 1, 9], a]),
            ("null", [[0xD1, 1, 2], a, [0x00]]),
            ("a UID", [[0xD1, 1, 2], a, [0x80, 1]]),
            ("a set", [[0xD1, 1, 2], a, [0xC1, 1]]),
            ("a text that is no ASCII", [[0xD1, 1, 2], a, [0x51, 0xE9]]),
            ("half a surrogate pair", [[0xD1, 1, 2], a, [0x61, 0xD8, 0x3D]]),
            ("an infinite date", [[0xD1, 1, 2], a, [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]]),
            ("a text past the end", [[0xD1, 1, 2], a, [0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8)]),
            ("an array past the end", [[0xD1, 1, 2], a, [0xAF, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]),
            ("a count that is no number", [[0xD1, 1, 2], a, [0x5F, 0x09, 0x01]]),
        ] as [(String, [[UInt8]])])
    func `invalid binary property list is damaged`(_ fault: String, _ objects: [[UInt8]]) {
        #expect(issue(in: Self.list(objects)) == "the binary property list is damaged", "\(fault)")
    }

    /// A dictionary with nested arrays, `levels` deep; each array contains the next array `fanOut` times.
    private static func nested(_ levels: Int, fanOut: Int, leaf: [UInt8] = [0x09]) -> [[UInt8]] {
        let arrays = (2..<levels + 1).map { level in
            [0xA0 | UInt8(fanOut)] + [UInt8](repeating: UInt8(level + 1), count: fanOut)
        }
        return [[0xD1, 1, 2], a] + arrays + [leaf]
    }

    @Test func `nesting depth is limited`() {
        #expect(issue(in: Self.list(Self.nested(JSONDocument.depthLimit, fanOut: 1))) == nil)
        #expect(
            issue(in: Self.list(Self.nested(JSONDocument.depthLimit + 1, fanOut: 1)))
                == "nested more than 128 levels deep")
    }

    @Test func `expanded size is limited`() {
        let text = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x78, count: 0x4000)
        #expect(issue(in: Self.list(Self.nested(8, fanOut: 2, leaf: text))) == nil)
        let sentence = "the property list expands to more than 16777216 bytes"
        #expect(issue(in: Self.list(Self.nested(60, fanOut: 2, leaf: text))) == sentence)
        let references = [0xAF, 0x11, 0x08, 0x00] + [UInt8](repeating: 3, count: 0x800)
        #expect(issue(in: Self.list([[0xD1, 1, 2], Self.a, references, text])) == sentence)
    }

    @Test func `no damage crashes the reader`() throws {
        let data = try #require(Data(base64Encoded: Self.sample, options: .ignoreUnknownCharacters))
        let sound = Array(data)
        #expect((6..<sound.count).allSatisfy { (try? defaults(in: Array(sound[..<$0]))) == nil })
        var rejectedCount = 0
        for position in 6..<sound.count {
            for byte in [0, 0x80, sound[position] ^ 1] as [UInt8] {
                var damaged = sound
                damaged[position] = byte
                if (try? defaults(in: damaged)) == nil { rejectedCount += 1 }
            }
        }
        #expect(rejectedCount > 6)
    }

    @Test func `too large list is rejected without reading`() {
        let bytes = Array("bplist00".utf8) + [UInt8](repeating: 0, count: 16 << 20)
        #expect(throws: DocumentError.unknownShape("the property list has 16777224 bytes; at most 16777216 are read")) {
            try defaults(in: bytes)
        }
    }
}
