#if Configuration
import Configuration
import Testing

@testable import FlagsConfiguration

/// Texts as configuration content.
struct ContentReadingTests {
    @Test(
        arguments: [
            ("yes", .bool, .bool(true)), ("OFF", .bool, .bool(false)), ("maybe", .bool, nil), ("2", .bool, nil),
            ("42", .int, .int(42)), ("-7", .int, .int(-7)), ("4.2", .int, nil), ("42 ", .int, nil),
            ("99999999999999999999", .int, nil),
            ("42", .double, .double(42)), ("1e3", .double, .double(1_000)), (".5", .double, nil), ("nan", .double, nil),
            ("", .string, .string("")), ("[1]", .string, .string("[1]")),
            ("[]", .intArray, .intArray([])), (#"["1", 2]"#, .intArray, .intArray([1, 2])),
            ("[1, 2.5]", .intArray, nil),
            ("1", .intArray, nil), ("1,2", .intArray, nil), ("[1", .intArray, nil), ("[1] 2", .intArray, nil),
            ("[1, 2.5]", .doubleArray, .doubleArray([1, 2.5])), ("[1e999]", .doubleArray, nil),
            (#"[true, "no", 1]"#, .boolArray, .boolArray([true, false, true])), ("[null]", .boolArray, nil),
            (#"["a\nb", 1]"#, .stringArray, .stringArray(["a\nb", "1"])), ("[[1]]", .stringArray, nil),
            (#"[{"a": 1}]"#, .stringArray, nil), (#"{"a": 1}"#, .stringArray, nil),
            (#"["aGk=", ""]"#, .byteChunkArray, .byteChunkArray([Array("hi".utf8), []])),
            (#"["aGk=", "?"]"#, .byteChunkArray, nil),
            ("aGk=", .bytes, .bytes(Array("hi".utf8))), ("not base64!", .bytes, nil),
        ] as [(String, ConfigType, ConfigContent?)])
    func `a text is parsed by the rules of declared flags, and an array is a JSON array of such texts`(
        text: String, type: ConfigType, content: ConfigContent?
    ) {
        #expect(ContentReading(bytes: .base64).content(of: text, as: type) == content)
    }

    @Test func `bytes are read in the encoding that the app sets`() {
        #expect(ContentReading(bytes: .hex).content(of: "6869", as: .bytes) == .bytes(Array("hi".utf8)))
    }
}
#endif
