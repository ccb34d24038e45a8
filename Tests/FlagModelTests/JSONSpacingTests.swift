import FlagModel
import TestSupport
import Testing

@Suite struct JSONSpacingTests {
    @Test(arguments: [
        ("{}", "{}"), ("[ ]", "[]"), (" 1 ", "1"), (#""a b""#, #""a b""#),
        (#"{"a":1}"#, "{\n  \"a\": 1\n}"),
        (
            #"{"b":[1,{"c":{}}],"a":null}"#,
            "{\n  \"b\": [\n    1,\n    {\n      \"c\": {}\n    }\n  ],\n  \"a\": null\n}"
        ),
        (#"{"a":"x, {y}: [\"z\\"}"#, "{\n  \"a\": \"x, {y}: [\\\"z\\\\\"\n}"),
    ])
    func `indenting changes only white space`(text: String, indented: String) {
        #expect(JSONSpacing.indented(text) == indented)
        #expect(JSONSpacing.compact(indented) == JSONSpacing.compact(text))
    }

    @Test(arguments: [
        "{", "", "{\"a\":1,}", "nope",
    ])
    func `invalid JSON has no spacing`(text: String) {
        #expect(JSONSpacing.indented(text) == nil)
        #expect(JSONSpacing.compact(text) == nil)
    }

    /// Numbers keep their text, strings their escapes, members their order.
    @Test func `spelling is unchanged`() {
        let text = #"{"z":1.50e+3,"a":"\u00e9\/","m":[-0,1E2]}"#
        #expect(JSONSpacing.indented(text).flatMap(JSONSpacing.compact) == text)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `compact and indented are the same value`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = Self.value(&random, depth: 0)
        let indented = try #require(JSONSpacing.indented(text))
        #expect(JSONSpacing.compact(indented) == JSONSpacing.compact(text))
        #expect(JSONSpacing.indented(indented) == indented)
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
        let count = Int.random(in: 0...3, using: &random)
        let space = ["", " ", "\n", "\t "][Int.random(in: 0..<4, using: &random)]
        switch Int.random(in: 0..<(depth > 4 ? 3 : 5), using: &random) {
        case 0: return "\(Int.random(in: -9...9, using: &random)).5e1"
        case 1: return #""\\ \" {:,[ é\#(count)""#
        case 2: return "null"
        case 3:
            let parts = (0..<count).map { _ in value(&random, depth: depth + 1) }
            return "[\(space)\(parts.joined(separator: ",\(space)"))\(space)]"
        default:
            let parts = (0..<count).map { "\"k\($0)\"\(space):\(space)\(value(&random, depth: depth + 1))" }
            return "{\(space)\(parts.joined(separator: "\(space),"))\(space)}"
        }
    }
}
