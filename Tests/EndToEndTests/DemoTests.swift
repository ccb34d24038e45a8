import Foundation
import TestSupport
import Testing

/// The demo app in one terminal, menus and commands in others. All are the built programs.
@Suite(.serialized, .mayBlock) struct DemoTests {
    private let workplace = Workplace()
    private let source = ["--source", "remote-map.json"]

    init() { workplace.write(RemoteMap.document, to: "remote-map.json") }

    /// Starts the app, and waits for its first screen.
    private func app(
        _ arguments: [String] = [], variables: [String: String?] = [:], showing text: String = "Single Location"
    ) throws -> PseudoTerminal {
        let app = try PseudoTerminal(workplace, source + arguments, variables: variables, program: Workplace.demo)
        try wait(for: text, on: app, since: 0)
        return app
    }

    /// Starts a menu, and waits for its flags.
    private func menu() throws -> PseudoTerminal {
        let menu = try PseudoTerminal(workplace, source)
        try wait(for: "Multiple Locations", on: menu, since: 0)
        return menu
    }

    /// Runs `flagmenu` on the source of the app.
    private func run(_ command: String) -> CommandRun { workplace.flagmenu("\(command) --source remote-map.json") }

    /// The value of the first flag, as a command prints it.
    private var value: String { run("get enable_multiple_locations").text }

    private func expectQuit(_ terminal: PseudoTerminal, _ keys: String = "q") {
        terminal.send(keys.utf8)
        #expect(terminal.wait { $0.exitStatus == 0 })
    }

    /// Waits until the output of a terminal after an offset contains a text.
    ///
    /// - Parameter drained: another terminal whose output is read meanwhile, so that its program does not block.
    /// - Returns: the seconds until the text appeared.
    @discardableResult private func wait(
        for text: String, on terminal: PseudoTerminal, since offset: Int, draining drained: PseudoTerminal? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws -> Double {
        let start = Clock.seconds()
        let hasAppeared = terminal.wait { terminal in
            drained?.receive()
            return String(decoding: terminal.bytes[offset...], as: UTF8.self).contains(text)
        }
        try #require(hasAppeared, "\(text) did not appear", sourceLocation: location)
        return Clock.seconds() - start
    }

    /// Waits until the output of a terminal after an action contains a text.
    ///
    /// - Returns: the seconds until the text appeared, without those of the action.
    @discardableResult private func wait(
        for text: String, on terminal: PseudoTerminal, draining drained: PseudoTerminal? = nil,
        location: SourceLocation = #_sourceLocation, after action: () -> Void
    ) throws -> Double {
        let offset = terminal.bytes.count
        action()
        return try wait(for: text, on: terminal, since: offset, draining: drained, location: location)
    }

    @Test func `toggling a flag in the menu updates the app immediately`() throws {
        let (app, menu) = (try app(), try menu())
        var times: [Double] = []
        // Space overrides the first flag with the other option. A second Space clears the override.
        for round in 0..<10 {
            let shown = round % 2 == 0 ? "Location 10" : "Single Location"
            times.append(try wait(for: shown, on: app, draining: menu) { menu.send(" ".utf8) })
        }
        let median = times.sorted()[times.count / 2]
        if getenv("MEASURE") != nil { print("menu to screen: median \(median * 1_000) ms of \(times.count)") }
        #expect(median <= Clock.medianLimit(0.1), "\(times)")
        #expect(value == "false\n")
        expectQuit(app)
        expectQuit(menu)
    }

    @Test func `a command's change shows immediately on each screen of the app`() throws {
        let app = try app()
        let cases: [(key: String, screen: String?, flag: String, value: String, expected: String)] = [
            ("1", nil, "enable_multiple_locations", "true", "Location 10"),
            ("3", "Items, 42", "maximum_item_count", "10", "maximum_item_count: 42 -> 10 (override)"),
            ("4", "Onboarding, 4", "AWESOME_FEATURE", "false", "AWESOME_FEATURE: true -> false (override)"),
        ]
        for (key, screen, flag, value, expected) in cases {
            // Only changed cells are sent: without this wait the text might arrive in pieces.
            if let screen { try wait(for: screen, on: app) { app.send(key.utf8) } } else { app.send(key.utf8) }
            let time = try wait(for: expected, on: app) { #expect(run("set \(flag) \(value)").status == 0) }
            #expect(time <= Clock.limit(0.1), "\(flag): \(time) s")
        }
        try wait(for: "everything at once", on: app) { #expect(run("reset --all --yes").status == 0) }
    }

    @Test func `an edit of the source file shows in the app, in menus and in commands immediately`() throws {
        let (app, menu, otherMenu) = (try app(), try menu(), try menu())
        var (offsetInMenu, offsetInOther) = (menu.bytes.count, otherMenu.bytes.count)
        let changed = RemoteMap.document.replacing(
            #""enable_multiple_locations": "false""#, with: #""enable_multiple_locations": "true""#)
        let inApp = try wait(for: "Location 10", on: app) { workplace.write(changed, to: "remote-map.json") }
        // A menu reads the file itself, or what another menu or the app has activated before.
        try wait(for: ": 1 value changed", on: menu, since: offsetInMenu, draining: otherMenu)
        try wait(for: ": 1 value changed", on: otherMenu, since: offsetInOther)
        (offsetInMenu, offsetInOther) = (menu.bytes.count, otherMenu.bytes.count)
        #expect(inApp <= Clock.limit(0.1), "\(inApp) s in the app")
        #expect(value == "true\n")
        try wait(for: "Single Location", on: app) {
            #expect(run("set enable_multiple_locations false").status == 0)
        }
        for (menu, offset) in [(menu, offsetInMenu), (otherMenu, offsetInOther)] {
            try wait(for: "1 changed", on: menu, since: offset)
        }
        for terminal in [app, menu, otherMenu] { expectQuit(terminal) }
    }

    @Test func `what the app shows is saved as a scenario, unless its name is taken`() throws {
        #expect(run("set enable_multiple_locations true --store kept").status == 0)
        let app = try app(["--store", "kept"], showing: "Location 10")
        for message in ["1 override saved. Apply: flagmenu scenario apply lunch", "There is a scenario lunch already"] {
            try wait(for: "scenario:", on: app) { app.send("s".utf8) }
            try wait(for: message, on: app) { app.send("lunch\r".utf8) }
            #expect(workplace.names(in: "kept/scenarios") == ["lunch.json"])
        }
        let saved = workplace.read("kept/scenarios/lunch.json")
        #expect(saved?.contains(#""enable_multiple_locations": "true""#) == true, "\(saved ?? "")")
        expectQuit(app, "\u{3}q")
    }

    @Test func `a variant that is chosen and left again leaves no override, and u and x take a variant back`() throws {
        let app = try app()
        try wait(for: "not in use", on: app) { app.send("v".utf8) }
        for keys in ["h\r", "u", "x"] {
            app.send("l\r".utf8)
            #expect(Clock.wait { value == "true\n" }, "\(keys)")
            try wait(for: "remote", on: app) { app.send(keys.utf8) }
            #expect(Clock.wait { run("list --overridden").text == "" }, "\(keys)")
        }
        expectQuit(app)
    }

    @Test func `an override equal to the remote value is reported`() throws {
        let app = try app()
        let offset = app.bytes.count
        #expect(run("set enable_multiple_locations false").status == 0)
        try wait(for: "1 changed", on: app, since: offset)
        try wait(for: "override", on: app, since: offset)
    }

    @Test func `killing the menu or the app leaves the other one running`() throws {
        let (app, menu) = (try app(), try menu())
        try wait(for: "Location 10", on: app, draining: menu) { menu.send(" ".utf8) }
        menu.kill()
        #expect(menu.wait { $0.exitStatus == 128 + 9 })
        try wait(for: "Single Location", on: app) { #expect(run("reset enable_multiple_locations").status == 0) }

        let otherMenu = try self.menu()
        app.kill()
        #expect(app.wait { $0.exitStatus == 128 + 9 })
        try wait(for: "1 changed", on: otherMenu) { otherMenu.send(" ".utf8) }
        #expect(Clock.wait { value == "true\n" })
        let restartedApp = try self.app(showing: "Location 10")
        #expect(run("doctor").status == 0)
        expectQuit(restartedApp)
    }

    @Test func `the embedded menu changes the app and restores its screen`() throws {
        let app = try app()
        try wait(for: "Multiple Locations", on: app) { app.send("d".utf8) }
        try wait(for: "1 changed", on: app) { app.send(" ".utf8) }
        // Even if the window size has changed.
        app.setSize(columns: 60, rows: 20)
        try wait(for: "Location 10", on: app) { app.send("q".utf8) }
        #expect(app.modesOn.contains("1049"), "the app is still on the alternate screen")
        #expect(value == "true\n")
        try wait(for: "Multiple Locations", on: app) { app.send("d".utf8) }
        expectQuit(app, "qq")
        #expect(app.hasSameModes && !app.modesOn.contains("1049"))
    }

    @Test func `keys typed ahead reach the menu and then the app in order`() throws {
        let app = try app()
        app.send("d ".utf8)
        try wait(for: "1 changed", on: app, since: 0)
        #expect(Clock.wait { value == "true\n" })
        expectQuit(app, "jqq")
    }

    @Test func `Ctrl-C in the embedded menu ends the app and restores the terminal`() throws {
        let app = try app()
        try wait(for: "Multiple Locations", on: app) { app.send("d".utf8) }
        app.send([3])
        #expect(app.wait { $0.exitStatus == 0 })
        #expect(app.hasSameModes && !app.modesOn.contains("1049"))
    }

    @Test(arguments: [
        (["COLORTERM": "truecolor"], "48;2;50;205;50"), (["COLORTERM": nil], "48;5;77"),
        (["TERM": "xterm"], "42m"), (["NO_COLOR": "1", "COLORTERM": "truecolor"], "[ Continue ]"),
    ])
    func `the login button has the best colour that the terminal supports`(
        variables: [String: String?], sent: String
    ) throws {
        let app = try app(["--screen", "login"], variables: variables, showing: sent)
        try wait(for: "Continue", on: app, since: 0)
        if variables["NO_COLOR"] != nil { #expect(app.colorSequences == []) }
        expectQuit(app)
    }
}
