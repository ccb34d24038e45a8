import FlagModel
import Flags
import TerminalUI
import TestSupport
import Testing

@testable import FlagMenuDemo

/// The effects of keys and updates on the stage.
@Suite struct StageStateTests {
    @Test func `digits, Tab and arrows switch screens and wrap around`() {
        #expect(StageDriver().pressing("3").state.screen == .items)
        #expect(StageDriver().pressing("<tab>").state.screen == .login)
        #expect(StageDriver().pressing("<right><right><right><right>").state.screen == .location)
        #expect(StageDriver().pressing("<left>").state.screen == .onboarding)
        #expect(StageDriver().pressing("<backtab>").state.screen == .onboarding)
    }

    @Test func `d opens the menu, f fetches, and neither changes the screen`() {
        let before = StageDriver()
        for (key, effect) in [("d", StageEffect.openMenu), ("f", .fetch), ("<c-z>", .suspend), ("<c-l>", .repaint)] {
            let after = before.pressing(key)
            #expect(after.effects == [effect], "\(key)")
            #expect(after.state == before.state, "\(key)")
        }
    }

    @Test func `a changed flag is read before the screen changes`() {
        var stage = StageDriver()
        let before = stage.state
        stage.take(.flagsChanged("a: b -> c"))
        #expect(stage.effects == [.readFlags(sentence: "a: b -> c")])
        #expect(stage.state == before)
    }

    @Test func `the next key removes the message`() throws {
        var stage = StageDriver()
        stage.take(.flagsRead(try #require(stage.state.updates), sentence: "a: b -> c"))
        #expect(stage.text.contains("a: b -> c"))
        stage.press("j")
        #expect(!stage.text.contains("a: b -> c"))
    }

    @Test func `clearing an override shows the remote value again`() {
        var stage = StageDriver(overrides: [("enable_multiple_locations", "true")])
        #expect(stage.text.contains("Location 10") && stage.text.contains("1 changed"))
        #expect(stage.text.contains("* enable_multiple_locations · override · true"))
        stage.clear()
        #expect(stage.text.contains("Single Location") && !stage.text.contains("overridden"))
        #expect(stage.text.contains("enable_multiple_locations · remote · false"))
    }

    @Test func `the selected line moves into a list that becomes shorter`() {
        var stage = StageDriver(overrides: [("enable_multiple_locations", "true")]).pressing("jjjjj")
        #expect(stage.state.line == 5)
        stage.clear()
        #expect(stage.state.line == 0)
        #expect(StageDriver().pressing("kkk").state.line == 0)
    }

    @Test func `q closes the help first, and Escape closes the variants`() {
        let help = StageDriver().pressing("?q")
        #expect(help.state.helpLine == nil && !help.state.isFinished)
        #expect(help.pressing("q").state.isFinished)
        #expect(!StageDriver().pressing("v<esc>").state.isSideBySide)
    }

    @Test func `the variant in use is the one that its flag names`() {
        let stage = StageDriver(.login, overrides: [("login_variant", "B")]).pressing("v")
        let lines = stage.text.split(separator: "\n")
        #expect(lines.contains { $0.contains("not in use") && $0.hasSuffix("in use") && !$0.hasSuffix("not in use") })
        #expect(stage.state.chosenVariant == 1, "the variant in use is chosen first")
        #expect(stage.text.contains("* login_variant · override · B") && stage.text.contains("login_screen · remote"))
    }

    @Test func `arrows choose a variant and Enter applies it`() {
        var stage = StageDriver(.login).pressing("v<right><enter>")
        #expect(stage.effects == [.applyVariant(.login, 1)])
        stage.press("<left><left><enter>")
        #expect(stage.effects == [.applyVariant(.login, 0)])
        #expect(
            StageDriver(.login).pressing("<enter>").effects == [], "Enter does nothing while the variants are hidden")
        #expect(StageDriver(.login).pressing("<right>").state.screen == .items)
        stage.take(.effectEnded("! No."))
        #expect(stage.text.contains("! No."))
    }

    @Test func `u undoes, and x resets the flags of the screen if one has an override`() {
        #expect(StageDriver().pressing("u").effects == [.undo])
        let stage = StageDriver(.login, overrides: [("login_variant", "B")]).pressing("x")
        #expect(stage.effects == [.reset(.login)])
        let other = stage.pressing("1x")
        #expect(other.effects == [] && other.text.contains("No flag of this screen has an override."))
    }

    @Test func `the applied scenario is beside the sources`() {
        #expect(StageDriver(scenario: "black-friday +1").text.contains("fetched · scenario black-friday +1"))
        #expect(!StageDriver().text.contains("scenario"))
    }

    @Test func `a narrow screen names every flag of the screen`() {
        for screen in StageScreen.allCases {
            let lines = StageDriver(screen, columns: 40, rows: 12).text.split(separator: "\n")
            #expect(lines.contains { line in screen.keys.allSatisfy(line.contains) }, "\(screen)")
        }
        let marked = StageDriver(.items, columns: 40, rows: 12, overrides: [("maximum_item_count", "10")])
        #expect(marked.text.contains("* maximum_item_count  item_price_factor"))
    }

    @Test func `s asks for a name, and Enter saves what is shown as a scenario of that name`() {
        var stage = StageDriver(.login, overrides: [("login_variant", "B")]).pressing("sdq2<backspace>")
        #expect(stage.state.scenarioName == "dq" && stage.state.screen == .login, "keys are letters of the name")
        #expect(stage.text.contains("Name the scenario: dq   enter save"))
        #expect(stage.state.view.cursor == Position(row: 23, column: 22))
        stage.take(.keyPressed(.paste("-1")))
        stage.press("<enter>")
        #expect(stage.effects == [.saveScenario("dq-1")])
        stage.take(.effectEnded("! There is a scenario dq-1 already."))
        #expect(stage.state.scenarioName == "dq-1", "another name can be typed")
        #expect(stage.text.contains("dq-1 already"))
        stage.take(.scenarioSaved("1 override saved."))
        #expect(stage.state.scenarioName == nil && stage.text.contains("1 override saved."))
        #expect(stage.pressing("s").pressing("<backspace>").state.scenarioName == "")
        for key in ["<esc>", "<c-c>"] {
            let cancelled = stage.pressing("sx\(key)")
            #expect(cancelled.state.scenarioName == nil && !cancelled.state.isFinished && cancelled.effects == [])
        }
    }

    @Test func `Ctrl-C in the menu ends the app, and closing the menu does not`() {
        var stage = StageDriver()
        stage.take(.menuClosed(isInterrupted: false, reason: nil))
        #expect(!stage.state.isFinished)
        stage.take(.menuClosed(isInterrupted: true, reason: nil))
        #expect(stage.state.isFinished)
    }

    @Test func `each key has one meaning, and every screen has a digit`() {
        let keys = StageBinding.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for screen in StageScreen.allCases { #expect(StageBinding.all.contains { $0.action == .show(screen) }) }
    }

    @Test func `every screen fits its frame at every size`() {
        for columns in [1, 39, 40, 41, 59, 69, 70, 80, 200] {
            for rows in [1, 9, 10, 15, 16, 24, 60] {
                for screen in StageScreen.allCases {
                    for keys in ["", "v", "?", "s\(String(repeating: "long-name-", count: 6))"] {
                        let stage = StageDriver(screen, columns: columns, rows: rows).pressing(keys)
                        let lines = stage.state.plainLines
                        #expect(lines.count <= rows && lines.allSatisfy { DisplayText.width($0) <= columns })
                    }
                }
            }
        }
    }
}
