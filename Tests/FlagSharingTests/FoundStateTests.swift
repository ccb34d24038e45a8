import FlagModel
import TestSupport
import Testing

@testable import FlagSharing

/// Finding shared states in texts as people paste them.
@Suite struct FoundStateTests {
    private static func state(_ values: FlagTable<String>, made seconds: Int64 = 0) -> SharedState {
        SharedState(ImportEntries(values: values, app: "shop"), madeAt: FlagTimestamp(seconds: 1_795_000_000 + seconds))
    }

    private static let one = state([
        "express_checkout": "true", "banner_text": "50 % off", "queue_limit": "5000", "theme": "dark",
        "onboarding_variant": "B", "search_suggestions": "personal", "maximum_item_count": "42",
    ])
    private static let two = state(["express_checkout": "false"], made: 60)

    /// A text in lines of a number of characters, each after a prefix.
    private static func wrapped(_ text: String, _ columns: Int, prefix: String = "", end: String = "\n") -> String {
        var (lines, rest) = ([String](), text[...])
        while !rest.isEmpty {
            lines.append(prefix + rest.prefix(columns))
            rest = rest.dropFirst(columns)
        }
        return lines.joined(separator: end)
    }

    @Test func `only a text that ends within a string may go on with the next line`() throws {
        let text = try Self.one.text()
        for columns in [20, 40, 72] {
            let lines = Self.wrapped("See \(text)", columns, prefix: "> ").split(separator: "\n")
            for count in 1...lines.count {
                let beginning = lines.prefix(count).joined(separator: "\n")
                #expect(SharedState.isCut(atEndOf: beginning) == (count < lines.count), "\(beginning)")
            }
        }
        for whole in ["", "set theme dark", text + " thanks", text.prefix(80) + " …"] {
            #expect(!SharedState.isCut(atEndOf: whole), "\(whole)")
        }
    }

    @Test func `a string is found in ten pasted texts`() throws {
        let (one, two) = (try Self.one.text(), try Self.two.text())
        let texts: [(String, [SharedState], cut: Bool)] = [
            ("Checkout hangs for me, see \(one)\nany idea?", [Self.one], false),
            (
                "**shop**, source remote.json\n\n| Flag | Override |\n|---|---|\n| `a` | `true` |\n\n```\n\(one)\n```\n",
                [Self.one], false
            ),
            ("Use `\(one)`, or **\(one)** or _\(one)_.", [Self.one], false),
            ("h3. Steps\n# Import {noformat}\(one){noformat}\n{quote}Thanks{quote}\n", [Self.one], false),
            (
                "On Monday Kim wrote:\n> Hi,\n> \(Self.wrapped(one, 70, prefix: "> ").dropFirst(2))\n>\n> Kim\n\nThanks!",
                [Self.one], false
            ),
            (
                "On Monday Ana wrote:\n>> On Sunday Kim wrote:\n\(Self.wrapped("state: " + one, 72, prefix: ">> > "))\n",
                [Self.one], false
            ),
            (
                "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                    + Self.wrapped("Here it is: \(one)", 75, end: "=\r\n") + "\r\n",
                [Self.one], false
            ),
            ("Kim  09:12\n\(two)\nAna  09:15\nthat one works, mine was\n\(one)\n", [Self.one, Self.two], false),
            ("Old: \(one.prefix(120))\n\nNew: \(two)\n", [Self.two], true),
            ("It ends here: \(one.prefix(100))…\nThanks and bye\nKim\n", [], true),
        ]
        for (text, expected, isCut) in texts {
            let (states, errors) = SharedState.found(in: text)
            #expect(states == expected, "\(text)")
            #expect(errors.contains { $0.sentence.contains("is cut") } == isCut, "\(errors): \(text)")
            #expect(errors.count == (isCut ? 1 : 0))
        }
    }

    @Test func `a string is found whatever column breaks it`() throws {
        let text = "see " + (try Self.two.text()) + " there"
        for columns in 1...text.count {
            for (prefix, end) in [("", "\n"), ("> ", "\r\n"), ("  | ", " \n"), ("", "=\n"), ("", "\n\n")] {
                let wrapped = Self.wrapped(text, columns, prefix: prefix, end: end)
                #expect(SharedState.found(in: wrapped).states == [Self.two], "\(columns) \(prefix.debugDescription)")
            }
        }
    }

    @Test func `invisible characters in a string do not matter`() throws {
        let text = try Self.one.text()
        let spread = text.map { "\($0)\u{200B}" }.joined() + "\u{AD}"
        #expect(SharedState.found(in: spread).states == [Self.one])
    }

    @Test func `the text of a code is found, also without the spaces at its end`() throws {
        for number in 0..<200 {
            let state = Self.state(["a": "\(number)"])
            let text = try state.text(.code)
            let trimmed = text.trimmingSuffix { $0 == " " }
            #expect(SharedState.found(in: "Scanned: \(trimmed)\n").states == [state])
        }
    }

    @Test(arguments: [
        "", "fm1", "the prefix is fm1 and a version", "fm1test", "xfm11aaabbbbbbbbbbbbbbbb", "FM1: radio",
        "https://example.com/fm1", "fm10000000000000000",
    ])
    func `other texts have no string`(text: String) {
        let (states, errors) = SharedState.found(in: text)
        #expect(states.isEmpty && errors.isEmpty)
    }

    @Test(arguments: [
        "fm1", "fm1zzzz\n", "fm11zzz ", "fm11zzzaaaaaaaaaaaaaaa\n", "FM1:1001 ", "FM1:1:::\n", "a\n", "> =\n",
    ])
    func `the time is linear in the length of the text`(part: String) {
        func time(_ count: Int) -> Double {
            let text = String(repeating: part, count: count / part.utf8.count)
            let start = Clock.seconds()
            _ = SharedState.found(in: text)
            return Clock.seconds() - start
        }
        // Quadratic time would be 64 times as long, and much more than a second.
        let (short, long) = (time(20_000), time(160_000))
        #expect(long < max(24 * short, 3))
    }

    @Test(.timeLimit(.minutes(1))) func `many strings that are cut in different places take linear time`() {
        // In quadratic time, they take minutes.
        let digits = SharedForm.text.digits.characters
        let texts = (4_000..<84_000).map { number in
            let header = [1, number / 3_844, number / 62 % 62, number % 62].map { digits[$0] }
            return "fm1" + String(decoding: header, as: UTF8.self) + "AAAAAAAAAAAA"
        }
        let (states, errors) = SharedState.found(in: texts.joined(separator: "\n"))
        #expect(states.isEmpty && errors.count == 80_000)
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
