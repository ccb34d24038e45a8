import TestSupport
import Testing

/// Two processes that toggle the same flag at the same time lose no step.
@Suite(.slow, .mayBlock) struct ImmediateToggleTests {
    private let workplace = Workplace()

    @Test(.timeLimit(.minutes(10))) func `concurrent toggles lose no step`() {
        workplace.write(
            #"{"hue":"red","config_categories":[{"category":"C","items":[{"key":"hue","value":"red|green|blue"}]}]}"#,
            to: "remote.json")
        let run = workplace.shell(
            """
            step() { for i in $(seq 200); do flagmenu toggle hue --source remote.json --store s -q || exit 1; done; }
            step & first=$!
            step & second=$!
            wait $first && wait $second
            """, timeout: 280)
        #expect(run.status == 0 && run.errorText == "")
        #expect(workplace.read("s/history.jsonl")?.split(separator: "\n").count == 400)
        // 400 steps through three options are the same as one step.
        #expect(workplace.flagmenu("get hue --source remote.json --store s").text == "green\n")
    }
}
