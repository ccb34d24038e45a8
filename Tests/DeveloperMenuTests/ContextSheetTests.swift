import FlagModel
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The sheet of what sources are evaluated for, and by which conditions.
@Suite struct ContextSheetTests {
    @Test func theKeyWorksOnlyWhereSomethingIsEvaluated() {
        var menu = MenuDriver()
        menu.press("c")
        #expect(menu.state.mode == .list)
        #expect(menu.message == "No source here uses a context or has conditions.")
        #expect(!menu.lines[23].contains("context"))
        var evaluated = ContextSample.menu(columns: 120)
        #expect(evaluated.lines.last?.contains("c context") == true)
        // With an override to clear and to undo there is the least room.
        let narrow = ContextSample.menu(columns: 80, overrides: ["menu": "carte"])
        for word in ["x clear", "c context", ": actions", "? help", "q quit"] {
            #expect(narrow.lines.last?.contains(word) == true, "\(narrow.lines.last ?? "")")
        }
        evaluated.press("c")
        #expect(evaluated.state.mode.part == .context)
    }

    @Test func aConditionIsDecidedOnOffAndByItsRule() {
        var menu = ContextSample.menu()
        func change(_ id: RequestID, _ edit: ContextEdit) -> [Effect] {
            [.changeContext(id: id, ContextChange(source: "shop.json", edits: [edit]))]
        }
        #expect(menu.effects(of: "cG<space>") == change(1, .decide(condition: "beta", holds: true)))
        #expect(menu.value("menu") == "beta")
        #expect(menu.message == "1 remote value changed.")
        #expect(menu.effects(of: "<enter>") == change(2, .decide(condition: "beta", holds: false)))
        #expect(menu.value("menu") == "standard")
        #expect(menu.effects(of: " ") == change(3, .leaveToRule(condition: "beta", isDecidedByProject: false)))
        #expect(menu.message == "No remote value changed.")
        #expect(menu.state.mode.part == .context, "the sheet stays open")
    }

    @Test func pressedTwiceBeforeTheAnswerItStepsTwice() {
        var menu = ContextSample.menu()
        menu.evaluate = nil
        let effects = menu.effects(of: "cG  ")
        #expect(
            effects
                == [(1, true), (2, false)].map { id, holds in
                    .changeContext(
                        id: id, ContextChange(source: "shop.json", edits: [.decide(condition: "beta", holds: holds)]))
                })
        #expect(menu.lines.contains { $0.contains("off, by hand") })
        var own = OwnContext()
        own.apply(.decide(condition: "beta", holds: true))
        menu.happens(.remote(.context(.changed(id: 1, ContextSample.news(own), notice: nil))))
        #expect(menu.lines.contains { $0.contains("off, by hand") }, "the answer to the second one is still to come")
        own.apply(.decide(condition: "beta", holds: false))
        menu.happens(.remote(.context(.changed(id: 2, ContextSample.news(own), notice: nil))))
        #expect(menu.state.remote.evaluations == ContextSample.news(own).evaluations)
    }

    @Test func aMemberIsEditedOnALine() {
        var menu = ContextSample.menu()
        menu.press("c<enter>")
        #expect(menu.lines.contains { $0.contains("> DE") })
        menu.press("<c-u>FR<enter>")
        #expect(menu.value("menu") == "carte")
        #expect(menu.state.mode.part == .context)
        #expect(menu.state.remote.evaluations[0].context?.map(\.value) == [#""FR""#])
        menu.press("<enter><esc>")
        #expect(menu.state.mode.part == .context, "back to where the line was opened from")
    }

    @Test func aMemberIsAddedWithItsNameAndTakenBack() {
        var menu = ContextSample.menu()
        menu.press("cafoo<enter>")
        #expect(menu.lines.contains { $0.contains("Write the name, the sign = and the value") })
        menu.press("<c-u>plan=gold=1<enter>")
        #expect(menu.state.remote.evaluations[0].context?.map(\.text) == ["DE", "gold=1"])
        menu.press("gjx")
        #expect(menu.state.remote.evaluations[0].context?.map(\.name) == ["country"])
        menu.press("kx")
        #expect(menu.state.remote.evaluations[0].context?.map(\.value) == [nil], "what is the project's is left out")
        menu.press("x")
        #expect(menu.state.remote.evaluations[0].context?.map(\.text) == ["DE"], "and back")
    }

    @Test func signalsThatConditionsGoByAreSuggested() {
        var menu = ContextSample.menu()
        menu.press("ca<down>")
        #expect(menu.lines.contains { $0.contains("plan=") && $0.contains("used by beta") })
        #expect(!menu.lines.contains { $0.contains("country=") && $0.contains("goes by it") }, "it is there already")
    }

    @Test func everythingIsTakenBackAtOnce() {
        var menu = ContextSample.menu()
        menu.press("cR")
        #expect(menu.message == "Nothing was changed here.")
        menu.press("G ")
        #expect(menu.effects(of: "R") == [.changeContext(id: 2, ContextChange(source: "shop.json", edits: [.reset]))])
        #expect(menu.value("menu") == "standard" && !menu.state.remote.evaluations[0].isChanged)
    }

    @Test func whatWasDoneHasACommand() {
        var menu = ContextSample.menu()
        menu.press("cG ")
        #expect(ShellCommand.text(menu.state.lastCommands) == "flagmenu context --condition beta=on")
        menu.press("g<enter><c-u>FR<enter>")
        #expect(ShellCommand.text(menu.state.lastCommands) == "flagmenu context country=FR")
    }

    @Test func whereNothingMayBeChangedNothingIs() {
        var menu = ContextSample.menu()
        var preferences = Preferences.standard
        preferences.isReadOnly = true
        menu.happens(.settings(.preferencesRead(preferences, errors: [])))
        #expect(menu.effects(of: "cG ").isEmpty)
        #expect(menu.message?.hasPrefix("Read-only") == true)
    }

    @Test func aRefusalLeavesEverythingAsItWas() {
        var menu = ContextSample.menu()
        menu.evaluate = { id, _ in .refused(id: id, reason: "The disk is full.") }
        menu.press("cG ")
        #expect(menu.message == "The disk is full." && menu.value("menu") == "standard")
        #expect(menu.state.remote.evaluations == ContextSample.news(OwnContext()).evaluations)
        #expect(menu.state.isSettled)
    }

    @Test func aContextWithoutValuesKeepsThoseOfBefore() {
        var menu = ContextSample.menu()
        menu.evaluate = { id, _ in .withoutValues(id: id, errors: ["shop: refused."], evaluations: []) }
        menu.press("cG ")
        #expect(menu.value("menu") == "standard")
        #expect(menu.state.remote.errors == ["shop: refused."])
        #expect(menu.message == "Saved, but it has no values yet; earlier ones are shown.")
        #expect(menu.state.mode == .list)
    }

    @Test func valuesOfBeforeStayUntilTheServiceHasAnswered() {
        var menu = ContextSample.menu()
        var own = OwnContext()
        own.apply(.decide(condition: "beta", holds: true))
        let news = ContextSample.news(own)
        menu.evaluate = { id, _ in .awaited(id: id, news.evaluations, notice: nil) }
        menu.press("cG ")
        #expect(menu.state.remote.evaluations == news.evaluations && menu.value("menu") == "standard")
        #expect(menu.message == "Saved. Fetching its values." && menu.state.isSettled)
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.remote(.activated(news, by: .fetch(id: 0))))
        #expect(menu.value("menu") == "beta" && menu.state.remote.evaluations == news.evaluations)
        #expect(menu.message == "1 remote value changed.")
        menu.press(" ")
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop: refused."])))
        #expect(menu.value("menu") == "beta")
        #expect(menu.message == "Saved, but it has no values yet; earlier ones are shown.")
        // It says so for as long as it is so.
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.state.notice == .problem("shop: refused.", remedy: "f fetch"))
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop: gone."])))
        let former = "The values shown are for the previous context."
        #expect(menu.state.notice == .problem("\(former) shop: gone.", remedy: "f fetch"))
        menu.happens(.remote(.activated(news, by: .fetch(id: 0))))
        #expect(menu.state.notice == nil)
    }

    @Test func aFetchForAContextThatIsCancelledLeavesTheValuesOfBefore() {
        var menu = ContextSample.menu()
        var own = OwnContext()
        own.apply(.decide(condition: "beta", holds: true))
        let news = ContextSample.news(own)
        menu.evaluate = { id, _ in .awaited(id: id, news.evaluations, notice: nil) }
        menu.press("cG <esc>")
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.press("<esc>")
        #expect(menu.value("menu") == "standard")
        let former = "The values shown are for the previous context."
        #expect(menu.state.notice == .problem(former, remedy: "f fetch"))
        menu.happens(.remote(.activated(news, by: .response)))
        #expect(menu.state.notice == nil && menu.value("menu") == "beta")
    }

    @Test func theSelectionStaysOnItsLineWhenSomebodyAddsOneElsewhere() {
        var menu = ContextSample.menu()
        menu.press("cG")
        #expect(menu.state.condition(menu.state.selectedContextRow)?.name == "beta")
        var own = OwnContext()
        own.apply(.set(name: "aaa", value: "1"))
        own.apply(.set(name: "bbb", value: "2"))
        menu.happens(.remote(.activated(ContextSample.news(own), by: .elsewhere)))
        #expect(menu.state.condition(menu.state.selectedContextRow)?.name == "beta")
        menu.press("kk<up>")
        let added = menu.state.member(menu.state.selectedContextRow)?.name
        own.apply(.restore(name: "aaa"))
        menu.happens(.remote(.activated(ContextSample.news(own), by: .elsewhere)))
        #expect(menu.state.member(menu.state.selectedContextRow)?.name == added && added == "bbb")
    }

    @Test func aMenuWithoutValuesForAChosenContextStaysOpen() {
        let subject = MenuState.Subject(app: "shop", source: "shop.json", needsSource: true)
        var state = MenuState(subject: subject, size: Size(columns: 80, rows: 24), now: MenuDriver.now)
        var own = OwnContext()
        own.apply(.set(name: "country", value: "\"FR\""))
        _ = state.reduce(
            .remote(
                .context(
                    .withoutValues(id: 0, errors: ["shop: refused."], evaluations: ContextSample.news(own).evaluations))
            ), at: MenuDriver.now)
        #expect(state.ending == nil)
        #expect(state.message?.text == "There are no values for this context. c changes it.")
        _ = state.reduce(.terminal(.typeAheadEnded), at: MenuDriver.now)
        _ = state.reduce(.key(.character("c")), at: MenuDriver.now)
        #expect(state.mode.part == .context)
    }

    @Test func aChangeElsewhereIsTold() {
        var menu = ContextSample.menu()
        menu.press("cG")
        var own = OwnContext()
        own.apply(.decide(condition: "beta", holds: true))
        menu.happens(.remote(.activated(ContextSample.news(own), by: .elsewhere)))
        #expect(menu.message == "The context or the conditions changed elsewhere.")
        #expect(menu.value("menu") == "beta" && menu.state.mode.part == .context)
    }

    @Test func theMenuDoesNotCloseWhileAChangeIsOnItsWay() {
        var menu = ContextSample.menu()
        menu.evaluate = nil
        menu.press("cG <esc>q")
        #expect(!menu.state.isFinished)
        menu.happens(.remote(.context(.refused(id: 1, reason: "no"))))
        #expect(menu.state.isFinished)
    }

    @Test(arguments: ["c", "cG", "c<enter>", "ca<down>"])
    func noSizeBreaks(keys: String) {
        for columns in [1, 10, 40, 41, 60, 80, 100, 160] {
            for rows in [1, 5, 9, 10, 11, 15, 24, 60] {
                var menu = ContextSample.menu()
                menu.press(keys)
                menu.happens(.terminal(.resized(Size(columns: columns, rows: rows))))
                let screen = menu.state.screen
                if let cursor = screen.cursor {
                    #expect(screen.frame.region.contains(cursor), "\(keys) at \(columns)x\(rows)")
                } else {
                    #expect(columns < 40 || rows < 10, "\(keys) at \(columns)x\(rows) hides the cursor")
                }
            }
        }
    }

    @Test(arguments: pictures)
    func looksAsItDid(picture: KeptText) {
        let mismatch = picture.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let pictures: [KeptText] = [
        picture("context-80x24", "cG <down>"), picture("context-compact-40x10", "cG ", columns: 40, rows: 10),
        picture("context-ascii", "cG ", charset: .ascii), picture("context-value", "c<enter>"),
        picture("context-adding", "ca<down>"),
        picture("conditions-in-the-detail-120x30", "cG <esc>", columns: 120, rows: 30),
        picture("conditions-in-an-explanation", "i"),
    ]

    private static func picture(
        _ name: String, _ keys: String, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode
    ) -> KeptText {
        KeptText(name: name) {
            var menu = ContextSample.menu(columns: columns, rows: rows, charset: charset)
            menu.press(keys)
            return menu.dump
        }
    }
}

/// A source with a context and two conditions, evaluated as simply as can be.
enum ContextSample {
    static func menu(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode, overrides: [String: String] = [:]
    ) -> MenuDriver {
        var menu = MenuDriver(columns: columns, rows: rows, charset: charset, overrides: overrides)
        menu.evaluate = evaluator()
        menu.happens(.remote(.activated(news(OwnContext()), by: .fetch(id: 0))))
        return menu
    }

    /// What carries out changes, and remembers them.
    static func evaluator() -> @Sendable (RequestID, ContextChange) -> ContextReport {
        let memory = Memory()
        return { id, change in
            let own = memory.own.withLock { own in
                for edit in change.edits { own.apply(edit) }
                return own
            }
            return .changed(id: id, news(own), notice: nil)
        }
    }

    private final class Memory: Sendable {
        let own = Mutex(OwnContext())
    }

    static func news(_ own: OwnContext) -> RemoteContent {
        let base = [(name: "country", value: #""DE""#)]
        var members = base.map { member in
            let mine = own.members.first { $0.name == member.name }
            return SourceEvaluation.Member(
                name: member.name, value: mine.map(\.value) ?? member.value, base: member.value, isOwn: mine != nil)
        }
        members += own.members.filter { $0.name != "country" }.map {
            SourceEvaluation.Member(name: $0.name, value: $0.value, base: nil, isOwn: true)
        }
        let country = members[0].text
        let document = document(
            isFrench: country == "FR", why: "country is \"\(country)\", wanted \"FR\"",
            beta: own.decisions.first?.holds)
        return RemoteContent(
            snapshot: RemoteSnapshot(documents: [document]),
            fetchedAt: Timestamp(seconds: MenuDriver.now.seconds - 120),
            evaluations: [
                SourceEvaluation(
                    source: "shop.json", context: members, isChanged: !own.isEmpty, document: document)
            ])
    }

    private static func document(isFrench: Bool, why: String, beta: Bool?) -> RemoteDocument {
        var flags = EvaluatedFlags()
        flags.conditions = [
            RemoteCondition(
                name: "french", rule: #"country is "FR""#, verdict: isFrench ? .holds : .doesNotHold, why: why,
                wants: ["country"]),
            RemoteCondition(
                name: "beta", rule: #"plan is "beta""#, verdict: .doesNotHold, why: "the context has no signal plan",
                wants: ["plan"], forced: beta),
        ]
        let value: FlagText = isFrench ? "carte" : beta == true ? "beta" : "standard"
        let note: FlagText = isFrench ? "condition french" : beta == true ? "condition beta" : "default value"
        flags.add(
            FlagItem(key: "menu", details: "Which menu is shown.", declaredType: .string), value: value, note: note,
            conditions: ["french", "beta"], category: "Shop")
        flags.add(FlagItem(key: "banner", declaredType: .bool), value: "true", category: "Shop")
        return RemoteDocument(flags)
    }
}
