import FlagModel
import FlagSharing
import TestSupport
import Testing

/// `flagmenu share`, and `flagmenu import` of a text with a shared state.
@Suite struct ShareTests {
    private let workplace = Workplace.shop()

    /// The state of the output of `share`.
    private func state(of run: CommandRun) throws -> SharedState {
        let (states, errors) = SharedState.found(in: run.text)
        #expect(errors.isEmpty)
        return try #require(states.first)
    }

    private func change() {
        workplace.flagmenu("set theme light --note BUG-4711 --for 2h").expect(0)
        workplace.flagmenu("set limit 7").expect(0)
    }

    @Test func `standard output has the string alone, and what leaves is listed first`() throws {
        change()
        let run = workplace.flagmenu("share").expect(
            0, errors: "Shares 2 changes of shop:", "  limit = 7", "  theme = light, for ")
        #expect(run.text.hasPrefix("fm1") && run.text.count(where: \.isWhitespace) == 1)
        let state = try state(of: run)
        #expect(state.entries.values == ["theme": "light", "limit": "7"])
        #expect(state.entries.app == "shop" && state.author == nil && state.entries.notes.isEmpty)
        let full = try self.state(of: workplace.flagmenu("share --with-notes --from Kim"))
        #expect(full.author == "Kim" && full.entries.notes == ["theme": "BUG-4711"])
    }

    @Test func `keys are chosen and left out, and a wrong one shares nothing`() throws {
        change()
        #expect(try state(of: workplace.flagmenu("share theme")).entries.values == ["theme": "light"])
        #expect(try state(of: workplace.flagmenu("share --except theme")).entries.values == ["limit": "7"])
        for line in ["share them", "share --except them", "share ratio"] {
            workplace.flagmenu(line).expect(1, exactly: "", errors: "has no override; nothing was shared.")
        }
        workplace.flagmenu("share theme --except theme").expect(1, exactly: "", errors: "Nothing was shared.")
    }

    @Test func `without changes nothing is shared`() {
        workplace.flagmenu("share").expect(1, exactly: "", errors: "Nothing is changed. Nothing was shared.")
    }

    @Test func `secret flags stay, and are named`() throws {
        change()
        workplace.write(
            Documents.shop.replacing(#""key": "limit""#, with: #""key": "limit", "secret": true"#), to: "shop.json")
        let marked = workplace.flagmenu("share").expect(0, errors: "1 secret flag stays here: limit.")
        #expect(try state(of: marked).entries.values == ["theme": "light"])
        workplace.write(#"{"source": "shop.json", "app": "shop", "secret": "th*"}"#, to: "flagmenu.json")
        workplace.flagmenu("share").expect(
            1, exactly: "", errors: "2 secret flags stay here: limit, theme.", without: "light")
        workplace.flagmenu("scenario save mine").expect(
            0, errors: "The scenario has the values of secret flags: limit, theme.")
        // A file is the tester's own.
        workplace.flagmenu("export").expect(
            0, text: #""theme": "light""#, errors: "The export has the values of secret flags: limit, theme.")
    }

    @Test func `the string is imported from a quoted mail elsewhere`() {
        change()
        let text = workplace.flagmenu("share -q").expect(0, isSilent: true).text
        let other = Workplace.shop()
        let lines = text.indices.filter { text.distance(from: text.startIndex, to: $0) % 60 == 0 }.map { start in
            "> " + text[start...].prefix(60)
        }
        other.write("Kim wrote:\n> Try this:\n\(lines.joined(separator: "\n"))\nThanks\n", to: "mail.txt")
        other.flagmenu("import mail.txt --dry-run").expect(0, errors: "> 1. shop, made ", "theme: dark -> light")
        #expect(other.flagmenu("get theme").text == "dark\n")
        other.flagmenu("import mail.txt").expect(0, errors: "2 overrides changed.")
        #expect(other.flagmenu("get theme limit").text == "light\n7\n")
        other.flagmenu("explain theme").expect(0, text: "ends")
    }

    @Test func `import shows the changes of a shared state on a terminal and asks`() {
        change()
        workplace.write(workplace.flagmenu("share -q").text, to: "state.txt")
        workplace.flagmenu("reset --all --yes").expect(0)
        workplace.onTerminal("import state.txt", typing: ["n"]).expect(0, text: "theme: dark -> light", "[y/N]")
        #expect(workplace.flagmenu("get theme").text == "dark\n")
        workplace.onTerminal("import state.txt", typing: ["y"]).expect(0)
        #expect(workplace.flagmenu("get theme").text == "light\n")
    }

    @Test func `of several states the newest is imported, or the one with a number`() throws {
        func text(_ theme: String, _ seconds: Int64) throws -> String {
            let entries = ImportEntries(values: ["theme": theme], app: "shop")
            return try SharedState(entries, madeAt: FlagTimestamp(seconds: 1_795_000_000 + seconds)).text()
        }
        workplace.write("a \(try text("light", 60))\nb \(try text("high contrast", 0))\n", to: "chat.txt")
        workplace.flagmenu("import chat.txt --dry-run").expect(0, errors: "  1. shop", "> 2. shop", "dark -> light")
        workplace.flagmenu("import chat.txt --state 1").expect(0, errors: "> 1. shop", "dark -> high contrast")
        workplace.flagmenu("import chat.txt --state 3").expect(2, errors: "--state must be from 1 to 2.")
    }

    @Test func `a broken state has its reason, and other texts their own`() {
        change()
        let text = workplace.flagmenu("share -q").text
        workplace.write("See \(text.prefix(60))…\n", to: "cut.txt")
        workplace.flagmenu("import cut.txt").expect(
            2, errors: "The shared state is cut: 53 of its", "Nothing was changed.")
        workplace.write("hello\n", to: "hello.txt")
        workplace.flagmenu("import hello.txt").expect(2, errors: "hello.txt: ", without: "shared state")
    }

    @Test func `unknown keys and invalid values of a state are left out on request`() throws {
        let entries = ImportEntries(values: ["theme": "light", "old_flag": "true", "limit": "ten"], app: "shop")
        workplace.write(try SharedState(entries, madeAt: FlagTimestamp(seconds: 0)).text(), to: "state.txt")
        workplace.flagmenu("import state.txt").expect(3, errors: "old_flag", "Nothing was changed")
        workplace.flagmenu("import state.txt --skip-invalid").expect(0, errors: "theme: dark -> light")
        #expect(workplace.flagmenu("get limit").text == "10\n")
        workplace.flagmenu("import state.txt --save-scenario bug_4711 --dry-run").expect(
            0, errors: "3 changes would be saved as bug_4711.")
        workplace.flagmenu("scenario list").expect(without: "bug_4711")
        workplace.flagmenu("import state.txt --save-scenario bug_4711").expect(
            0, errors: "Saved 3 changes as bug_4711.")
        workplace.flagmenu("scenario list").expect(0, text: "bug_4711")
        workplace.flagmenu("import state.txt --save-scenario bug_4711").expect(2)
    }

    @Test func `entries of a file that cannot be read are named before the others are saved as a scenario`() {
        workplace.write(#"{"theme": "light", "limit": null}"#, to: "file.json")
        workplace.flagmenu("import file.json --save-scenario mine").expect(
            2, errors: #""limit" has no value."#, "1 entry cannot be read. Nothing was saved")
        workplace.flagmenu("import file.json --save-scenario mine --skip-invalid").expect(
            0, errors: #""limit" has no value."#, "Saved 1 change as mine.")
    }

    @Test func `a long string is printed, and a file suggested`() {
        let pairs = (0..<400).map { "\"flag_\($0 &* 7_919 % 1_000)_\($0)\": \"\($0 &* 104_729 % 99_991)\"" }
        workplace.flagmenu("import - --new", input: "{\(pairs.joined(separator: ","))}").expect(0)
        let run = workplace.flagmenu("share").expect(0, errors: "some chats cut long messages", "flagmenu export")
        #expect(run.text.count > 1_024)
        workplace.flagmenu("share --qr").expect(0, errors: "too many for a QR code")
    }

    @Test func `a string that is too long for any code is printed`() {
        var number: UInt32 = 1
        let digits = (0..<200_000).map { _ in
            number = number &* 1_664_525 &+ 1_013_904_223
            return String((number >> 24) % 10)
        }
        workplace.flagmenu("import - --new", input: #"{"long": "\#(digits.joined())"}"#).expect(0)
        let run = workplace.flagmenu("share --qr -q").expect(0, errors: "too many for a QR code")
        #expect(run.text.count > 91_125)
    }

    @Test func `a QR code is on standard error, and JSON has the string`() throws {
        change()
        let run = workplace.flagmenu("share --qr").expect(0, errors: "\u{1B}[38;5;16;48;5;231m", "▄")
        #expect(run.text.hasPrefix("fm1") && !run.text.contains("▄"))
        workplace.flagmenu("share --qr", environment: ["LC_ALL": "C"]).expect(0, errors: "UTF-8 locale")
        let json = workplace.flagmenu("share --json").expect(0, text: #""changes": 2"#, #""secret": []"#)
        #expect(try state(of: json).entries.values.count == 2)
        workplace.flagmenu("share --copy").expect(0, errors: "The string was not copied: no terminal here can copy.")
    }

    @Test func `on a terminal the string is copied`() {
        change()
        workplace.onTerminal("share --copy").expect(0, text: "\u{1B}]52;c;", "Copied through the terminal (OSC 52).")
    }
}
