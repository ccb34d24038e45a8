import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// What the menu reports about preferences while their file changes.
@Suite struct LiveConfigurationTests {
    private let workplace = Workplace()

    @Test func `reports show the value in use and where it is set`() throws {
        let settings = try workplace.settings()
        let liveConfiguration = settings.liveConfiguration
        let menuSettings = MenuSettings(try RunStore(settings))
        let theme = { menuSettings.statusLines(.store).first { $0.hasPrefix("theme") } ?? "" }
        #expect(theme().hasSuffix("the default"))
        workplace.configure(#"{"theme": "light"}"#)
        _ = liveConfiguration.port.readAgain()
        #expect(theme().contains("\"light\"") && theme().hasSuffix("config.json"))
        // The same value, but now set by the user.
        workplace.configure(#"{"theme": "light", "mouse": false}"#)
        #expect(liveConfiguration.port.readAgain() != nil)
        #expect(menuSettings.statusLines(.store).contains { $0.hasPrefix("mouse") && $0.hasSuffix("config.json") })
        // A broken file changes nothing. doctor reports it.
        workplace.configure(#"{"theme": "#)
        _ = liveConfiguration.port.readAgain()
        #expect(theme().contains("\"light\""))
        #expect(menuSettings.statusLines(.checks).contains { $0.hasPrefix("!   config") })
    }
}
