import ArgumentParser
import FlagModel
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// `flagmenu scenario`: named sets of changes.
@Suite struct ScenarioTests {
    private let workplace = Workplace.shop()

    /// Saves a scenario `checkout` that has the theme `light`, and then has only another limit.
    private func saveCheckout() {
        workplace.flagmenu("set theme light").expect(0)
        workplace.flagmenu("scenario save checkout").expect(0, errors: "Saved 1 override as checkout.")
        workplace.flagmenu("reset theme").expect(0)
        workplace.flagmenu("set limit 7").expect(0)
    }

    private func write(_ overrides: String, more: String = "", as name: String) {
        workplace.write(
            #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {\#(overrides)}\#(more)}"#,
            to: "scenarios/\(name).json")
    }

    @Test func `a scenario that was saved is applied after everything was reset`() {
        saveCheckout()
        #expect(workplace.names(in: "scenarios") == ["checkout.json"])
        workplace.flagmenu("reset --all --yes").expect(0)
        workplace.flagmenu("scenario apply checkout --replace").expect(
            0, errors: "theme: dark -> light", "Applied checkout. Adds 1.")
        #expect(workplace.flagmenu("get theme").text == "light\n")
        workplace.flagmenu("status").expect(text: "scenario   checkout\n")
        workplace.flagmenu("set limit 8").expect(0)
        workplace.flagmenu("status").expect(text: "scenario   checkout +1\n")
        workplace.flagmenu("scenario list").expect(exactly: "checkout  1 change  project  applied +1\n")
        workplace.flagmenu("undo").expect(0)
        workplace.flagmenu("undo").expect(0, errors: "theme: light -> dark")
        workplace.flagmenu("status").expect(without: "scenario")
    }

    @Test func `adding keeps other changes and replacing resets them`() {
        saveCheckout()
        workplace.flagmenu("scenario apply checkout --add").expect(0, errors: "Adds 1.")
        #expect(workplace.flagmenu("get theme limit").text == "light\n7\n")
        workplace.flagmenu("scenario apply checkout --replace").expect(0, errors: "Resets 1.")
        #expect(workplace.flagmenu("get theme limit").text == "light\n10\n")
        workplace.flagmenu("scenario apply checkout --replace --add").expect(2)
    }

    @Test func `a script has to say whether to replace, and a dry run changes nothing`() {
        saveCheckout()
        workplace.flagmenu("scenario apply checkout").expect(2, errors: "--replace or --add", "Nothing was changed.")
        workplace.flagmenu("scenario apply checkout --dry-run").expect(
            0, exactly: "", errors: "scenario", "r: adds 1, resets 1. a: adds 1.")
        let run = workplace.flagmenu("scenario apply checkout --add --dry-run --json").expect(0, errors: "Adds 1.")
        #expect(run.text.contains(#""key": "theme""#) && !run.text.contains(#""key": "limit""#))
        #expect(workplace.flagmenu("get theme limit").text == "dark\n7\n")
    }

    @Test func `a preview has the notes and ends below the values`() {
        write(#""limit": 7"#, more: #", "notes": {"limit": "BUG-9"}, "ends": {"limit": "2h"}"#, as: "ending")
        workplace.flagmenu("scenario apply ending --add --dry-run").expect(
            0, errors: "limit  10   7         7      add\n  note \"BUG-9\", ends in 2 h\n")
    }

    @Test(arguments: [("r", "light\n10\n"), ("a", "light\n7\n"), ("", "dark\n7\n"), ("x", "dark\n7\n")])
    func `on a terminal the user chooses after the preview`(answered: String, values: String) {
        saveCheckout()
        workplace.onTerminal("scenario apply checkout", typing: [answered]).expect(
            0, text: "now", "after", "light", "r: adds 1, resets 1. a: adds 1.", "Apply checkout?")
        #expect(workplace.flagmenu("get theme limit").text == values)
    }

    @Test func `nothing is applied if somebody has written since the preview`() throws {
        saveCheckout()
        let command = try ScenarioApplyCommand.parse(["checkout", "--replace"])
        let workspace = try Workspace.open(workplace.settings(command.options))
        workplace.flagmenu("set ratio 2.5").expect(0)
        let error = #expect(throws: CommandFailure.self) { try command.run(in: workspace) }
        #expect(error?.status == .noMatch)
        #expect(workplace.flagmenu("get theme limit ratio").text == "dark\n7\n2.5\n")
        workplace.flagmenu("history --limit 1").expect(text: "set ratio")
        try command.run(in: Workspace.open(workplace.settings(command.options)))
        #expect(workplace.flagmenu("get theme limit ratio").text == "light\n10\n0.5\n")
    }

    @Test func `200 overrides are one history entry and one undo`() {
        let keys = (1...200).map { "k\($0)" }
        workplace.write("{\(keys.map { #""\#($0)": "0""# }.joined(separator: ", "))}", to: "shop.json")
        write(keys.map { #""\#($0)": "1""# }.joined(separator: ", "), as: "large")
        workplace.flagmenu("set k1 2").expect(0)
        workplace.flagmenu("scenario apply large --replace --quiet").expect(0, isSilent: true)
        #expect(workplace.flagmenu("list --overridden").text.split(separator: "\n").count == 200)
        let actions = workplace.flagmenu("history --json").text.matches(of: #/"action": "([^"]+)"/#)
        #expect(actions.map(\.output.1) == ["scenario large", "set k1"])
        workplace.flagmenu("undo --quiet").expect(0)
        #expect(workplace.flagmenu("list --overridden").text == "k1\t2\toverride\n")
    }

    @Test func `entries that left the catalog are reported everywhere, and the rest is applied`() {
        write(#""theme": "blue", "limit": 7, "gone": "1""#, as: "old")
        for line in ["scenario show old", "scenario apply old --replace"] {
            workplace.flagmenu(line).expect(
                0, errors: "theme is left out.", "gone is left out.", comment: line)
        }
        #expect(workplace.flagmenu("get theme limit").text == "dark\n7\n")
        workplace.flagmenu("status").expect(text: "scenario   old\n")
        workplace.flagmenu("scenario list").expect(text: "3 changes", "2 left out", "applied", without: "+", "since")
        workplace.flagmenu("doctor").expect(text: "scenarios", "old: theme is left out.", "old: gone is left out.")
        write(#""theme": "blue", "gone": "1""#, as: "older")
        workplace.flagmenu("scenario apply older --add").expect(3, errors: "Nothing of older can be applied here.")
        write(#""theme": null"#, as: "empty")
        workplace.flagmenu("scenario apply empty --replace").expect(3, errors: "Nothing of empty can be applied here.")
        #expect(workplace.flagmenu("get limit").text == "7\n")
    }

    @Test func `a file that changed since it was applied, or is broken, is listed as such`() {
        write(#""limit": 7"#, as: "one")
        workplace.flagmenu("scenario apply one --add").expect(0)
        workplace.flagmenu("scenario list").expect(text: "applied\n")
        write(#""limit": 8"#, as: "one")
        workplace.write("{", to: "scenarios/two.json")
        workplace.flagmenu("scenario list").expect(0, text: "applied, the file has changed since", "two.json: ")
        workplace.flagmenu("scenario list --json").expect(
            0, text: #""place": "project""#, #""changes": null"#, "the file has changed since")
        workplace.flagmenu("doctor").expect(text: "two.json: ")
        workplace.flagmenu("scenario show two").expect(2, errors: "two.json: ")
        workplace.flagmenu("scenario apply two --add").expect(2, errors: "two.json: ")
    }

    @Test func `show prints values, notes and ends, and the file as JSON`() {
        write(
            #""theme": "light", "greeting": """#,
            more: #", "notes": {"theme": "for the demo"}, "ends": {"theme": "2h"}"#,
            as: "demo")
        let run = workplace.flagmenu("scenario show demo").expect(0, isSilent: true)
        #expect(run.text == "greeting  \"\"\ntheme     light  for the demo  ends in 2 h\n")
        #expect(
            workplace.flagmenu("scenario show demo --json").text
                == workplace.read("scenarios/demo.json").map { "\($0)\n" })
    }

    @Test func `diff compares the current changes with those of a scenario`() {
        saveCheckout()
        workplace.flagmenu("scenario diff checkout").expect(
            0, text: "theme: not set -> light", "limit: 7 -> not set", errors: "1 added, 1 removed.")
        workplace.flagmenu("scenario diff checkout --exit-code").expect(1)
        workplace.flagmenu("scenario apply checkout --replace").expect(0)
        workplace.flagmenu("scenario diff checkout --exit-code").expect(0, exactly: "", errors: "No value differs.")
    }

    @Test func `scenarios are renamed and deleted, and no name is overwritten`() {
        saveCheckout()
        workplace.flagmenu("scenario save checkout").expect(2, errors: "--force replaces it")
        workplace.flagmenu("scenario save checkout --force").expect(0)
        workplace.flagmenu("scenario save other").expect(0)
        workplace.flagmenu("scenario rename other checkout").expect(2)
        workplace.flagmenu("scenario rename checkout payment --json").expect(0, text: #""name": "payment""#)
        #expect(workplace.names(in: "scenarios") == ["other.json", "payment.json"])
        for line in ["scenario show paymnt", "scenario apply paymnt --add", "scenario delete paymnt"] {
            workplace.flagmenu(line).expect(1, errors: #"Did you mean "payment"?"#, comment: line)
        }
        workplace.flagmenu("scenario delete payment --yes").expect(0)
        #expect(workplace.names(in: "scenarios") == ["other.json"])
        workplace.flagmenu("scenario save ../x").expect(2)
    }

    @Test func `deleting asks on a terminal, and needs --yes without one`() {
        saveCheckout()
        workplace.flagmenu("scenario delete checkout").expect(2, errors: "needs --yes", "Nothing was changed.")
        workplace.onTerminal("scenario delete checkout", typing: ["n"]).expect(
            0, text: "Delete checkout? No undo. [y/N]", "Nothing was changed.")
        #expect(workplace.names(in: "scenarios") == ["checkout.json"])
        workplace.onTerminal("scenario delete checkout", typing: ["y"]).expect(0, text: "Deleted checkout.")
        #expect(workplace.names(in: "scenarios").isEmpty)
    }

    @Test func `the applied scenario keeps its badge when it is renamed`() {
        saveCheckout()
        workplace.flagmenu("scenario apply checkout --replace").expect(0)
        workplace.flagmenu("scenario rename checkout payment").expect(0, errors: "Renamed checkout to payment.")
        workplace.flagmenu("status").expect(text: "scenario   payment\n")
        workplace.flagmenu("scenario list").expect(exactly: "payment  1 change  project  applied\n")
    }

    @Test func `undo after a rename takes the scenario back, and says so if it has changed no value`() {
        workplace.flagmenu("set theme light").expect(0)
        workplace.flagmenu("scenario save one").expect(0)
        workplace.flagmenu("scenario apply one --replace").expect(0, errors: "Changes nothing.")
        workplace.flagmenu("scenario rename one two").expect(0)
        workplace.flagmenu("undo").expect(0, errors: "scenario: two -> none\n")
        workplace.flagmenu("status").expect(0, without: "scenario")
        workplace.flagmenu("redo").expect(0, errors: "scenario: none -> two\n")
        workplace.flagmenu("status").expect(text: "scenario   two\n")
    }

    @Test func `notes are not saved in the project's folder unless asked for`() {
        workplace.flagmenu("set theme light --note BUG-1").expect(0)
        workplace.flagmenu("scenario save one").expect(0, errors: "Saved 1 override as one. 1 note is left out")
        workplace.flagmenu("scenario show one").expect(without: "BUG-1")
        workplace.flagmenu("scenario apply one --replace").expect(0, errors: "Changes nothing.")
        workplace.flagmenu("list --overridden --json").expect(text: "BUG-1")
        workplace.flagmenu("scenario save one --force --with-notes").expect(0, without: "left out")
        workplace.flagmenu("scenario show one").expect(text: "BUG-1")
    }

    @Test func `an end that cannot be read leaves its entry out`() {
        write(#""theme": "light", "limit": 7"#, more: #", "ends": {"theme": "soon"}"#, as: "odd")
        workplace.flagmenu("scenario apply odd --replace").expect(
            0, errors: "theme is left out.", "must be a duration such as 2h", "Adds 1.")
        #expect(workplace.flagmenu("get theme limit").text == "dark\n7\n")
        workplace.flagmenu("import scenarios/odd.json").expect(2, errors: "must be a duration such as 2h")
    }

    @Test func `without a project the scenarios are beside the overrides`() {
        let place = Workplace()
        place.write(Documents.shop, to: "shop.json")
        let options = "--source shop.json --store st"
        place.flagmenu("scenario list \(options)").expect(0, exactly: "", errors: "There are no scenarios.")
        place.flagmenu("set theme light \(options)").expect(0)
        place.flagmenu("scenario save one \(options)").expect(0)
        #expect(place.names(in: "st/scenarios") == ["one.json"])
        place.flagmenu("scenario list \(options)").expect(exactly: "one  1 change  here\n")
    }

    @Test func `what is saved fits the schema, which finds mistakes`() throws {
        saveCheckout()
        #expect(workplace.flagmenu("scenario schema").text == ConfigurationSchema.scenario.text() + "\n")
        let schema = try JSONSchemaCheck(ConfigurationSchema.scenario)
        func accepts(_ text: String) throws -> Bool { schema.accepts(try JSONDocument(parsing: Array(text.utf8)).root) }
        #expect(try accepts(#require(workplace.read("scenarios/checkout.json"))))
        let head = #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"a": "1", "b": true, "c": [1]}"#
        let ends = #""ends": {"a": "2h", "b": "restart"}"#
        let contexts = #""contexts": {"x": {"context": {"os": 1}, "conditions": {"Beta": true, "Old": null}}}"#
        #expect(try accepts("\(head), \(ends), \(contexts), \"notes\": {\"a\": \"why\"}}"))
        for mistake in [
            #""note": {"a": "why"}"#, #""ends": {"a": "18:00"}"#, #""ends": {"a": "0h"}"#, #""notes": {"a": 1}"#,
            #""contexts": {"x": {"conditions": {"Beta": "on"}}}"#,
        ] { #expect(try !accepts("\(head), \(mistake)}"), "\(mistake)") }
        #expect(try !accepts(#"{"exportedAt": "x", "overrides": {"a": null}}"#) && !accepts("{}"))
    }
}
