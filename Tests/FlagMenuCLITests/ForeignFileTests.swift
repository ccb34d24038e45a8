import TestSupport
import Testing

/// Flag files of other tools, read by the built program.
@Suite struct ForeignFileTests {
    private let workplace = Workplace()

    @Test func `files of GO Feature Flag are read with their variants, also in YAML`() {
        workplace.write(#"{"a": {"variations": {"on": "x"}, "defaultRule": {"variation": "on"}}}"#, to: "goff.json")
        workplace.write("a:\n  variations:\n    on: x\n  defaultRule:\n    variation: on\n", to: "goff.yaml")
        for name in ["goff.json", "goff.yaml"] {
            workplace.flagmenu("get a --source \(name)").expect(exactly: "x\n")
        }
    }

    @Test func `an error names an unsupported format, and several warnings are one line`() {
        workplace.write(#"{"splits": [{"name": "a", "trafficTypeName": "user"}], "till": 1}"#, to: "split.json")
        #expect(workplace.flagmenu("list --source split.json").expect(errors: "Split").status != 0)
        workplace.write(#"[{"category": "A", "items": [1, {"key": "a"}, 2]}]"#, to: "catalog.json")
        #expect(workplace.flagmenu("list --source catalog.json").errorText.contains("2 warnings, see flagmenu doctor"))
        #expect(workplace.flagmenu("doctor --source catalog.json").text.contains("line 1, column 30"))
    }

    @Test func `warnings of defaults are printed as those of any document`() {
        workplace.write(
            """
            <defaultsMap><entry><key>a</key></entry><entry><value>1</value></entry>
            <entry><key>b</key><value>1</value></entry></defaultsMap>
            """, to: "defaults.xml")
        for option in ["--source", "--defaults"] {
            workplace.flagmenu("list \(option) defaults.xml").expect(errors: "2 warnings, see flagmenu doctor")
            workplace.flagmenu("doctor \(option) defaults.xml").expect(
                text: "an entry without a key and a value was left out")
        }
    }

    @Test func `get reads a value as a type`() {
        workplace.write(#"{"a": "yes", "b": "5"}"#, to: "values.json")
        #expect(workplace.flagmenu("get a --type bool --source values.json").text == "true\n")
        #expect(workplace.flagmenu("get a --source values.json").text == "yes\n")
        workplace.flagmenu("get b --type bool --source values.json").expect(3, errors: "Not a bool")
    }

    @Test func `JSON in a text flag is checked as JSON, and --any sets it as text`() {
        workplace.write(
            #"{"parameters": {"list": {"defaultValue": {"value": "[1]"}, "valueType": "STRING"}}}"#, to: "template.json"
        )
        workplace.flagmenu("set list [{ --source template.json").expect(3, errors: "--any")
        #expect(workplace.flagmenu("set list [{ --any --source template.json").status == 0)
        #expect(workplace.flagmenu("get list --source template.json").text == "[{\n")
    }
}
