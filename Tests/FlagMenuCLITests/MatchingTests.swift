import TestSupport
import Testing

/// `--matching` on the command line changes only the flags that match.
@Suite struct MatchingTests {
    private static let document = #"""
        {"chat_enabled": "true", "chat_history": "false", "chat_name": "Bo", "child_safety_gate": "true", "theme": "dark",
         "config_categories": [
           {"category": "Talk", "items": [
             {"key": "chat_enabled", "value": "true|false"}, {"key": "chat_history", "value": "true|false"},
             {"key": "chat_name", "value": "Bo|Al"}]},
           {"category": "Care", "items": [
             {"key": "child_safety_gate", "value": "true|false", "title": "Children and talk"}, {"key": "theme"}]}]}
        """#

    @Test func `set and reset with --matching change only matching flags`() {
        let workplace = Workplace()
        workplace.write(Self.document, to: "flags.json")
        workplace.write(#"{"source": "flags.json", "app": "shop"}"#, to: "flagmenu.json")
        var transcript = Transcript(workplace)
        for line in [
            "list --matching CHAT", "list --matching cht", "list --matching cht --json", "list --matching is:foo",
            "list --matching type: --json", "list --overridden", "list --matching chat --overridden",
            "set --matching chat false --dry-run", "set --matching chat false --yes",
            "set --matching chat false --yes", "set --matching cht false --yes", "set --matching layer:foo false --yes",
            "set --matching name false --yes", "reset --matching type:foo --yes", "reset --matching cht --yes",
            "reset --matching chat --yes", "list --stale",
        ] { transcript.run(line) }
        transcript.expectSnapshot("matching")
    }
}
