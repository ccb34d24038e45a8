import TestSupport
import Testing

/// Two processes that step the same flag are so many steps, whoever is first.
@Suite(.mayBlock) struct TogglingAtOnceTests {
    private let workplace = Workplace()

    @Test(.timeLimit(.minutes(10))) func loseNoStep() {
        workplace.write(
            #"{"hue":"red","config_categories":[{"category":"C","items":[{"key":"hue","value":"red|green|blue"}]}]}"#,
            to: "remote.json")
        let run = workplace.shell(
            """
            step() { for i in $(seq 200); do flagmenu toggle hue --source remote.json --store s -q || exit 1; done; }
            step & first=$!
            step & second=$!
            wait $first && wait $second
            """, patience: 280)
        #expect(run.status == 0 && run.words == "")
        #expect(workplace.read("s/history.jsonl")?.split(separator: "\n").count == 400)
        // 400 steps around three options are one step.
        #expect(workplace.flagmenu("get hue --source remote.json --store s").text == "green\n")
    }
}
