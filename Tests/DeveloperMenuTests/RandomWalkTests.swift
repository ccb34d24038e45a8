import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// 50,000 random keys and updates, with the invariants checked after each.
@Suite(.slow) struct RandomWalkTests {
    private static let walks: ClosedRange<UInt64> = 1...25
    private static let steps = 2_000
    /// Actions without a key run by name; the walk counts only keys.
    private static let keyless = Set(ActionTable.all.filter { $0.keys.isEmpty }.map(\.name))
    /// Screens are checked less often, because rendering one takes longer than a step.
    private static let stepsToAScreen = 40

    @Test func `random events keep the invariants`() async {
        let reports = await withTaskGroup(of: Report.self) { group in
            for seed in Self.walks { group.addTask { await Self.report(of: seed) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for issue in reports.compactMap(\.issue) { Issue.record("\(issue)") }
        // The walk must reach every part, and nearly every action with a key.
        #expect(reports.reduce(into: Set()) { $0.formUnion($1.parts) } == Set(MenuPart.all))
        let actions = reports.reduce(into: Set()) { $0.formUnion($1.actions) }
        let missed = Set(ActionTable.all.map(\.name)).subtracting(actions).subtracting(Self.keyless)
        #expect(missed.count < 10, "\(missed.sorted())")
        #expect(reports.reduce(0) { $0 + $1.edits } > 500)
    }

    private struct Report: Sendable {
        var parts: Set<MenuPart> = []
        var actions: Set<String> = []
        var edits = 0
        var issue: String?
    }

    private static func report(of seed: UInt64) async -> Report {
        var report = Report()
        var walk = RandomWalk(seed: seed)
        for step in 1...steps {
            // Gives the thread to waiting tests.
            if step % 100 == 0 { await Task.yield() }
            let part = walk.menu.state.mode.part
            report.parts.insert(part)
            if case .key(let key)? = walk.takeAStep(),
                let action = Keymap.standard.action(for: key, in: part)
            {
                report.actions.insert(action.name)
            }
            guard let issue = walk.issue ?? (step % stepsToAScreen == 0 ? walk.issueOfScreen : nil) else {
                continue
            }
            report.issue = "seed \(seed), step \(step), after \(walk.recent): \(issue)"
            return report
        }
        report.edits = walk.menu.store.changeCount
        report.issue = walk.issueOfUndoingEverything.map { "seed \(seed): \($0)" }
        return report
    }
}

/// A menu that receives random events; the same seed gives the same events.
private struct RandomWalk {
    var menu: MenuDriver
    /// The last events, for failure messages.
    private(set) var recent: [String] = []
    private var random: SeededGenerator
    private var step = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        menu = MenuDriver(
            overrides: ["login_variant": "variant_a", "gone": "1"],
            launch: seed % 2 == 0 ? ["enable_multiple_locations": "true"] : [:])
        menu.evaluate = ContextSample.evaluator()
        menu.scenarios = ["first": ["login_variant": "variant_b", "maximum_item_count": "10", "gone\u{7}": "1"]]
    }

    /// Takes one random step.
    ///
    /// - Returns: the event, if the menu received one.
    @discardableResult
    mutating func takeAStep() -> Event? {
        step += 1
        let event = Int.random(in: 0..<10, using: &random) < 8 ? .key(key()) : updates()
        recent = recent.suffix(11) + [event.map { String("\($0)".prefix(60)) } ?? "the world changed"]
        if let event { menu.happens(event) }
        // Cancels leaving, so that the walk continues.
        menu.state.ending = nil
        return event
    }

    private mutating func key() -> KeyPress {
        // Few flags are JSON, so the walk always opens one, and often folds in it.
        if menu.state.mode == .list, menu.state.selected?.type == .json { return pick([.enter, .down]) }
        if menu.state.mode.part == .json, Int.random(in: 0..<6, using: &random) == 0 {
            return pick([.tab, .backTab])
        }
        let bound = Keymap.standard.actions(in: menu.state.mode.part).flatMap(\.keys)
        // These parts are hard to reach: one needs a value that is not an option, and one a history.
        if [OtherValueDialog.part, .historyFilter].contains(menu.state.mode.part) { return pick(bound) }
        if menu.state.mode.part == .editor, Int.random(in: 0..<3, using: &random) == 0 {
            return pick([.character("9"), .enter])
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            return pick([
                .escape, .enter, .character("/"), .paste("lo\u{1B}g\nin"), .paste("é日👩‍👩‍👧"), .insert, .function(7),
                .character("y"),
            ])
        }
        let typed = "abelnotruxz0123456789:!{}".map(KeyPress.character)
        return pick(Int.random(in: 0..<4, using: &random) == 0 ? typed : bound)
    }

    private mutating func updates() -> Event? {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            return .terminal(
                .resized(Size(columns: Int.random(in: 1...170, using: &random), rows: pick([1, 5, 10, 12, 18, 24]))))
        case 1: return .remote(.fetchStarted(id: 0))
        case 2: return .remote(.fetchFailed(id: 0, errors: ["shop.json: \u{1B}[2J line 1."]))
        case 3:
            let evaluations = pick([[], ContextSample.updates(ContextOverride()).evaluations])
            return .remote(
                .activated(
                    RemoteContent(snapshot: pick(Self.documents), fetchedAt: MenuDriver.now, evaluations: evaluations),
                    by: .menu(id: 0)))
        case 4: return .remote(.fetched(id: 0, waiting: .values(pick([0, 1, 2])), at: MenuDriver.now, errors: []))
        case 5: menu.now = FlagTimestamp(seconds: MenuDriver.now.seconds + Int64.random(in: 0...9_999, using: &random))
        case 6: menu.store.failure = menu.store.failure == nil ? "Not saved: no space left." : nil
        case 7:
            // Rare, because this event replaces any open sheet.
            if step % 8 == 0 { return .settings(.openOffered) }
            menu.remote = pick(Self.documents)
        case 8:
            // A search by hand has no key.
            return pick([
                .store(.notWatched(reason: "Changes elsewhere are not shown.")),
                .line(.actionChosen("bisect", in: .list)),
            ])
        case 9: return .apps(AppsStatus(running: pick(Self.apps), overrideFolder: "/state", readAt: .max))
        default:
            let key = pick(["login_variant", "maximum_item_count", "enable_multiple_locations", "gone", "new\u{202E}"])
            let value: String = pick(["true", "variant_b", "10", "", "{}", "x\u{7}"])
            menu.store.apply([pick([.set(key: key, value: value), .clear(key: key)])], at: MenuDriver.now)
            return .store(.read(menu.store.table, error: nil))
        }
        return nil
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private static let apps: [[RunningApp]] = {
        let use = FlagUse(value: "\u{1B}[2J", layer: .remote, since: 0, readAt: nil, wasRead: false)
        let flags = ["login_variant", "gone", "unknown\u{202E}"].map {
            DeclaredFlag(key: $0, type: .string, defaultValue: nil, use: use)
        }
        let apps = ["shop", "release\u{7}"].map {
            RunningApp(id: $0, name: $0, process: 1, startedAt: 0, overrideFolder: "/state", flags: flags)
        }
        return [[], apps, [apps[1]]]
    }()

    private static let documents: [RemoteSnapshot] = [
        .sample, .snapshot("{}"),
        .snapshot(#"{"login_variant": "variant_b", "other\u001b": "日本", "greeting_text": "two\nlines"}"#),
        .oneFlag("login_variant", value: "control", options: "control|variant_c"), tall, tall,
    ]

    /// More flags than any screen of the walk has lines.
    private static let tall: RemoteSnapshot = {
        let keys = (0..<60).map { #"{"category": "C\#($0 / 2)", "items": [{"key": "login_\#($0)", "value": "1|2"}]}"# }
        return .snapshot("[\(keys.joined(separator: ","))]")
    }()

    // MARK: invariants

    /// The first broken invariant, as a sentence; `nil` if there is none.
    var issue: String? { issueOfSelection(menu.state) ?? issueOfOverrides(menu.state) }

    /// The first broken invariant of the screen, as a sentence; `nil` if there is none.
    var issueOfScreen: String? {
        let state = menu.state
        let screen = state.screen
        guard screen.frame.size == state.size else { return "the frame has another size than the screen" }
        if let cursor = screen.cursor, !screen.frame.region.contains(cursor) { return "the cursor is off the screen" }
        if let cell = screen.frame.unsafeCell {
            return "row \(cell.row), column \(cell.column) holds a control character"
        }
        return issueOfTitle(state, screen.frame)
    }

    /// Undoes every change; returns a sentence if that does not restore the initial overrides.
    var issueOfUndoingEverything: String? {
        var menu = menu
        menu.store.failure = nil
        menu.happens(.terminal(.resized(Size(columns: 80, rows: 24))))
        for _ in 0..<9 where menu.state.mode != .list { menu.happens(.key(.escape)) }
        // While a search by hand runs, nothing is undone.
        menu.bisectError = nil
        if menu.state.store.bisect != nil { menu.press(":bisect<enter>X") }
        for _ in 0..<menu.store.changeCount { menu.press("u") }
        return menu.saved.isEmpty ? nil : "undoing everything does not lead to the store without overrides of the start"
    }

    private func issueOfSelection(_ state: MenuState) -> String? {
        let list = state.list
        guard let selection = list.selection else {
            return list.flagCount == 0 ? nil : "flags are listed and none is selected"
        }
        guard list.rows.indices.contains(selection), list.rows[selection].isSelectable else {
            return "the selection is not a row that can be selected"
        }
        if case .flag(let place) = list.rows[selection], list.selectedKey != state.board.key(at: place) {
            return "the selected key is another flag's"
        }
        let height = max(1, state.layout.list.rows)
        return (list.top..<list.top + height).contains(selection) ? nil : "the selection is out of sight"
    }

    private func issueOfOverrides(_ state: MenuState) -> String? {
        guard state.store.pending.isEmpty else { return "an edit still waits for its result" }
        guard state.board.values.overrides.mapValues(\.value) == FlagTable(menu.saved) else {
            return "the overrides shown are not those of the store"
        }
        return nil
    }

    private func issueOfTitle(_ state: MenuState, _ frame: Frame) -> String? {
        let title = frame.text(ofRow: 0)
        let isWide = state.size.columns >= 40 && state.size.rows >= 10
        let count = menu.saved.count
        let words = count == 0 ? "nothing changed" : "\(count) changed"
        return !isWide || title.contains(words) ? nil : "the title does not say that \(words)"
    }
}
