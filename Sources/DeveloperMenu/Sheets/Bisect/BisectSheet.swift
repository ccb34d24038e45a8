import FlagModel
import FlagQueries
import TerminalUI

/// The sheet of a search by hand for the changes that break the app: it makes one state after the other that of the
/// store, and asks for the outcome of each.
struct BisectSheet: Equatable {
    /// The search; `nil` until its first state is in use. Its log has the outcomes that are being saved, too.
    private var running: RunningBisect?
    /// Whether a state is being written, or the changes are being restored.
    private(set) var isWaiting = true
    /// Why the last request failed, as a sentence.
    private var error: String?
    /// The scroll position of the changes.
    var scrolled = ScrolledLines.none

    fileprivate init(_ running: RunningBisect?) { self.running = running }

    /// The search as its log says; `nil` if the log is about other changes.
    private func progress(in state: MenuState) -> (plan: BisectPlan, search: BisectSearch)? {
        guard let running else { return nil }
        let plan = BisectPlan(from: OverrideTable(), to: running.original) { state.facts(of: $0).item?.requires ?? [] }
        return plan.search(replaying: Array(running.log.utf8)).map { (plan, $0) }
    }

    /// Whether the state in use is no longer that of the search, so that its outcome would say nothing.
    private func isDisturbed(in state: MenuState) -> Bool {
        guard let running, state.store.bisect != nil else { return false }
        return !isWaiting && state.store.table.revision > running.revision
    }

    /// Whether a state is to be judged.
    private func isTesting(in state: MenuState) -> Bool {
        guard !isDisturbed(in: state) else { return false }
        return if case .test? = progress(in: state)?.search.step { true } else { false }
    }

    /// The flags that were found to be guilty.
    private func guiltyKeys(in state: MenuState) -> [FlagText] {
        guard let progress = progress(in: state), case .found(let sets) = progress.search.step else { return [] }
        return sets.flatMap(\.changes).compactMap { number in
            if case .flag(let key) = progress.plan.changes[number] { key } else { nil }
        }
    }
}

extension BisectSheet: ScrollingSheet {
    static let part = MenuPart(id: "bisect", heading: "In a bisect")

    // Without the actions that go to an end, as one of their keys means good.
    static let parts = [(part: part, actions: actions + scrolling.dropLast(2) + ActionTable.programAndHelp)]

    static let actions: [Action] = [
        outcome(.good, "g", help: "The app works with these changes."),
        outcome(.bad, "b", help: "The app is broken with these changes."),
        outcome(.skip, "s", help: "These changes cannot be judged; try others."),
        action(
            .accept, ["r", .enter], label: "reset", help: "Reset the guilty flags; lists and asks.",
            .changesValues,
            disabledReason: { $0.guiltyKeys(in: $1).isEmpty ? "No guilty flag is found yet." : nil }
        ) { sheet, state in
            let plan = BulkPlan.clearing(sheet.guiltyKeys(in: state).map(state.facts), adjective: "guilty")
            return state.confirm(plan, state.commands.edits(plan.edits))
        },
        action(
            "stop", ["X"], label: "stop", help: "Stop, and restore all changes.", .changesValues,
            disabledReason: { _, state in state.store.bisect == nil ? "Your changes are restored." : nil }
        ) { sheet, state in
            (sheet.isWaiting, sheet.error) = (true, nil)
            return state.bisect(.stop)
        },
        closing(["q", .escape], label: "close", help: "Close the sheet; a running search goes on."),
    ]

    private static func outcome(_ outcome: BisectSearch.Outcome, _ key: KeyPress, help: String) -> Action {
        action(
            Action.ID(rawValue: outcome.rawValue), [key], label: outcome.rawValue, help: help, .changesValues,
            disabledReason: { $0.isTesting(in: $1) ? nil : "There is no state to judge." }
        ) { $0.record(outcome, in: &$1) }
    }

    /// Records the outcome of the state in use, and requests the next state, or the end.
    private mutating func record(_ outcome: BisectSearch.Outcome, in state: inout MenuState) -> [Effect] {
        guard let (plan, earlier) = progress(in: state), case .test(let tested, _) = earlier.step else { return [] }
        var search = earlier
        search.record(outcome, for: tested)
        let log = plan.json(search).text(indented: false)
        running?.log = log
        (isWaiting, error, scrolled) = (true, nil, .none)
        guard case .test(let next, _) = search.step else { return state.bisect(.stop) }
        return state.bisect(.use(plan.table(with: next), log: log))
    }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .store(let event) = event else { return nil }
        let revision = state.store.table.revision
        let effects = state.receive(event)
        // Another program may continue the search. The request reads the same file again.
        if case .read = event, !isWaiting, state.store.bisect != nil, state.store.table.revision != revision {
            return effects + state.bisect(.read)
        }
        guard case .bisected(_, _, let current, let notice) = event else { return effects }
        (isWaiting, error) = (false, notice)
        // The log of an outcome that could not be saved is not in the file.
        running = current ?? running
        let hasResult = progress(in: state) != nil && !isTesting(in: state)
        return current != nil || hasResult ? effects : effects + state.closeSheet()
    }
}

// The view: what is left, the changes that are on, or what was found.
extension BisectSheet {
    /// The title, a sentence, and changes with their values.
    private func content(in state: MenuState) -> (title: String, sentence: String, rows: [String]) {
        let isDisturbed = isDisturbed(in: state)
        guard let (plan, search) = progress(in: state), !isDisturbed else {
            let stop = state.keyName(of: "stop", in: part)
            let what = isDisturbed ? "Somebody has changed the overrides meanwhile" : "The flags have changed"
            let sentence = "\(what), so that the search cannot go on. \(stop) stops it."
            return ("Bisect", isWaiting ? "One moment." : sentence, [])
        }
        func row(_ number: Int) -> String {
            let change = plan.difference(number)
            return "\(change.key): \((change.new ?? "").orQuotes)"
        }
        func result(_ sentence: String, _ rows: [Int] = []) -> (String, String, [String]) {
            // The error says which changes are not.
            let end = error == nil ? " Your changes are restored." : ""
            return ("Bisect: \(search.log.count.counted("run"))", sentence + end, rows.map(row))
        }
        switch search.step {
        case .test(let tested, let left):
            let count = plan.changes.count
            return (
                "Bisect: \(search.suspects.count) of \(count) left, about \(left.counted("run"))",
                "Try the app with \(tested.count) of \(count) changes on.", tested.sorted().map(row)
            )
        case .found(let sets):
            let warning = sets.allSatisfy(\.isExact) ? "" : " States were skipped, so that some may not be guilty."
            return result("Guilty: \(plan.words(of: sets)).\(warning)", sets.flatMap(\.changes))
        case .goodIsNotGood: return result("The app is not good without changes, so no change can be guilty alone.")
        case .badIsNotBad: return result("The app is not bad with all changes, so no change is guilty.")
        case .flaky: return result("The same changes were good and bad, so the result would be wrong.")
        }
    }

    /// The keys that work, with what they do.
    private func ways(in state: MenuState) -> [String] {
        let resetting: [(Action.ID, String)] = guiltyKeys(in: state).isEmpty ? [] : [(.accept, "reset what is guilty")]
        let ways: [(Action.ID, String)] =
            state.store.bisect == nil
            ? resetting + [(.cancel, "close")]
            : (isDisturbed(in: state) ? [] : ["good", "bad", "skip"]).map { (Action.ID(rawValue: $0), $0) } + [
                (.cancel, "leave it running"), ("stop", "stop and restore"),
            ]
        return ways.map { "\(state.keyName(of: $0, in: part)) \($1)" }
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let (title, sentence, rows) = content(in: state)
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        return SheetList(
            state, title: title, columns: columns,
            above: (error.map { text.lines(of: $0, state.theme.error) } ?? []) + text.lines(of: sentence, .plain),
            rows: rows.map { SheetList.Row(line: StyledLine("  \($0)", state.theme.accent)) },
            below: gap
                + text.lines(of: ways(in: state).joined(separator: " \(state.charset.separator) "), state.theme.faint),
            top: scrolled.top, asks: true)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let (title, sentence, rows) = content(in: state)
        return LineModeSheet(
            lines: ["\(title).", error, sentence].compactMap { $0 } + rows
                + ["\(ways(in: state).joined(separator: ", "))."], prompt: "Bisect: ")
    }
}

extension MenuState {
    /// Starts a search by hand, or goes on with the running one.
    mutating func openBisect() -> [Effect] {
        let request = store.bisect == nil ? BisectRequest.use(OverrideTable(), log: RunningBisect.emptyLog) : .read
        return open(BisectSheet(store.bisect)) + bisect(request)
    }

    fileprivate mutating func bisect(_ request: BisectRequest) -> [Effect] {
        let id = makeRequestID()
        store.bisectRequests.insert(id)
        return [.bisect(id: id, request)]
    }

    /// That a search by hand is running, as a sentence; `nil` if none is.
    var bisectNotice: String? {
        store.bisect == nil ? nil : "A bisect is running, so some of your changes are off."
    }
}
