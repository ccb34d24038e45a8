import FlagModel
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// `flagmenu matrix`: a command with combinations of flags.
@Suite struct MatrixTests {
    private let workplace = Workplace()

    init() {
        let bools = ["a", "b", "c", "d", "e", "f", "g"]
        let items = bools.map { #"{"key": "\#($0)", "value": "true|false"}"# }
        workplace.write(
            """
            {\(bools.map { #""\#($0)": "false""# }.joined(separator: ", ")), "text": "x", "theme": "a<b",
             "config_categories": [{"category": "C", "items": [\(items.joined(separator: ", ")),
              {"key": "text"}, {"key": "theme", "value": "a<b|\\"&'", "requires": "g"}]}]}
            """, to: "flags.json")
        workplace.write(#"{"source": "flags.json", "app": "shop"}"#, to: "flagmenu.json")
        // Fails if a and b are on, is skipped if c alone is on.
        workplace.write(
            """
            values=$(flagmenu get a b c | tr '\\n' ' ')
            case $values in
                "true true "*) printf 'a<b> & "]]>\\033[31m\\001\\n'; exit 3 ;;
                "false false true "*) exit 125 ;;
            esac
            """, to: "check.sh")
    }

    /// Runs the script, or another command, with the rows of a matrix.
    private func matrix(_ options: String, _ command: [String] = ["sh", "check.sh"]) -> CommandRun {
        workplace.flagmenu(["matrix"] + options.split(separator: " ").map(String.init) + ["--"] + command, timeout: 60)
    }

    @Test func `a dry run prints the rows and runs nothing`() {
        let rows = "a      b      c\nfalse  false  false\ntrue   true   false\ntrue   false  true\nfalse  true   true\n"
        matrix("--pairwise --flags a,b,c --dry-run", ["touch", "ran"]).expect(0, exactly: rows, isSilent: true)
        workplace.flagmenu("matrix --pairwise --flags a,b,c,b --dry-run").expect(0, exactly: rows)
        workplace.flagmenu("matrix --each --flags a,b --dry-run").expect(
            exactly: "a     b\n-     -\ntrue  -\n-     true\n")
        #expect(!workplace.names(in: ".").contains("ran"))
    }

    @Test func `the failing rows and what they share are printed, and nothing is changed`() {
        matrix("--all --flags a,b,c").expect(
            1, text: "1/8      failed   3", "2/8      failed   3", "7/8      skipped  125", "8/8      ok       0",
            "a=true, b=true, c=false", errors: "8 rows, 2 failed, 1 skipped.", "row 1: a=true, b=true, c=true",
            "All failing rows have, and no passing row: a=true, b=true.", #"a<b> & "]]>"#)
        workplace.flagmenu("list --overridden").expect(exactly: "")
        let quiet = matrix("--all --flags a,b --quiet").expect(1, isSilent: true)
        #expect(quiet.text.split(separator: "\n").count == 4)
        matrix("--pairwise --flags c,d").expect(0, errors: "4 rows, 2 skipped.")
    }

    @Test func `a single value that only failing rows have is named alone`() {
        matrix("--pairwise --flags d,e,f", ["sh", "-c", "test $(flagmenu get e) = false"]).expect(
            1, errors: "4 rows, 2 failed.", "no passing row: e=true.")
        matrix("--pairwise --flags d,e", ["false"]).expect(1, errors: "4 rows, 4 failed.", without: "no passing row")
        matrix("--each --flags d", ["sh", "-c", "kill -9 $$"]).expect(1, text: "failed   137")
    }

    @Test func `the command gets the other changes, too`() {
        workplace.flagmenu("set text y --quiet").expect(0)
        workplace.flagmenu("set a true --quiet").expect(0)
        matrix("--each --flags b,c", ["sh", "-c", #"test "$(flagmenu get text a | tr '\n' ' ')" = "y true ""#]).expect(
            0)
        #expect(workplace.flagmenu("get b c").text == "false\nfalse\n")
    }

    @Test func `live rows change the store itself, which is restored`() {
        workplace.flagmenu("set a true --quiet").expect(0)
        let command = ["sh", "-c", "flagmenu get a b >> seen"]
        matrix("--all --flags a,b --live --wait 1", command).expect(0, errors: "4 rows.")
        #expect(workplace.read("seen") == "true\ntrue\ntrue\nfalse\nfalse\ntrue\nfalse\nfalse\n")
        #expect(workplace.flagmenu("list --overridden").text == "a\ttrue\toverride\n")
        matrix("--all --flags a,b --wait 1", command).expect(2, errors: "--wait needs --live.")
    }

    @Test func `the result is one JSON document`() throws {
        let run = matrix("--pairwise --flags a,b,g,theme --json").expect(1, errors: "failed", #"a<b> & "]]>"#)
        let root = try JSONDocument(parsing: run.output).root
        #expect(root["method"]?.text == "pairwise")
        let rows = Array(try #require(root["rows"]).elements)
        #expect(rows.count >= 4 && rows.allSatisfy { ($0["milliseconds"]?.source).flatMap { Int($0) } != nil })
        for row in rows {
            let isFailing = row["values"]?["a"]?.text == "true" && row["values"]?["b"]?.text == "true"
            #expect(row["result"]?.text == (isFailing ? "failed" : "ok"))
            #expect(row["exitCode"]?.source == (isFailing ? "3" : "0"))
            #expect(row["values"]?["g"]?.text == "true" || row["values"]?["theme"] == nil)
        }
        #expect(try #require(root["leftOut"]).elements.map { $0["theme"]?.text?.string } == ["\"&'"])
        #expect(root["shared"]?.elements.contains { $0["a"]?.text == "true" && $0["b"]?.text == "true" } == true)
        let dry = workplace.flagmenu("matrix --all --flags a --dry-run --json").expect(0, isSilent: true)
        #expect(dry.text.contains(#""a": "false""#) && !dry.text.contains("result"))
    }

    @Test func `the report in JUnit's format has every row, and is well-formed`() throws {
        workplace.write("old", to: "report.xml")
        matrix("--all --flags a,b,c,g,theme --junit report.xml").expect(1)
        let text = try #require(workplace.read("report.xml"))
        let reader = ElementReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(text)")
        // Off, g leaves the theme as it is.
        #expect(reader.counts == ["testsuite": 1, "testcase": 24, "failure": 6, "skipped": 3])
        #expect(reader.attributes["testsuite"]?["tests"] == "24" && reader.attributes["testsuite"]?["failures"] == "6")
        #expect(reader.names.contains("row 2: a=true, b=true, c=true, g=true, theme=\"&'"))
        #expect(reader.text.contains(#"a<b> & "]]>"#) && !reader.text.contains("\u{1B}"))
    }

    @Test func `a report that cannot be written is an error before the first row`() {
        matrix("--each --flags a --junit missing/report.xml", ["touch", "ran"]).expect(2)
        matrix("--each --flags a --junit flags.json", ["touch", "ran"]).expect(2, errors: "a source of this run")
        #expect(!workplace.names(in: ".").contains("ran"))
    }

    @Test func `a command that cannot be started ends the matrix`() {
        matrix("--pairwise --flags a,b", ["no-such-command"]).expect(
            2, exactly: "", errors: "no-such-command cannot be started: it exited with 127.")
        matrix("--pairwise --flags a,b", ["./flags.json"]).expect(2, errors: "exited with 126")
        // A shell reports a crash like this.
        matrix("--each --flags a", ["sh", "-c", "exit 139"]).expect(1, text: "failed   139")
    }

    @Test(arguments: [
        "--flags a", "--each --all --flags a", "--each", "--each --flags a --matching b", "--each --flags ,",
        "--each --flags text", "--each --matching text", "--each --scenario x --flags a",
    ])
    func `a matrix needs a method, flags with options and a command`(options: String) {
        matrix(options, ["touch", "ran"]).expect(2)
        #expect(!workplace.names(in: ".").contains("ran"))
    }

    @Test func `what is missing or unknown is named`() {
        workplace.flagmenu("matrix --each --flags a").expect(2, errors: "Name the command after --")
        matrix("--each --flags a,text").expect(2, errors: "text has no options to choose from.")
        matrix("--each --flags a,them").expect(1, errors: #""them" is not a flag."#, #""theme""#)
        matrix("--each --matching nothing").expect(1)
        matrix("--each --scenario none").expect(1)
    }

    @Test func `the flags of a filter or a scenario without options keep their value, with a warning`() {
        workplace.write(
            #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"a": true, "text": "z", "gone": "1"}}"#,
            to: "scenarios/one.json")
        workplace.flagmenu("matrix --all --scenario one --dry-run").expect(
            0, exactly: "a\ntrue\nfalse\n", errors: "text has no options to choose from. Left out", "gone is left out.")
        workplace.flagmenu(["matrix", "--all", "--matching", "a", "--dry-run"]).expect(0, text: "a")
    }

    @Test func `more than 100 rows need a confirmation`() {
        let options = "--all --flags a,b,c,d,e,f,g"
        matrix(options, ["touch", "ran"]).expect(2, exactly: "", errors: "128 rows needs --yes", "Nothing was run.")
        workplace.onTerminal("matrix \(options) -- touch ran", typing: ["n"]).expect(
            0, text: "Run touch 128 times? [y/N]", "Nothing was run.")
        #expect(!workplace.names(in: ".").contains("ran"))
        let run = matrix("\(options) --yes --quiet", ["true"]).expect(0, isSilent: true)
        #expect(run.text.split(separator: "\n").count == 128)
    }

    @Test func `values that no row can have are named`() {
        workplace.flagmenu("matrix --pairwise --flags g,theme --dry-run").expect(
            0, errors: "No row has these values", #"g=false, theme="&'."#)
        workplace.flagmenu("matrix --each --flags theme --dry-run --quiet").expect(0, isSilent: true)
    }
}

/// Counts the elements of an XML document.
private final class ElementReader: NSObject, XMLParserDelegate {
    private(set) var counts: [String: Int] = [:]
    private(set) var attributes: [String: [String: String]] = [:]
    private(set) var names: Set<String> = []
    private(set) var text = ""

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        counts[element, default: 0] += 1
        self.attributes[element] = attributes
        if let name = attributes["name"] { names.insert(name) }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
}
