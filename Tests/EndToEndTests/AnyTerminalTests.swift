import Foundation
import TestSupport
import Testing

/// Terminals that cannot show the menu, or only part of it.
@Suite(.slow, .mayBlock) struct AnyTerminalTests {
    private let workplace = Workplace()

    @Test func `without a terminal a missing source file is an error`() {
        workplace.flagmenu(["--source", "nosuch.json"]).expect(2, errors: "nosuch.json: no such file")
    }

    @Test(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason))
    func `the menu opens on overrides without its source file, and shows the error`() throws {
        #expect(workplace.flagmenu("set local true --new --source nosuch.json").status == 0)
        let window = try TerminalWindow(workplace, "flagmenu --source nosuch.json")
        try window.wait(for: "nosuch.json: no such file", "local", "1 changed")
        try window.press("x", showing: "nothing changed", "u undo")
        #expect(workplace.flagmenu("list --overridden --source nosuch.json").text == "")
    }

    /// A container often has no locale.
    @Test(
        .enabled(if: TerminalWindow.isPossible, TerminalWindow.reason),
        arguments: [
            ["LC_ALL": "nosuch.UTF-8"], ["LC_ALL": "", "LC_CTYPE": "xx_XX.utf8"], ["LC_ALL": nil, "LANG": "xx.UTF8"],
            ["LC_ALL": nil], ["LC_ALL": ""],
        ])
    func `with a UTF-8 locale that is not installed, or none, the screen is UTF-8`(variables: [String: String?]) throws
    {
        workplace.write(#"{"grün": "€ ş", "on": "true"}"#, to: "remote.json")
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json", variables: variables)
        try window.press("Down", showing: "> ●  on", "grün", "€ ş")
    }

    @Test(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason))
    func `in a Chinese locale, symbols are ASCII and texts are not`() throws {
        workplace.write(#"{"日本": "€ ş", "on": "true"}"#, to: "remote.json")
        let window = try TerminalWindow(
            workplace, "flagmenu --source remote.json", variables: ["LC_ALL": "zh_CN.UTF-8"])
        try window.press("Down", showing: "> x  on", "日本", "€ ş")
    }

    @Test(
        .enabled(if: TerminalWindow.isPossible, TerminalWindow.reason),
        arguments: [["LC_ALL": "C"], ["LC_ALL": "POSIX"], ["LC_ALL": "nosuch"]])
    func `without a UTF-8 locale the screen is all ASCII`(variables: [String: String?]) throws {
        workplace.write(#"{"grün": "€ ş", "on": "true"}"#, to: "remote.json")
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json", variables: variables)
        try window.wait(for: "grun", "? s")
        try window.press("?", showing: "Most used")
        #expect(window.text.unicodeScalars.allSatisfy { $0.isASCII }, "\(window.text)")
    }

    @Test(
        .enabled(if: TerminalWindow.isPossible, TerminalWindow.reason),
        arguments: ["NO_COLOR=1 flagmenu", "flagmenu --no-color", "NO_COLOR= flagmenu"])
    func `NO_COLOR and --no-color turn colours off, an empty NO_COLOR does not`(script: String) throws {
        // Start the recording before the menu.
        let window = try TerminalWindow(workplace, "read line; \(script)")
        window.record(to: "bytes")
        #expect(Clock.wait { workplace.read("bytes") != nil })
        window.press("Enter")
        try window.wait(for: "Multiple locations")
        try window.press("Space", showing: "1 changed")
        let bytes = workplace.read("bytes") ?? ""
        #expect(bytes.contains("Multiple"))
        let colours = bytes.matches(of: #/\x1B\[(?:\d+;)*(?:3[0-7]|4[0-7]|38;5;\d+|48;5;\d+|9[0-7])(?:;\d+)*m/#)
        #expect(colours.isEmpty == !script.hasPrefix("NO_COLOR= "), "\(colours.map(\.output))")
    }
}
