import Foundation
import TestSupport
import Testing

/// Text from a document never reaches a terminal as control sequences: every command with every payload.
@Suite(.slow) struct InjectionTests {
    private let workplace = Workplace()

    /// Texts that would act, reorder or hide if they were printed, a family each. Each scalar is checked separately, so
    /// that none can hide another.
    static let payloads: [String: String] = [
        "C0 and DEL": (1..<32).map { "\(Unicode.Scalar(UInt8($0)))b" }.joined() + "\u{7F}",
        "C1": (0x80..<0xA0).map { "\(Unicode.Scalar(UInt8($0)))b" }.joined(),
        "colours and cursor": "a\u{1B}[31;1mred\u{1B}[2J\u{1B}[6n\u{1B}c\u{9B}31m",
        "clipboard, title, links": "a\u{1B}]52;c;ZXZpbA==\u{07}\u{1B}]8;;http://e/\u{07}\u{1B}Pq\u{1B}\\\u{1B}]0;open",
        "carriage return": "safe\rdanger\r\nmore", "NUL": "a\0b",
        "bidi": "a\u{202E}b\u{2066}c\u{200F}d\u{061C}", "zero width": "a\u{200B}b\u{2060}c\u{FEFF}d",
        "tags and separators": "a\u{E0041}\u{E007F}b\u{2028}c\u{2029}d\u{FFFE}",
    ]

    /// The scalars of a text that must not reach a terminal. A newline only ends a line.
    static func forbidden(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
                0xFFFE...0xFFFF, 0xE0000...0xE0FFF:
                true
            default: false
            }
        }
    }

    /// A document in which a payload is key, value, title, description, category, owner and option.
    private func document(_ payload: String) throws -> String {
        let item: [String: Any] = [
            "key": payload, "title": payload, "description": payload, "owner": payload, "expires": payload,
            "requires": [payload], "value": "\(payload)|other",
        ]
        let root: [String: Any] = [
            payload: payload, "plain": payload, "k\(payload)": "true",
            "config_categories": [["category": payload, "items": [item, ["key": "plain", "title": payload]]]],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
    }

    @Test(arguments: payloads.keys.sorted())
    func `no command prints control sequences from a document`(name: String) throws {
        let payload = try #require(Self.payloads[name])
        // Make sure that there is something to find.
        #expect(!Self.forbidden(in: payload).isEmpty)
        workplace.write(try document(payload), to: "remote.json")
        // An argument ends at a zero byte.
        let typed = payload.contains("\0") ? "nosuch" : payload
        let source = ["--source", "remote.json"]
        for sink in [
            ["list"], ["explain", "plain"], ["explain", typed], ["set", "plain", "\(typed)x"], ["history"],
            ["toggle", typed], ["get", "\(typed)?"], ["set", typed, "no option"], ["list", "--category", "\(typed)?"],
            ["doctor"], ["status"], ["fetch"], ["reset", typed, "plain"], ["--launch", typed, "list"],
            ["import", typed], ["completions", typed], [typed],
        ] {
            let run = workplace.flagmenu(sink + source)
            #expect(Self.forbidden(in: run.errorText) == [], "\(sink): \(run.errorText.debugDescription)")
            #expect(Self.forbidden(in: run.text.replacing("\t", with: "")) == [], "\(sink)")
        }
        for sink in [
            ["list", "--json"], ["explain", "plain", "--json"], ["get", "plain", "--json"], ["history", "--json"],
            ["export"], ["status", "--json"], ["doctor", "--json"],
        ] {
            #expect(Self.forbidden(in: workplace.flagmenu(sink + source).text) == [], "\(sink)")
        }
    }

    @Test(arguments: payloads.keys.sorted())
    func `get prints raw values for programs and safe text on a terminal`(name: String) throws {
        let payload = try #require(Self.payloads[name])
        workplace.write(try document(payload), to: "remote.json")
        #expect(workplace.flagmenu("get plain --source remote.json").text == payload + "\n")
        for command in ["get plain", "explain plain", "list"] {
            let shown = workplace.onTerminal("\(command) --source remote.json").expect(0)
            #expect(Self.forbidden(in: shown.text) == [], "\(shown.text.debugDescription)")
        }
    }

    @Test func `errors about a document quote it safely`() {
        for payload in Self.payloads.values {
            workplace.write("{\"a\": \(payload)}", to: "remote.json")
            let run = workplace.flagmenu("list --source remote.json")
            #expect(Self.forbidden(in: run.errorText) == [], "\(run.errorText.debugDescription)")
        }
    }

    @Test(arguments: ["👩‍👩‍👧‍👦", "🏳️‍🌈", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "نمی\u{200C}خواهم", "👍🏽"])
    func `a program reads keys and values unchanged`(text: String) {
        workplace.write(#"{"\#(text)": "\#(text)"}"#, to: "remote.json")
        let list = workplace.shell("flagmenu list --source remote.json")
        #expect(Array(list.output) == Array("\(text)\t\(text)\tremote\n".utf8))
        let get = workplace.shell(
            "flagmenu list --source remote.json | cut -f1 | xargs -I KEY flagmenu get KEY --source remote.json")
        #expect(Array(get.output) == Array("\(text)\n".utf8), "\(get.errorText)")
        let set = workplace.flagmenu(["set", text, "\(text)!", "--any", "--source", "remote.json"])
        #expect(Array(set.errors) == Array("\(text): \(text) -> \(text)! (was remote)\n".utf8), "\(set.errorText)")
        let shown = workplace.onTerminal("list --source remote.json").text
        #expect(
            shown.unicodeScalars.allSatisfy { !(0x200C...0x200D).contains($0.value) },
            "joiners are not printed on a terminal")
    }

    @Test(arguments: ["C", "nosuch.UTF-8", nil])
    func `in every locale, output in a pipe is UTF-8`(locale: String?) {
        workplace.write(#"{"grün": "€ 😀"}"#, to: "remote.json")
        workplace.flagmenu("list --source remote.json", environment: ["LC_ALL": locale]).expect(
            exactly: "grün\t€ 😀\tremote\n")
        workplace.flagmenu(["get", "grün", "--source", "remote.json"], environment: ["LC_ALL": locale]).expect(
            exactly: "€ 😀\n")
    }

    @Test func `on a terminal in a C locale list prints ASCII and get escapes the value`() {
        workplace.write(#"{"grün": "€ ş"}"#, to: "remote.json")
        func shown(_ line: String) -> String {
            workplace.onTerminal("\(line) --source remote.json", environment: ["LC_ALL": "C"]).text.replacing(
                "\r\n", with: "\n")
        }
        #expect(shown("list") == "grun  ? s  remote\n")
        #expect(shown("get grün") == "\\u{20AC} \\u{15F}\n")
    }
}
