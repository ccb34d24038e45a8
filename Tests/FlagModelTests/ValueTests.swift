import FlagModel
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_795_255_200, "2026-11-21T10:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"),
    ])
    func `is read and written`(_ seconds: Int64, _ text: String) {
        #expect(FlagTimestamp(seconds: seconds).rfc3339 == text)
        #expect(FlagTimestamp(rfc3339: text)?.seconds == seconds)
    }

    @Test func `offsets and fractions`() {
        #expect(FlagTimestamp(rfc3339: "2026-11-21T12:00:00.999+02:00")?.rfc3339 == "2026-11-21T10:00:00Z")
        #expect(FlagTimestamp(rfc3339: "2026-11-21t05:30:00-04:30")?.rfc3339 == "2026-11-21T10:00:00Z")
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:00:00",
        "2026-11-21T10:00:00Zx", "2026-11-21T10:00:00.Z", "+026-11-21T10:00:00Z", "2026-00-10T00:00:00Z",
    ])
    func `rejects invalid text`(_ text: String) { #expect(FlagTimestamp(rfc3339: text) == nil) }

    @Test(arguments: [
        (-500, "just now"), (0, "just now"), (59, "just now"), (60, "1 min ago"), (3_599, "59 min ago"),
        (3_600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 day ago"), (5 * 86_400, "5 days ago"),
    ])
    func `ages are in words`(_ age: Int64, _ words: String) {
        #expect(FlagTimestamp(seconds: 1_000).age(at: FlagTimestamp(seconds: 1_000 + age)) == words)
        #expect(FlagTimestamp(seconds: .min).age(at: FlagTimestamp(seconds: .max)).hasSuffix("days ago"))
    }
}

@Suite struct FlagReadingTests {
    @Test(
        arguments: [
            ("1", true), ("TRUE", true), ("t", true), ("Yes", true), ("y", true), ("on", true), ("0", false),
            ("false", false),
            ("F", false), ("no", false), ("n", false), ("OFF", false), ("", false), ("2", nil), (" true", nil),
            ("ja", nil),
        ] as [(String, Bool?)])
    func `bools are read in many spellings`(_ text: String, _ value: Bool?) {
        #expect(FlagReading.bool(text) == value)
        #expect(FlagType.bool.accepts(text) == (value != nil))
    }

    @Test(
        arguments: [
            ("0", 0), ("-42", -42), ("9223372036854775807", .max), ("9223372036854775808", nil), ("+1", nil),
            (" 1", nil), ("1 ", nil), ("", nil), ("-", nil), ("1.0", nil), ("0x1", nil), ("1_000", nil), ("٣", nil),
            ("01067", nil), ("-01", nil), ("-0", 0), ("5.", nil), ("1e3", nil),
        ] as [(String, Int?)])
    func `ints have one spelling`(_ text: String, _ value: Int?) { #expect(FlagReading.int(text) == value) }

    @Test(
        arguments: [
            ("0", 0), ("-0.5", -0.5), ("1e3", 1_000), ("1E+2", 100), ("1e400", nil), ("inf", nil), ("nan", nil),
            ("0x1p3", nil), (".5", nil), ("5.", nil), ("+1", nil), ("1 ", nil), ("", nil), ("01", nil),
        ] as [(String, Double?)])
    func `doubles are spelled as in JSON`(_ text: String, _ value: Double?) {
        #expect(FlagReading.double(text) == value)
    }

    @Test(
        arguments: [
            (.int, "01067", "Not an int."), (.double, "01067", "Not a double."), (.int, "1e3", "Not an int."),
            (.int, "9223372036854775808", "Out of range"), (.double, "1e400", "Out of range"),
        ] as [(FlagType, String, String)])
    func `invalid numbers have a reason`(_ type: FlagType, _ text: String, _ start: String) {
        #expect(type.invalidReason(to: text)?.hasPrefix(start) == true)
    }

    @Test(
        arguments: [
            (["true", "false"], nil, .bool), (["TRUE", "False"], "x", .bool), (["1", "0"], nil, .int),
            (["1", "2.5"], nil, .double),
            (["{}", "[1]"], nil, .json), (["a", "true"], nil, .string), (["", "true"], nil, .string),
            ([], "true", .bool),
            ([], "42", .int), ([], "-0.5", .double), ([], "1e+21", .double), ([], "-4.2e1", .string),
            ([], "01067", .string), ([], "2024.10", .string), ([], "12345e6", .string), ([], "-0", .string),
            (["0.5", "1.50"], nil, .string), ([], #"{"a":1}"#, .json), ([], "{a}", .string),
            ([], " \n[1]", .json), ([], " a", .string),
            ([], nil, .string), (["true"], "7", .int), (["true"], nil, .bool), ([], "", .string), ([], "on", .string),
        ] as [([String], String?, FlagType)])
    func `type is inferred`(_ options: [String], _ value: String?, _ type: FlagType) {
        #expect(FlagType.inferred(from: options, value: value) == type)
    }

    @Test func `errors name key text and type`() {
        let missing = FlagReadError(code: .notFound, key: "a\u{1B}", text: nil, type: .int)
        #expect(missing.description == #"no layer has a value for the flag "a\u001B""#)
        let wrong = FlagReadError(code: .notCastable, key: "a", text: "x", type: .int)
        #expect(wrong.description == #"the flag "a" has the value "x", not a valid int"#)
    }
}

@Suite struct ValueTableTests {
    @Test func `replaces and removes in order`() {
        var table: ValueTable = ["b": "1", "a": "2", "b": "3"]
        #expect(table.keys.map(\.string) == ["b", "a"] && table["b"] == "3" && table[FlagText("a")] == "2")
        #expect(table == ["a": "2", "b": "3"] && table != ["a": "2"] && table != ["a": "2", "c": "3"])
        table["c" as FlagText] = "4"
        table["b" as FlagText] = nil
        #expect(table.keys.map(\.string) == ["a", "c"] && table["b"] == nil && table["c"] == "4" && table.count == 2)
    }

    @Test func `finds each of many keys`() {
        let table = ValueTable((0..<5_000).map { (key: FlagText("key\($0)"), value: FlagText("\($0)")) })
        #expect((0..<5_000).allSatisfy { table["key\($0)"]?.string == "\($0)" })
        #expect(table["key5000"] == nil)
    }
}
