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

    /// - Parameter running: the search that goes on.
    fileprivate init(_ running: RunningBisect?) { self.running = running }

    private typealias Progress = (plan: BisectPlan, search: BisectSearch)

    /// The search as its log says; `nil` if the log is about other changes.
    private func progress(in state: MenuState) -> Progress? {
        guard let running else { return nil }
        let plan = BisectPlan(from: OverrideTable(), to: running.original) {
            state.facts(of: $0).item?.requires ?? []
        }
        guard let log = try? JSONDocument(parsing: Array(running.log.utf8)).root else { return nil }
        if running.log == "null" { return (plan, plan.search) }
        return plan.search(replaying: log).map { (plan, $0) }
    }

    /// Whether the search has come to an end.
    private func hasResult(in state: MenuState) -> Bool {
        guard let step = progress(in: state)?.search.step else { return false }
        if case .test = step { return false }
        return true
    }

    /// The flags that were found to be guilty.
    private func guiltyKeys(in state: MenuState) -> [FlagText] {
        guard let progress = progress(in: state), case .found(let sets) = progress.search.step else { return [] }
        return sets.flatMap(\.changes).compactMap { number in
            guard case .flag(let key) = progress.plan.changes[number] else { return nil }
            return key
        }
    }
}

extension BisectSheet: ScrollingSheet {
    static let part = MenuPart(id: "bisect", heading: "In a bisect")

    static let actions: [Action] =
        [
            outcome(.good, "g", help: "The app works with these changes."),
            outcome(.bad, "b", help: "The app is broken with these changes."),
            outcome(.skip, "s", help: "These changes cannot be judged; try others."),
            action(
                .accept, [.enter], label: "reset", help: "Reset the guilty flags; lists and asks.", .changesValues,
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
            closing([.escape, "q"], label: "close", help: "Close the sheet; a running search goes on.") { _, state in
                if state.store.bisect != nil {
                    let name = state.keyName(of: "bisect")
                    state.show("The bisect goes on: some of your changes are off. \(name) opens it again.")
                }
                return state.closeSheet()
            },
        ]
        + scrolling.map { action in
            // The key for good.
            var action = action
            action.keys.removeAll { $0 == "g" }
            return action
        }

    private static func outcome(_ outcome: BisectSearch.Outcome, _ key: KeyPress, help: String) -> Action {
        action(
            Action.ID(rawValue: outcome.rawValue), [key], label: outcome.rawValue, help: help, .changesValues,
            disabledReason: { sheet, state in
                guard case .test? = sheet.progress(in: state)?.search.step else { return "Nothing is left to judge." }
                return nil
            }
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
        let effects = state.receive(event)
        switch event {
        case .bisected(_, _, let running?, let notice):
            // The log of an outcome that could not be saved is not in the file.
            (self.running, isWaiting, error) = (running, false, notice)
        case .bisected(_, _, nil, let notice):
            (isWaiting, error) = (false, notice)
            // Not started, or stopped before its end.
            if !hasResult(in: state) { return effects + state.closeSheet() }
        // Another program may continue the search.
        case .read where !isWaiting && state.store.bisect != nil: return effects + state.bisect(.read)
        default: break
        }
        return effects
    }
}

// The view: what is left, the changes that are on, or what was found.
extension BisectSheet {
    /// The title, sentences, and changes with their values.
    private func content(in state: MenuState) -> (title: String, sentences: [String], rows: [String]) {
        let errors = [error].compactMap { $0 }
        guard let progress = progress(in: state) else {
            let sentence = "The flags have changed, so that the search cannot go on. \(key("stop", state)) stops it."
            return ("Bisect", isWaiting ? ["One moment."] : errors + [sentence], [])
        }
        let (plan, search) = progress
        func row(_ number: Int) -> String {
            let change = plan.difference(number)
            return change.new.map { "\(change.key): \($0.orQuotes)" } ?? change.key
        }
        func found(_ sentences: String..., rows: [Int] = []) -> (String, [String], [String]) {
            let end = state.store.bisect == nil ? "Your changes are restored." : "Your changes are being restored."
            return ("Bisect: \(search.log.count.counted("run"))", errors + sentences + [end], rows.map(row))
        }
        switch search.step {
        case .test(let tested, let left):
            let count = plan.changes.count
            let title = "Bisect: \(search.suspects.count) of \(count) suspects left, about \(left.counted("more run"))"
            let sentence =
                tested.isEmpty
                ? "All your changes are off. Try the app."
                : tested.count == count
                    ? "All your changes are on. Try the app." : "Try the app with \(tested.count.counted("change")) on:"
            return (title, errors + [sentence], tested.sorted().map(row))
        case .found(let sets):
            let names = sets.map { $0.changes.map { plan.changes[$0].name }.joined(separator: " with ") }
            let sentence = "Guilty: \(names.joined(separator: ", and "))."
            guard sets.contains(where: { !$0.isExact }) else { return found(sentence, rows: sets.flatMap(\.changes)) }
            return found(
                sentence, "States were skipped, so that some of these changes may not be guilty.",
                rows: sets.flatMap(\.changes))
        case .goodIsNotGood: return found("The app is not good without changes, so no change can be guilty alone.")
        case .badIsNotBad: return found("The app is not bad with all changes, so no change is guilty.")
        case .flaky: return found("The same changes were good and bad, so the result would be wrong.")
        }
    }

    private func key(_ id: Action.ID, _ state: MenuState) -> String { state.keyName(of: id, in: part) }

    /// The keys that work, with what they do.
    private func ways(in state: MenuState) -> String {
        guard state.store.bisect == nil else {
            let leaving = "\(key(.cancel, state)) leave it running  \(key("stop", state)) stop and restore"
            return "\(key("good", state)) good  \(key("bad", state)) bad  \(key("skip", state)) skip  \(leaving)"
        }
        let resetting = guiltyKeys(in: state).isEmpty ? "" : "\(key(.accept, state)) reset what is guilty  "
        return "\(resetting)\(key(.cancel, state)) close"
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let content = content(in: state)
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        return SheetList(
            state, title: content.title, columns: columns,
            above: content.sentences.flatMap { text.lines(of: $0, $0 == error ? state.theme.error : .plain) },
            rows: content.rows.map { SheetList.Row(line: StyledLine("  \($0)", state.theme.accent)) },
            below: gap + text.lines(of: ways(in: state), state.theme.faint), top: scrolled.top, asks: true)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let content = content(in: state)
        let isRunning = state.store.bisect != nil
        let leaving = isRunning ? "Enter leaves it running" : "Enter goes back"
        let ways =
            isRunning
            ? ["good", "bad", "skip"].map { key($0, state) + " \($0)" } + ["\(key("stop", state)) stops and restores"]
            : guiltyKeys(in: state).isEmpty ? [] : ["reset lists what would be reset, and asks"]
        return LineModeSheet(
            lines: ["\(content.title)."] + content.sentences + content.rows
                + ["\((ways + [leaving]).joined(separator: ", "))."],
            prompt: "Bisect: ")
    }
}

extension MenuState {
    /// Starts a search by hand, or goes on with the running one.
    mutating func openBisect() -> [Effect] {
        let request = store.bisect == nil ? BisectRequest.use(OverrideTable(), log: "") : .read
        return open(BisectSheet(store.bisect)) + bisect(request)
    }

    fileprivate mutating func bisect(_ request: BisectRequest) -> [Effect] {
        let id = makeRequestID()
        store.bisectRequests.insert(id)
        return [.bisect(id: id, request)]
    }

    /// That a search by hand is running while its sheet is closed; `nil` if none is.
    var bisectNotice: String? {
        store.bisect != nil && sheet(BisectSheet.self) == nil
            ? "A bisect is running, so some of your changes are off." : nil
    }
}
