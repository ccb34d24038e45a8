import Foundation
import TestSupport
import Testing

/// The app in one terminal, the menu and the command in others, all of them the built programs.
@Suite(.serialized, .mayBlock) struct DemoTests {
    private let workplace = Workplace()
    private let source = ["--source", "remote-map.json"]

    init() { workplace.write(RemoteMap.document, to: "remote-map.json") }

    private func stage(_ arguments: [String] = [], variables: [String: String?] = [:]) throws -> PseudoTerminal {
        try PseudoTerminal(workplace, source + arguments, variables: variables, program: Workplace.demo)
    }

    private func menu() throws -> PseudoTerminal { try PseudoTerminal(workplace, source) }

    /// Waits until what a terminal was sent since a moment holds a text; answers with the seconds that took.
    @discardableResult private func wait(
        for text: String, on stage: PseudoTerminal, since start: Int, besides other: PseudoTerminal? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws -> Double {
        let begin = Clock.seconds()
        let hasCome = stage.wait { stage in
            other?.receive()
            return String(decoding: stage.bytes[start...], as: UTF8.self).contains(text)
        }
        try #require(hasCome, "\(text) did not come", sourceLocation: location)
        return Clock.seconds() - begin
    }

    @Test func `each choice in the menu is on the app's screen at once, and clearing brings the remote value back`()
        throws
    {
        let (stage, menu) = (try stage(), try menu())
        try wait(for: "Single Location", on: stage, since: 0)
        try wait(for: "Multiple Locations", on: menu, since: 0)
        var times: [Double] = []
        // The first flag is the one: Space overrides it with the other option, and once more follows remote again.
        for round in 0..<10 {
            let seen = stage.bytes.count
            menu.send([UInt8(ascii: " ")])
            times.append(
                try wait(for: round % 2 == 0 ? "Location 10" : "Single Location", on: stage, since: seen, besides: menu)
            )
        }
        let median = times.sorted()[times.count / 2]
        if getenv("MEASURE") != nil { print("menu to screen: median \(median * 1_000) ms of \(times.count)") }
        #expect(median <= Clock.medianLimit(0.1), "\(times)")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "false\n")
        stage.send("q".utf8)
        #expect(stage.wait { $0.end == 0 })
        menu.send("q".utf8)
        #expect(menu.wait { $0.end == 0 })
    }

    @Test func `each change by command is on the app's screen at once, whatever screen that is`() throws {
        let stage = try stage()
        try wait(for: "Single Location", on: stage, since: 0)
        let cases: [(key: String, screen: String?, flag: String, value: String, expected: String)] = [
            ("1", nil, "enable_multiple_locations", "true", "Location 10"),
            ("3", "Items, 42", "maximum_item_count", "10", "maximum_item_count: 42 -> 10 (override)"),
            ("4", "Onboarding, 4", "AWESOME_FEATURE", "false", "AWESOME_FEATURE: true -> false (override)"),
        ]
        for (key, screen, flag, value, expected) in cases {
            var seen = stage.bytes.count
            stage.send(key.utf8)
            // Only what differs is sent: were both screens one frame apart, the sentence would not come as a whole.
            if let screen { try wait(for: screen, on: stage, since: seen) }
            seen = stage.bytes.count
            #expect(workplace.flagmenu("set \(flag) \(value) --source remote-map.json").status == 0)
            // The command itself has taken its time already.
            let time = try wait(for: expected, on: stage, since: seen)
            #expect(time <= Clock.limit(0.1), "\(flag): \(time) s")
        }
        let seen = stage.bytes.count
        #expect(workplace.flagmenu("reset --all --yes --source remote-map.json").status == 0)
        try wait(for: "everything at once", on: stage, since: seen)
    }

    @Test func `a remote change is in the app at once, and as soon as it is activated in every menu and script`() throws
    {
        let (stage, menu, other) = (try stage(), try menu(), try menu())
        try wait(for: "Single Location", on: stage, since: 0)
        for menu in [menu, other] { try wait(for: "Multiple Locations", on: menu, since: 0) }
        var (seen, seenInMenu, seenInOther) = (stage.bytes.count, menu.bytes.count, other.bytes.count)
        let changed = RemoteMap.document.replacing(
            #""enable_multiple_locations": "false""#, with: #""enable_multiple_locations": "true""#)
        workplace.write(changed, to: "remote-map.json")
        let inApp = try wait(for: "Location 10", on: stage, since: seen)
        try wait(for: "has changed: 1 value differs", on: menu, since: seenInMenu, besides: other)
        try wait(for: "has changed: 1 value differs", on: other, since: seenInOther)
        (seenInMenu, seenInOther) = (menu.bytes.count, other.bytes.count)
        menu.send("ay".utf8)
        let inOther = try wait(for: "app now uses other remote values", on: other, since: seenInOther, besides: menu)
        try wait(for: "Activated", on: menu, since: seenInMenu)
        #expect(max(inApp, inOther) <= Clock.limit(0.1), "\(inApp) s in the app, \(inOther) s in the other menu")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n")
        seen = stage.bytes.count
        #expect(workplace.flagmenu("set enable_multiple_locations false --source remote-map.json").status == 0)
        try wait(for: "Single Location", on: stage, since: seen)
        for (menu, seen) in [(menu, seenInMenu), (other, seenInOther)] {
            try wait(for: "1 overridden", on: menu, since: seen)
        }
        for terminal in [stage, menu, other] {
            terminal.send("q".utf8)
            #expect(terminal.wait { $0.end == 0 })
        }
    }

    @Test func `an override that changes no value is told all the same`() throws {
        let stage = try stage()
        try wait(for: "Single Location", on: stage, since: 0)
        let seen = stage.bytes.count
        #expect(workplace.flagmenu("set enable_multiple_locations false --source remote-map.json").status == 0)
        try wait(for: "* 1 overridden", on: stage, since: seen)
        try wait(for: "override", on: stage, since: seen)
    }

    @Test func `killing the menu harms the app in no way, and killing the app not the menu`() throws {
        let (stage, menu) = (try stage(), try menu())
        try wait(for: "Single Location", on: stage, since: 0)
        try wait(for: "Multiple Locations", on: menu, since: 0)
        var seen = stage.bytes.count
        menu.send([UInt8(ascii: " ")])
        try wait(for: "Location 10", on: stage, since: seen, besides: menu)
        menu.kill()
        #expect(menu.wait { $0.end == 128 + 9 })
        seen = stage.bytes.count
        #expect(workplace.flagmenu("reset enable_multiple_locations --source remote-map.json").status == 0)
        try wait(for: "Single Location", on: stage, since: seen)

        let other = try self.menu()
        try wait(for: "Multiple Locations", on: other, since: 0)
        stage.kill()
        #expect(stage.wait { $0.end == 128 + 9 })
        seen = other.bytes.count
        other.send([UInt8(ascii: " ")])
        try wait(for: "1 overridden", on: other, since: seen)
        #expect(
            Clock.wait {
                workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n"
            })
        let again = try self.stage()
        try wait(for: "Location 10", on: again, since: 0)
        #expect(workplace.flagmenu("doctor --source remote-map.json").status == 0)
    }

    @Test func `the menu inside the app changes the app, and gives its screen back as it was`() throws {
        let stage = try stage()
        try wait(for: "Single Location", on: stage, since: 0)
        var seen = stage.bytes.count
        stage.send("d".utf8)
        try wait(for: "Multiple Locations", on: stage, since: seen)
        stage.send(" ".utf8)
        try wait(for: "1 overridden", on: stage, since: seen)
        // Also where the window has another size by then.
        stage.setSize(columns: 60, rows: 20)
        seen = stage.bytes.count
        stage.send("q".utf8)
        try wait(for: "Location 10", on: stage, since: seen)
        #expect(stage.modesOn.contains("1049"), "the app's screen is still its own")
        #expect(workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n")
        stage.send("d".utf8)
        seen = stage.bytes.count
        try wait(for: "Multiple Locations", on: stage, since: seen)
        stage.send("qq".utf8)
        #expect(stage.wait { $0.end == 0 })
        #expect(stage.hasSameModes && !stage.modesOn.contains("1049"))
    }

    @Test func `keys that are typed at once reach the menu and then the app, in their order`() throws {
        let stage = try stage()
        try wait(for: "Single Location", on: stage, since: 0)
        stage.send("d ".utf8)
        try wait(for: "* 1 overridden", on: stage, since: 0)
        #expect(
            Clock.wait { workplace.flagmenu("get enable_multiple_locations --source remote-map.json").text == "true\n" }
        )
        stage.send("jqq".utf8)
        #expect(stage.wait { $0.end == 0 })
    }

    @Test func `Ctrl-C in the menu ends the app, and the terminal is as it was`() throws {
        let stage = try stage()
        try wait(for: "Single Location", on: stage, since: 0)
        let seen = stage.bytes.count
        stage.send("d".utf8)
        try wait(for: "Multiple Locations", on: stage, since: seen)
        stage.send([3])
        #expect(stage.wait { $0.end == 0 })
        #expect(stage.hasSameModes && !stage.modesOn.contains("1049"))
    }

    @Test(arguments: [
        (["COLORTERM": "truecolor"], "48;2;50;205;50"), (["COLORTERM": nil], "48;5;77"),
        (["TERM": "xterm"], "42m"), (["NO_COLOR": "1", "COLORTERM": "truecolor"], "[ Continue ]"),
    ])
    func `the login button has its colour, as nearly as the terminal can show it`(
        variables: [String: String?], sent: String
    ) throws {
        let stage = try stage(["--screen", "login"], variables: variables)
        try wait(for: sent, on: stage, since: 0)
        try wait(for: "#32CD32", on: stage, since: 0)
        if variables["NO_COLOR"] != nil { #expect(stage.colorSequences == []) }
        stage.send("q".utf8)
        #expect(stage.wait { $0.end == 0 })
    }
}
