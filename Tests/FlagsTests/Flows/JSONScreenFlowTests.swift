import Flags
import Foundation
import Synchronization
import TestSupport
import Testing

private struct LabelConfig: Codable, Equatable { var text: String }

private struct ColorConfig: Codable, Equatable {
    var red: Int
    var green: Int
    var blue: Int
}

private struct ButtonConfig: Codable, Equatable {
    var text: String
    var color: ColorConfig
}

private struct ScreenConfig: Codable, Equatable {
    var label: LabelConfig
    var button: ButtonConfig
}

extension FlagKey<ScreenConfig> {
    fileprivate static let demoScreen = FlagKey(
        json: "demo_screen",
        default: ScreenConfig(
            label: LabelConfig(text: "Welcome to Remote Config Demo (default)"),
            button: ButtonConfig(text: "Continue (default)", color: ColorConfig(red: 50, green: 206, blue: 50))))
}

/// All parameters: a new case does not compile until it has a default.
private enum Parameter: String, CaseIterable {
    case screen = "demo_screen"
    case greeting

    var defaultText: String {
        switch self {
        case .screen: #"{"label":{"text":"L"},"button":{"text":"B","color":{"red":1,"green":2,"blue":3}}}"#
        case .greeting: "default greeting"
        }
    }
}

/// The flows of the article on integrating Remote Config into an iOS app: a screen as JSON, defaults for all, states.
@Suite("JSON screens, defaults and states")
struct JSONScreenFlowTests {
    private static let remote = """
        {"label": {"text": "Welcome to Remote Config Demo"}, \
        "button": {"text": "Continue", "color": {"red": 50, "green": 205, "blue": 50}}}
        """
    private let place = AppPlace()

    @Test func `a screen is decoded from JSON`() {
        let flags = FlagStore.inMemory(["demo_screen": Self.remote])
        let color = ColorConfig(red: 50, green: 205, blue: 50)
        #expect(flags[.demoScreen].label.text == "Welcome to Remote Config Demo")
        #expect(flags[.demoScreen].button == ButtonConfig(text: "Continue", color: color))
    }

    @Test func `a screen without a declared key is decoded by name, and invalid or missing JSON throws`() throws {
        let flags = FlagStore.inMemory(["demo_screen": Self.remote, "greeting": "hi"])
        let screen: ScreenConfig = try flags.json("demo_screen")
        #expect(screen == flags[.demoScreen])
        #expect(throws: FlagReadError.self) { try flags.json("greeting", as: ScreenConfig.self) }
        #expect(throws: FlagReadError.self) { try flags.json("missing", as: ScreenConfig.self) }
    }

    @Test func `without a server the default screen is used`() {
        let flags = place.store()
        #expect(flags[.demoScreen].button.text == "Continue (default)")
        #expect(flags.explain(.demoScreen).winner == .default)
    }

    @Test func `every parameter has a default, and remote values win over it`() {
        let defaults = FlagTable(Parameter.allCases.map { ($0.rawValue, $0.defaultText) }) { first, _ in first }
        let flags = FlagStore(
            app: "shop", defaults: defaults, overrides: .open, announces: false,
            storeDirectory: place.storeDirectory, cacheDirectory: place.cacheDirectory, logger: place.log.logger)
        for parameter in Parameter.allCases {
            #expect(flags.explain(parameter.rawValue).value(in: .default)?.string == parameter.defaultText)
        }
        #expect(flags[.greeting] == "default greeting" && flags[.demoScreen].label.text == "L")
        flags.updateRemote(["demo_screen": Self.remote])
        #expect(flags[.demoScreen].button.text == "Continue" && flags[.greeting] == "default greeting")
    }

    @Test func `invalid remote JSON leaves the default in use and is logged once`() {
        let flags = place.store()
        flags.updateRemote(["demo_screen": #"{"label": {"text": "#])
        for _ in 1...3 { #expect(flags[.demoScreen].label.text == "Welcome to Remote Config Demo (default)") }
        #expect(place.log.lines.filter { $0.contains("demo_screen") }.count == 1)
    }

    @Test func `the status is loading during a fetch, then loaded, and the new screen is rendered`() async {
        let gate = Gate()
        let flags = place.store([FakeSource("remote", ["demo_screen": Self.remote], gate: gate)])
        let (rendered, finished) = AsyncStream.makeStream(of: String.self)
        #expect(flags.remoteStatus == .idle)
        Task {
            await flags.fetchAndActivate()
            finished.yield(flags[.demoScreen].label.text)
        }
        var statuses = flags.remoteStatuses.makeAsyncIterator()
        while await statuses.next() != .loading {}
        #expect(flags[.demoScreen].label.text == "Welcome to Remote Config Demo (default)")
        await gate.open()
        for await text in rendered {
            #expect(text == "Welcome to Remote Config Demo")
            break
        }
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
    }

    @Test func `a failed fetch sets an error status with the reason, and the next successful fetch clears it`() async {
        let source = FakeSource("remote", ["demo_screen": Self.remote])
        source.fail(.unreachable, "the network is down")
        let flags = place.store([source])
        await flags.fetchAndActivate()
        #expect(flags.remoteStatus.issue?.contains("the network is down") == true)
        #expect(flags[.demoScreen].label.text == "Welcome to Remote Config Demo (default)")
        source.respond(["demo_screen": Self.remote])
        await flags.fetchAndActivate()
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()) && flags.issues.isEmpty)
    }

    @Test func `an override switches the screen between variants A and B`() throws {
        let flags = FlagStore.inMemory(["demo_screen": Self.remote])
        var variant = flags[.demoScreen]
        variant.button.text = "Go on"
        try flags.setOverride(.demoScreen, to: variant)
        #expect(flags[.demoScreen] == variant && flags.explain(.demoScreen).winner == .override)
        try flags.clearOverride(.demoScreen)
        #expect(flags[.demoScreen].button.text == "Continue")
    }
}
