import TestSupport
import Testing

/// An "é" of one scalar and an "é" of two are two flags for every command.
@Suite struct EquivalentKeysTests {
    private let workplace = Workplace()
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    private func values() -> [String] {
        [composed, decomposed].map { workplace.flagmenu(["get", $0, "--source", "remote.json"]).text }
    }

    @Test func `a command changes the one that was named`() {
        workplace.write(#"{"caf\u00e9": "1", "cafe\u0301": "2"}"#, to: "remote.json")
        #expect(values() == ["1\n", "2\n"])
        func flagmenu(_ arguments: String...) -> Int32 {
            workplace.flagmenu(arguments + ["--source", "remote.json"]).status
        }
        #expect(flagmenu("set", composed, "3") == 0)
        #expect(values() == ["3\n", "2\n"])
        #expect(flagmenu("set", decomposed, "4") == 0)
        #expect(values() == ["3\n", "4\n"])
        #expect(flagmenu("export", "both.json") == 0 && flagmenu("undo") == 0)
        #expect(values() == ["3\n", "2\n"])
        #expect(flagmenu("reset", composed) == 0)
        #expect(values() == ["1\n", "2\n"])
        #expect(flagmenu("import", "both.json") == 0)
        #expect(values() == ["3\n", "4\n"])
        #expect(flagmenu("reset", "--all", "--yes") == 0)
        #expect(values() == ["1\n", "2\n"])
    }
}
