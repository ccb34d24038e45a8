import TestSupport
import Testing

/// Flag files of other tools, read by the built program.
@Suite struct ForeignFileTests {
    private let workplace = Workplace()

    @Test func `a flagd file is read with its variants, and errors name unsupported formats`() {
        workplace.write(
            #"""
            {"flags": {"layout": {"state": "ENABLED", "variants": {"one": "A", "two": "B"}, "defaultVariant": "two",
              "targeting": {"if": [true, "one"]}}}}
            """#, to: "flagd.json")
        #expect(workplace.flagmenu("get layout --source flagd.json").text == "B\n")
        let explanation = workplace.flagmenu("explain layout --source flagd.json").text
        #expect(explanation.contains("default variant two, targeting is not evaluated"), "\(explanation)")
        #expect(workplace.flagmenu("list --source flagd.json --json").text.contains(#""key": "layout""#))
        workplace.write(#"{"a": {"variations": {"on": true}}}"#, to: "goff.json")
        workplace.write("a:\n  variations:\n    on: true\n", to: "goff.yaml")
        for (name, words) in [("goff.json", "GO Feature Flag"), ("goff.yaml", "YAML")] {
            let run = workplace.flagmenu("list --source \(name)")
            #expect(run.status != 0 && run.errorText.contains(words), "\(run.errorText)")
        }
    }

    @Test func `an OpenFeature manifest provides the defaults of an app`() {
        workplace.write(
            #"{"flags": {"checkout": {"flagType": "boolean", "defaultValue": true, "description": "The new checkout"}}}"#,
            to: "manifest.json")
        let run = workplace.flagmenu("explain checkout --defaults manifest.json")
        #expect(
            run.status == 0 && run.text.contains("default") && run.text.contains("true"), "\(run.text)\(run.errorText)")
    }
}
