import FlagModel
import FlagQueries
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The sheet with the evaluation context and the conditions of the sources.
@Suite struct ContextSheetTests {
    @Test func `key works only with an evaluated source`() {
        let menu = MenuDriver(pressing: "c")
        #expect(menu.state.mode == .list)
        #expect(menu.message == "No source here uses a context or has conditions.")
        #expect(!menu.lines[23].contains("context"))
        var evaluated = ContextSample.menu(columns: 120)
        #expect(evaluated.lines.last?.contains("c context") == true)
        // The footer is fullest with an override to clear and undo.
        let narrow = ContextSample.menu(overrides: ["menu": "carte"])
        let keys = ["x reset", "c context", ": actions", "? help", "q quit"]
        #expect(keys.filter { narrow.lines.last?.contains($0) != true } == [])
        evaluated.press("c")
        #expect(evaluated.state.mode.part == ContextSheet.part)
    }

    private func change(_ id: RequestID, _ edit: ContextEdit) -> [Effect] {
        [.changeContext(id: id, ContextChange(source: "shop.json", edits: [edit]))]
    }

    @Test func `condition steps through on off and its rule`() {
        var menu = ContextSample.menu()
        #expect(menu.effects(of: "cG<space>") == change(1, .decide(condition: "beta", applies: true)))
        #expect(menu.value("menu") == "beta")
        #expect(menu.message == "1 remote value changed.")
        #expect(menu.effects(of: "<enter>") == change(2, .decide(condition: "beta", applies: false)))
        #expect(menu.value("menu") == "standard")
        #expect(menu.effects(of: " ") == change(3, .restore(.condition, "beta")))
        #expect(menu.message == "No remote value changed.")
        #expect(menu.state.mode.part == ContextSheet.part, "the sheet stays open")
    }

    @Test func `two presses before the response step twice`() {
        var menu = ContextSample.menu()
        menu.evaluate = nil
        let on = ContextEdit.decide(condition: "beta", applies: true)
        let off = ContextEdit.decide(condition: "beta", applies: false)
        #expect(menu.effects(of: "cG  ") == change(1, on) + change(2, off))
        #expect(menu.missing("off, by hand") == [])
        menu.happens(.remote(.context(.changed(id: 1, ContextSample.updates(ContextOverride(on)), notice: nil))))
        #expect(menu.missing("off, by hand") == [], "the second response is pending")
        let updates = ContextSample.updates(ContextOverride(on, off))
        menu.happens(.remote(.context(.changed(id: 2, updates, notice: nil))))
        #expect(menu.state.remote.evaluations == updates.evaluations)
    }

    @Test func `member is edited in a prompt`() {
        var menu = ContextSample.menu(pressing: "c<enter>")
        #expect(menu.lines.contains { $0.contains("> DE") })
        menu.press("<c-u>FR<enter>")
        #expect(menu.value("menu") == "carte")
        #expect(menu.state.mode.part == ContextSheet.part)
        #expect(menu.state.remote.evaluations[0].context?.map(\.value) == [#""FR""#])
        menu.press("<enter><esc>")
        #expect(menu.state.mode.part == ContextSheet.part, "the prompt returns to the context sheet")
    }

    @Test func `member is added and removed`() {
        var menu = ContextSample.menu(pressing: "cafoo<enter>")
        #expect(menu.lines.contains { $0.contains("Write the name, the sign = and the value") })
        menu.press("<c-u>plan=gold=1<enter>")
        #expect(menu.state.remote.evaluations[0].context?.map(\.text) == ["DE", "gold=1"])
        #expect(menu.press("gjx").state.remote.evaluations[0].context?.map(\.name) == ["country"])
        menu.press("kx")
        #expect(menu.state.remote.evaluations[0].context?.map(\.value) == [nil], "the project's member is left out")
        menu.press("x")
        #expect(menu.state.remote.evaluations[0].context?.map(\.text) == ["DE"], "the project's member is restored")
    }

    @Test func `signals that conditions use are suggested`() {
        let menu = ContextSample.menu(pressing: "ca<down>")
        #expect(menu.lines.contains { $0.contains("plan=") && $0.contains("used by beta") })
        #expect(
            !menu.lines.contains { $0.contains("country=") && $0.contains("used by") },
            "a member that is set is not suggested")
    }

    @Test func `reset reverts all changes`() {
        var menu = ContextSample.menu(pressing: "cR")
        #expect(menu.message == "Nothing was changed here.")
        menu.press("G ")
        #expect(menu.effects(of: "R") == change(2, .reset))
        #expect(menu.value("menu") == "standard" && !menu.state.remote.evaluations[0].isChanged)
    }

    @Test func `changes have shell commands`() {
        var menu = ContextSample.menu(pressing: "cG ")
        #expect(ShellCommand.text(menu.state.lastCommands) == "flagmenu context --condition beta=on")
        menu.press("g<enter><c-u>FR<enter>")
        #expect(ShellCommand.text(menu.state.lastCommands) == "flagmenu context country=FR")
    }

    @Test func `read only menu rejects changes`() {
        var menu = ContextSample.menu()
        menu.prefer { $0.isReadOnly = true }
        #expect(menu.effects(of: "cG ").isEmpty)
        #expect(menu.message?.hasPrefix("Read-only") == true)
    }

    @Test func `rejected change changes nothing`() {
        var menu = ContextSample.menu()
        menu.evaluate = { id, _ in .refused(id: id, reason: "The disk is full.") }
        menu.press("cG ")
        #expect(menu.message == "The disk is full." && menu.value("menu") == "standard")
        #expect(menu.state.remote.evaluations == ContextSample.updates(ContextOverride()).evaluations)
        #expect(menu.state.isSettled)
    }

    @Test func `context without values keeps the previous values`() {
        var menu = ContextSample.menu()
        menu.evaluate = { id, _ in .withoutValues(id: id, errors: ["shop: refused."], evaluations: []) }
        menu.press("cG ")
        #expect(menu.value("menu") == "standard")
        #expect(menu.state.remote.errors == ["shop: refused."])
        #expect(menu.message == "Saved, but this context has no values yet. Earlier values are shown.")
        #expect(menu.state.mode == .list)
    }

    @Test func `previous values stay until the response`() {
        var menu = ContextSample.menu()
        let updates = ContextSample.updates(ContextOverride(.decide(condition: "beta", applies: true)))
        menu.evaluate = { id, _ in .awaited(id: id, updates.evaluations, notice: nil) }
        menu.press("cG ")
        #expect(menu.state.remote.evaluations == updates.evaluations && menu.value("menu") == "standard")
        #expect(menu.message == "Saved. Fetching its values." && menu.state.isSettled)
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.remote(.activated(updates, by: .fetch(id: 0))))
        #expect(menu.value("menu") == "beta" && menu.state.remote.evaluations == updates.evaluations)
        #expect(menu.message == "1 remote value changed.")
        menu.press(" ")
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop: refused."])))
        #expect(menu.value("menu") == "beta")
        #expect(menu.message == "Saved, but this context has no values yet. Earlier values are shown.")
        // The notice stays until a fetch succeeds.
        #expect(menu.happens(.remote(.fetchStarted(id: 0))).notice == .issue("shop: refused.", remedy: "f fetch"))
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop: gone."])))
        let notice = "The values shown are for the previous context."
        #expect(menu.notice == .issue("\(notice) shop: gone.", remedy: "f fetch"))
        #expect(menu.happens(.remote(.activated(updates, by: .fetch(id: 0)))).notice == nil)
    }

    @Test func `cancelled context fetch keeps the previous values`() {
        var menu = ContextSample.menu()
        let updates = ContextSample.updates(ContextOverride(.decide(condition: "beta", applies: true)))
        menu.evaluate = { id, _ in .awaited(id: id, updates.evaluations, notice: nil) }
        menu.press("cG <esc>")
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.press("<esc>")
        #expect(menu.value("menu") == "standard")
        let notice = "The values shown are for the previous context."
        #expect(menu.notice == .issue(notice, remedy: "f fetch"))
        menu.happens(.remote(.activated(updates, by: .response)))
        #expect(menu.notice == nil && menu.value("menu") == "beta")
    }

    private static func selectedPart(_ menu: MenuDriver) -> ContextPart? {
        let rows = ContextRow.rows(of: menu.state.remote.evaluations)
        return menu.state.sheet(ContextSheet.self).flatMap { rows[$0.selection].part }
    }

    @Test func `selection stays when members are added elsewhere`() {
        var menu = ContextSample.menu(pressing: "cG")
        #expect(Self.selectedPart(menu)?.name == "beta")
        var override = ContextOverride(.set(name: "aaa", value: "1"), .set(name: "bbb", value: "2"))
        menu.happens(.remote(.activated(ContextSample.updates(override), by: .elsewhere)))
        #expect(Self.selectedPart(menu)?.name == "beta")
        menu.press("kk<up>")
        #expect(Self.selectedPart(menu)?.name == "bbb")
        override.apply(.restore(.attribute, "aaa"))
        menu.happens(.remote(.activated(ContextSample.updates(override), by: .elsewhere)))
        #expect(Self.selectedPart(menu)?.name == "bbb")
    }

    @Test func `menu without values for the context stays open`() {
        let target = MenuTarget(app: "shop", source: "shop.json")
        var state = MenuState(target: target, size: Size(columns: 80, rows: 24), now: MenuDriver.now)
        let evaluations = ContextSample.updates(ContextOverride(.set(name: "country", value: "\"FR\""))).evaluations
        let report = ContextReport.withoutValues(id: 0, errors: ["shop: refused."], evaluations: evaluations)
        _ = state.reduce(.remote(.context(report)), at: MenuDriver.now)
        #expect(state.ending == nil)
        #expect(state.message?.text == "There are no values for this context. c changes it.")
        _ = state.reduce(.terminal(.typeAheadEnded), at: MenuDriver.now)
        _ = state.reduce(.key(.character("c")), at: MenuDriver.now)
        #expect(state.mode.part == ContextSheet.part)
    }

    @Test func `external change shows a message`() {
        var menu = ContextSample.menu(pressing: "cG")
        let updates = ContextSample.updates(ContextOverride(.decide(condition: "beta", applies: true)))
        menu.happens(.remote(.activated(updates, by: .elsewhere)))
        #expect(menu.message == "The context or the conditions changed elsewhere.")
        #expect(menu.value("menu") == "beta" && menu.state.mode.part == ContextSheet.part)
    }

    @Test func `menu closes only after a pending change`() {
        var menu = ContextSample.menu()
        menu.evaluate = nil
        #expect(!menu.press("cG <esc>q").state.isFinished)
        #expect(menu.happens(.remote(.context(.refused(id: 1, reason: "no")))).state.isFinished)
    }
}

extension ContextOverride {
    /// The changes of these edits.
    init(_ edits: ContextEdit...) {
        self.init()
        for edit in edits { apply(edit) }
    }
}

/// A source with a context and two conditions, with a minimal evaluation.
enum ContextSample {
    static func menu(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode, overrides: [String: String] = [:],
        pressing keys: String = ""
    ) -> MenuDriver {
        var menu = MenuDriver(columns: columns, rows: rows, charset: charset, overrides: overrides)
        menu.evaluate = evaluator()
        menu.happens(.remote(.activated(updates(ContextOverride()), by: .fetch(id: 0))))
        menu.press(keys)
        return menu
    }

    /// Applies context changes and remembers them.
    static func evaluator() -> @Sendable (RequestID, ContextChange) -> ContextReport {
        let memory = Memory()
        return { id, change in
            let contextOverride = memory.contextOverride.withLock { contextOverride in
                for edit in change.edits { contextOverride.apply(edit) }
                return contextOverride
            }
            return .changed(id: id, updates(contextOverride), notice: nil)
        }
    }

    private final class Memory: Sendable {
        let contextOverride = Mutex(ContextOverride())
    }

    static func updates(_ contextOverride: ContextOverride) -> RemoteContent {
        let base = [(name: "country", value: #""DE""#)]
        var members = base.map { member in
            let overridden = contextOverride.members.first { $0.name == member.name }
            return SourceEvaluation.Member(
                name: member.name, value: overridden.map(\.value) ?? member.value, base: member.value,
                isOwn: overridden != nil)
        }
        members += contextOverride.members.filter { $0.name != "country" }.map {
            SourceEvaluation.Member(name: $0.name, value: $0.value, base: nil, isOwn: true)
        }
        let country = members[0].text
        let document = document(
            isFrench: country == "FR", why: "country is \"\(country)\", wanted \"FR\"",
            beta: contextOverride.decisions.first?.applies)
        return RemoteContent(
            snapshot: RemoteSnapshot(documents: [document]),
            fetchedAt: FlagTimestamp(seconds: MenuDriver.now.seconds - 120),
            evaluations: [
                SourceEvaluation(
                    source: "shop.json", context: members, isChanged: !contextOverride.isEmpty, document: document)
            ])
    }

    private static func document(isFrench: Bool, why: String, beta: Bool?) -> RemoteDocument {
        var flags = EvaluatedFlags()
        flags.conditions = [
            RemoteCondition(
                name: "french", rule: #"country is "FR""#, result: isFrench ? .applies : .doesNotApply, why: why,
                wants: ["country"]),
            RemoteCondition(
                name: "beta", rule: #"plan is "beta""#, result: .doesNotApply, why: "the context has no signal plan",
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
