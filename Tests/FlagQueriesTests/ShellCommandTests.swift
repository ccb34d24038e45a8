import FlagQueries
import Testing

/// Shell commands and their quoting.
@Suite struct ShellCommandTests {
    @Test(arguments: [
        (["a", "b"], "flagmenu set a b"), (["a", ""], "flagmenu set a ''"),
        (["a", "it's"], #"flagmenu set a 'it'\''s'"#),
        (["a", "$(rm -rf ~)"], "flagmenu set a '$(rm -rf ~)'"), (["a", "two\nlines"], "flagmenu set a 'two\nlines'"),
        (["-a", "-5"], "flagmenu set -- -a -5"), (["a", "~"], "flagmenu set a '~'"),
        (["a", "\u{1B}[2J"], #"flagmenu set a "$(printf '\033')"'[2J'"#), (["a", "=b"], "flagmenu set a '=b'"),
        (["a", "x\r\ny"], "flagmenu set a 'x'\"$(printf '\\015')\"'\ny'"), (["a", "日本"], "flagmenu set a '日本'"),
        (["a", "{\"b\": 1}"], "flagmenu set a '{\"b\": 1}'"),
    ])
    func `operands are quoted`(operands: [String], text: String) {
        #expect(ShellCommand("set", operands: operands).text == text)
    }

    @Test func `command with a nul has no text`() {
        #expect(ShellCommand("set", operands: ["a", "\0"]).text == nil)
        #expect(ShellCommand.text([]) == nil)
    }

    @Test func `settings come last unless an operand looks like an option`() {
        let settings = ["--store", "/tmp/a b"]
        #expect(ShellCommand("get", operands: ["k"], settings: settings).text == "flagmenu get k --store '/tmp/a b'")
        #expect(
            ShellCommand("get", operands: ["-k"], settings: settings).text == "flagmenu get --store '/tmp/a b' -- -k")
    }
}
