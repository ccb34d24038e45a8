import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import TestSupport
import Testing

@testable import FlagMenuCLI

/// What the menu reports of preferences while their file changes.
@Suite struct FollowedConfigurationTests {
    private let workplace = Workplace()

    private func configure(_ text: String) {
        workplace.write(text, to: "\(workplace.home)/.config/flagmenu/config.json")
    }

    @Test func `reports tell what is in force now, and who set it`() throws {
        let settings = try workplace.settings()
        let followed = settings.followed
        let reports = MenuReports(try RunStore(settings))
        let theme = { reports.lines(.config).first { $0.hasPrefix("theme") } ?? "" }
        #expect(theme().hasSuffix("the default"))
        configure(#"{"theme": "light"}"#)
        _ = followed.port.readAgain()
        #expect(theme().contains("\"light\"") && theme().hasSuffix("config.json"))
        // The same value, but somebody's own now.
        configure(#"{"theme": "light", "mouse": false}"#)
        #expect(followed.port.readAgain() != nil)
        #expect(reports.lines(.config).contains { $0.hasPrefix("mouse") && $0.hasSuffix("config.json") })
        // A broken file takes nothing away; the doctor tells of it.
        configure(#"{"theme": "#)
        _ = followed.port.readAgain()
        #expect(theme().contains("\"light\""))
        #expect(reports.lines(.doctor).contains { $0.hasPrefix("!   config") })
    }
}
