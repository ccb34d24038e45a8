import Foundation
import TestSupport
import Testing

/// The demo app in one terminal, menus and commands in others. All are the built programs.
@Suite(.serialized, .mayBlock) struct DemoTests {
    private let workplace = Workplace()
    private let source = ["--source", "remote-map.json"]

    init() { workplace.write(RemoteMap.document, to: "remote-map.json") }

    private func app(_ arguments: [String] = [], variables: [String: String?] = [:]) throws -> PseudoTerminal {
        try PseudoTerminal(workplace, source + arguments, variables: variables, program: Workplace.demo)
    }

    private func menu() throws -> PseudoTerminal { try PseudoTerminal(workplace, source) }

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

    @Test func `toggling a flag in the menu updates the app immediately`() throws {
        let (app, menu) = (try app(), try menu())
        try wait(for: "Single Location", on: app, since: 0)
        try wait(for: "Multiple Locations", on: menu, since: 0)
        var times: [Double] = []
        // Space overrides the first flag with the other option. A second Space clears the override.
        for round in 0..<10 {
            let offset = app.bytes.count
            menu.send([UInt8(ascii: " ")])
            times.append(
                try wait(
                    for: round % 2 == 0 ? "Location 10" : "Single Location", on: app, since: offset, draining: menu)
            )
        }
        let median = times.sorted()[times.count / 2]
        if getenv("MEASURE") != nil { print("menu to screen: median \(median * 1_000) ms of \(times.count)") }
        #expect(median <= Clock.medianLimit(0.1), "\(times)")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "false\n")
        app.send("q".utf8)
        #expect(app.wait { $0.exitStatus == 0 })
        menu.send("q".utf8)
        #expect(menu.wait { $0.exitStatus == 0 })
    }

    @Test func `a command's change shows immediately on each screen of the app`() throws {
        let app = try app()
        try wait(for: "Single Location", on: app, since: 0)
        let cases: [(key: String, screen: String?, flag: String, value: String, expected: String)] = [
            ("1", nil, "enable_multiple_locations", "true", "Location 10"),
            ("3", "Items, 42", "maximum_item_count", "10", "maximum_item_count: 42 -> 10 (override)"),
            ("4", "Onboarding, 4", "AWESOME_FEATURE", "false", "AWESOME_FEATURE: true -> false (override)"),
        ]
        for (key, screen, flag, value, expected) in cases {
            var offset = app.bytes.count
            app.send(key.utf8)
            // Only changed cells are sent: without this wait the text might arrive in pieces.
            if let screen { try wait(for: screen, on: app, since: offset) }
            offset = app.bytes.count
            #expect(workplace.flagmenu("set \(flag) \(value) --source remote-map.json").status == 0)
            // The time of the command itself is not counted.
            let time = try wait(for: expected, on: app, since: offset)
            #expect(time <= Clock.limit(0.1), "\(flag): \(time) s")
        }
        let offset = app.bytes.count
        #expect(workplace.flagmenu("reset --all --yes --source remote-map.json").status == 0)
        try wait(for: "everything at once", on: app, since: offset)
    }

    @Test func `an edit of the source file shows in the app, in menus and in commands immediately`() throws {
        let (app, menu, otherMenu) = (try app(), try menu(), try menu())
        try wait(for: "Single Location", on: app, since: 0)
        for menu in [menu, otherMenu] { try wait(for: "Multiple Locations", on: menu, since: 0) }
        var (offset, offsetInMenu, offsetInOther) = (app.bytes.count, menu.bytes.count, otherMenu.bytes.count)
        let changed = RemoteMap.document.replacing(
            #""enable_multiple_locations": "false""#, with: #""enable_multiple_locations": "true""#)
        workplace.write(changed, to: "remote-map.json")
        let inApp = try wait(for: "Location 10", on: app, since: offset)
        // A menu reads the file itself, or what another menu or the app has activated before.
        try wait(for: ": 1 value changed", on: menu, since: offsetInMenu, draining: otherMenu)
        try wait(for: ": 1 value changed", on: otherMenu, since: offsetInOther)
        (offsetInMenu, offsetInOther) = (menu.bytes.count, otherMenu.bytes.count)
        #expect(inApp <= Clock.limit(0.1), "\(inApp) s in the app")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n")
        offset = app.bytes.count
        #expect(workplace.flagmenu("set enable_multiple_locations false --source remote-map.json").status == 0)
        try wait(for: "Single Location", on: app, since: offset)
        for (menu, offset) in [(menu, offsetInMenu), (otherMenu, offsetInOther)] {
            try wait(for: "1 changed", on: menu, since: offset)
        }
        for terminal in [app, menu, otherMenu] {
            terminal.send("q".utf8)
            #expect(terminal.wait { $0.exitStatus == 0 })
        }
    }

    @Test func `an override equal to the remote value is reported`() throws {
        let app = try app()
        try wait(for: "Single Location", on: app, since: 0)
        let offset = app.bytes.count
        #expect(workplace.flagmenu("set enable_multiple_locations false --source remote-map.json").status == 0)
        try wait(for: "1 changed", on: app, since: offset)
        try wait(for: "override", on: app, since: offset)
    }

    @Test func `killing the menu or the app leaves the other one running`() throws {
        let (app, menu) = (try app(), try menu())
        try wait(for: "Single Location", on: app, since: 0)
        try wait(for: "Multiple Locations", on: menu, since: 0)
        var offset = app.bytes.count
        menu.send([UInt8(ascii: " ")])
        try wait(for: "Location 10", on: app, since: offset, draining: menu)
        menu.kill()
        #expect(menu.wait { $0.exitStatus == 128 + 9 })
        offset = app.bytes.count
        #expect(workplace.flagmenu("reset enable_multiple_locations --source remote-map.json").status == 0)
        try wait(for: "Single Location", on: app, since: offset)

        let otherMenu = try self.menu()
        try wait(for: "Multiple Locations", on: otherMenu, since: 0)
        app.kill()
        #expect(app.wait { $0.exitStatus == 128 + 9 })
        offset = otherMenu.bytes.count
        otherMenu.send([UInt8(ascii: " ")])
        try wait(for: "1 changed", on: otherMenu, since: offset)
        #expect(
            Clock.wait {
                workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n"
            })
        let restartedApp = try self.app()
        try wait(for: "Location 10", on: restartedApp, since: 0)
        #expect(workplace.flagmenu("doctor --source remote-map.json").status == 0)
    }

    @Test func `the embedded menu changes the app and restores its screen`() throws {
        let app = try app()
        try wait(for: "Single Location", on: app, since: 0)
        var offset = app.bytes.count
        app.send("d".utf8)
        try wait(for: "Multiple Locations", on: app, since: offset)
        app.send(" ".utf8)
        try wait(for: "1 changed", on: app, since: offset)
        // Even if the window size has changed.
        app.setSize(columns: 60, rows: 20)
        offset = app.bytes.count
        app.send("q".utf8)
        try wait(for: "Location 10", on: app, since: offset)
        #expect(app.modesOn.contains("1049"), "the app is still on the alternate screen")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n")
        app.send("d".utf8)
        offset = app.bytes.count
        try wait(for: "Multiple Locations", on: app, since: offset)
        app.send("qq".utf8)
        #expect(app.wait { $0.exitStatus == 0 })
        #expect(app.hasSameModes && !app.modesOn.contains("1049"))
    }

    @Test func `keys typed ahead reach the menu and then the app in order`() throws {
        let app = try app()
        try wait(for: "Single Location", on: app, since: 0)
        app.send("d ".utf8)
        try wait(for: "1 changed", on: app, since: 0)
        #expect(
            Clock.wait { workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n" }
        )
        app.send("jqq".utf8)
        #expect(app.wait { $0.exitStatus == 0 })
    }

    @Test func `Ctrl-C in the embedded menu ends the app and restores the terminal`() throws {
        let app = try app()
        try wait(for: "Single Location", on: app, since: 0)
        let offset = app.bytes.count
        app.send("d".utf8)
        try wait(for: "Multiple Locations", on: app, since: offset)
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
        let app = try app(["--screen", "login"], variables: variables)
        try wait(for: sent, on: app, since: 0)
        try wait(for: "Continue", on: app, since: 0)
        if variables["NO_COLOR"] != nil { #expect(app.colorSequences == []) }
        app.send("q".utf8)
        #expect(app.wait { $0.exitStatus == 0 })
    }
}
