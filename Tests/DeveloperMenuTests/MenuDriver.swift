import FlagModel
import FlagQueries
import TerminalUI
import TestSupport

@testable import DeveloperMenu

/// Presses keys on a menu and performs its effects synchronously, on a store in memory.
struct MenuDriver {
    var state: MenuState
    var store = MemoryStore()
    /// The result of the next fetch.
    var remote: RemoteSnapshot
    /// The result of the external editor; `nil` while it is open.
    var outsideEdit: OutsideEdit?
    /// The result of a context change; `nil` while it is pending.
    var evaluate: (@Sendable (RequestID, ContextChange) -> ContextReport)?
    private var fetched: RemoteSnapshot?
    /// Exported overrides by file name.
    var files: [String: [String: String]] = [:]
    /// The values of scenarios by name.
    var scenarios: [String: [String: String]] = [:]
    /// The names of those without a file.
    var builtInScenarios: Set<String> = []
    /// The running search by hand.
    var bisect: RunningBisect?
    /// Why every request of a search by hand fails; `nil` if it succeeds.
    var bisectError: String?
    /// The changes of the shared state in a pasted text; `nil` if it has none.
    var pasted: ImportEntries?
    /// The entries of the open sheet.
    var openChoices = [
        OpenChoice(.source("shop.json"), name: "shop.json", note: "document, app shop", isOpen: true),
        OpenChoice(.source("remote.json"), name: "remote.json", note: "document, app remote, 2 overrides"),
        OpenChoice(.app("cart", document: "/cart.json"), name: "cart", note: "app, 1 override, on cart.json"),
    ]
    /// The reason why every attempt to open fails; `nil` if it succeeds.
    var openError: String?
    /// The values of the team.
    var team: FlagTable<FlagOverride> = [:]
    /// Why the team's values cannot be changed; `nil` if they can.
    var teamError: String?
    /// Whether effects are performed; if not, the test sends the responses.
    var performsEffects = true
    /// Whether the team never responds to a change.
    var isTeamSilent = false
    private(set) var effects: [Effect] = []

    /// The keys of the sample flags, in the order of the list.
    static let sampleKeys = [
        "enable_multiple_locations", "login_screen", "login_variant", "maximum_item_count", "greeting_text",
    ]
    static let now = FlagTimestamp(seconds: 1_795_000_000)
    /// The time of the next event.
    var now = Self.now

    /// A menu that has read its values, after some keys.
    init(
        _ snapshot: RemoteSnapshot = .sample, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        overrides: [String: String] = [:], launch: [String: String] = [:], team: FlagTable<FlagOverride>? = nil,
        pressing keys: String = ""
    ) {
        remote = snapshot
        let target = MenuTarget(app: "shop", source: "shop.json")
        state = MenuState(
            target: target, size: Size(columns: columns, rows: rows), charset: charset, now: Self.now,
            layers: LayerValues([.launch: LayerContent(texts: FlagTable(launch))]),
            team: team.map { _ in "etcd://h:1/shop" },
            opensOthers: true)
        if let team {
            self.team = team
            happens(.team(.read(team, at: Self.now, error: nil)))
        }
        for (key, value) in overrides { store.apply([.set(key: key, value: value)], at: Self.now) }
        happens(.store(.read(store.table, error: nil)))
        happens(.activated(snapshot, at: FlagTimestamp(seconds: Self.now.seconds - 120)))
        press(keys)
    }

    /// A menu after some keys, whose effects are not performed; the test sends the responses.
    static func waiting(pressing keys: String = "") -> MenuDriver {
        var menu = MenuDriver()
        menu.performsEffects = false
        return menu.press(keys)
    }

    /// Presses the keys of a script such as `"/lgn<enter><space>"`; returns the menu after the last one.
    @discardableResult mutating func press(_ script: String) -> Self {
        for key in KeyScript.parse(script) { happens(.key(key)) }
        return self
    }

    /// Reduces an event and performs the resulting effects; returns the menu after that.
    @discardableResult mutating func happens(_ event: Event) -> Self {
        let requested = state.reduce(event, at: now)
        effects += requested
        if performsEffects { for effect in requested { perform(effect) } }
        return self
    }

    /// Presses the keys of a script and returns the resulting effects.
    mutating func effects(of script: String) -> [Effect] {
        let before = effects.count
        press(script)
        return Array(effects[before...])
    }

    /// Reads preferences that differ from the standard ones.
    mutating func prefer(_ change: (inout Preferences) -> Void) {
        var preferences = Preferences.standard
        change(&preferences)
        happens(.settings(.preferencesRead(preferences, errors: [])))
    }

    /// Changes the overrides in another program.
    @discardableResult mutating func changeElsewhere(_ edits: [OverrideEdit]) -> Self {
        store.apply(edits, at: Self.now)
        return happens(.store(.read(store.table, error: nil)))
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .saveOverrides(let id, let edits, _):
            if let failure = store.failure {
                happens(.store(.saveFailed(id: id, reason: failure, canRetry: true)))
            } else {
                store.apply(edits, at: Self.now)
                happens(.store(.saved(id: id, store.table, notice: nil)))
            }
        case .changeTeam(let id, let request):
            if isTeamSilent { return }
            if let teamError {
                happens(.team(.changeFailed(id: id, reason: teamError)))
                return
            }
            let changes = request.changes(of: team, at: Self.now, by: "ana")
            for change in changes { team[change.key] = change.new }
            happens(.team(.changed(id: id, changes)))
        case .moveHistory(let id, .undo): move(id, store.undo(), "undo")
        case .moveHistory(let id, .undoTo(let revision)): move(id, store.undo(to: revision), "undo")
        case .moveHistory(let id, .redo): move(id, store.redo(), "redo")
        case .fetchRemote(let id):
            happens(.remote(.fetchStarted(id: id)))
            fetched = remote
            let waiting = ValueDifference.between(state.board.values.remote, remote.values)
            happens(.remote(.fetched(id: id, waiting: waiting.isEmpty ? nil : waiting, at: Self.now, errors: [])))
        case .activateRemote(let id):
            let content = RemoteContent(snapshot: fetched ?? remote, fetchedAt: Self.now)
            happens(.remote(.activated(content, by: .menu(id: id))))
        case .editOutside(let id, _, _):
            if let outsideEdit { happens(.terminal(.editedOutside(id: id, outsideEdit))) }
        case .readHistory(let id): happens(.store(.historyRead(id: id, store.history.reversed())))
        case .readStatus(let id, let tab):
            happens(.status(id: id, lines: ["The \(tab) of \(store.table.revision)."]))
        case .exportOverrides(let id, let path, let isReplacing):
            if files[path] != nil, !isReplacing {
                happens(.file(id: id, .exists(path: path)))
                return
            }
            files[path] = saved
            happens(.file(id: id, .exported(path: path, summary: "\(saved.count) written to \(path).")))
        case .readImport(let id, let path):
            let plan = files[path].map { state.board.plan(ImportEntries(values: FlagTable($0)), for: []) }
            let shared = pasted.map { ScenarioFile(name: "shared state", file: nil, content: .success($0)) }
            let rejection =
                shared.map { FileEvent.sharedFound($0, summary: "shop, made 2 days ago.") }
                ?? .refused(reason: "\(path) does not exist.")
            happens(.file(id: id, plan.map { .importRead(path: path, $0) } ?? rejection))
        case .scenarios(let id, let request): happens(.file(id: id, reply(to: request)))
        case .bisect(let id, let request):
            if bisectError == nil { apply(request) }
            happens(.store(.bisected(id: id, store.table, bisect, notice: bisectError)))
        case .copy(let id, let text, let what): happens(.terminal(.copied(id: id, text, what: what, .sent)))
        case .share(let id, let changes, let report):
            let what = report == nil ? "shared state" : "bug report"
            happens(.terminal(.copied(id: id, "\(report ?? "")fm1 \(changes.sentence)", what: what, .sent)))
        case .findShared(let id, let text):
            let file = ScenarioFile(name: "shared state", file: nil, content: .success(pasted ?? ImportEntries()))
            let found = FileEvent.sharedFound(file, summary: "shop, made 2 days ago.")
            happens(.file(id: id, pasted == nil ? .refused(reason: "No shared state in \(text).") : found))
        case .changeContext(let id, let change):
            if let evaluate { happens(.remote(.context(evaluate(id, change)))) }
        case .completePath(let id, let text):
            happens(.file(id: id, .completed(files.keys.filter { $0.hasPrefix(text) }.sorted())))
        case .listOpenChoices(let id): happens(.open(id: id, .listed(openChoices)))
        case .open(let id, let target):
            happens(.open(id: id, openError.map(OpenEvent.refused) ?? .opened(target)))
        case .suspend, .repaint, .setMouse, .cancelFetch: break
        }
    }

    private mutating func apply(_ request: BisectRequest) {
        switch request {
        case .use(var table, let log) where (bisect == nil) == (log == RunningBisect.emptyLog):
            table.revision = store.table.revision + 1
            bisect = RunningBisect(
                original: bisect?.original ?? store.table, log: log, revision: table.revision)
            store.adopt(table)
        case .stop:
            guard var table = bisect?.original else { return }
            table.revision = store.table.revision + 1
            store.adopt(table)
            bisect = nil
        case .use, .read: break
        }
    }

    private mutating func reply(to request: ScenarioRequest) -> FileEvent {
        var change: String?
        switch request {
        case .list: break
        case .save(let name, let isReplacing, let shared):
            if scenarios[name] != nil, !isReplacing { return .exists(path: name) }
            let values = (try? shared?.content.get())?.values.map { ($0.key, $0.value) }
            scenarios[name] = values.map { Dictionary($0) { first, _ in first } } ?? saved
            change = "Saved \(name)."
        case .rename(let name, let newName):
            if scenarios[newName] != nil { return .refused(reason: "There is a scenario \(newName) already.") }
            scenarios[newName] = scenarios.removeValue(forKey: name)
            change = "Renamed \(name) to \(newName)."
        case .delete(let name):
            if builtInScenarios.contains(name) { return .refused(reason: "\(name) cannot be deleted.") }
            scenarios[name] = nil
            change = "Deleted \(name)."
        }
        return .scenarios(
            scenarios.sorted { $0.key < $1.key }.map { name, values in
                var entries = ImportEntries(values: FlagTable(values))
                entries.contexts = [:]
                let file = builtInScenarios.contains(name) ? nil : "/scenarios/\(name).json"
                return ScenarioFile(name: name, file: file, content: .success(entries))
            }, change: change)
    }

    private mutating func move(_ id: RequestID, _ table: OverrideTable?, _ name: String) {
        guard let table else {
            happens(.store(.moveRefused(id: id, reason: "Nothing to \(name).", isAtEnd: true)))
            return
        }
        let (before, after) = (state.store.table.overrides, table.overrides)
        let keys = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        let changes = keys.map { OverrideChange(key: $0, old: before[$0], new: after[$0]) }
        happens(.store(.moved(id: id, table, changes: changes, notice: nil)))
    }

    /// The rows of the screen as text.
    var lines: [String] {
        let frame = state.screen.frame
        return (0..<frame.size.rows).map { frame.text(ofRow: $0) }
    }

    /// The whole screen as text.
    var text: String { lines.joined(separator: "\n") }

    /// The given texts that no line of the screen contains.
    func missing(_ texts: String...) -> [String] {
        let lines = lines
        return texts.filter { text in !lines.contains { $0.contains(text) } }
    }

    /// The screen in the format of snapshots.
    var dump: String {
        let screen = state.screen
        return FrameDump.text(screen.frame, cursor: screen.cursor)
    }

    /// The content of the second line.
    var notice: NoticeView.Content? { NoticeView(state: state).content }

    /// The text of the message line.
    var message: String? { state.message?.text }

    /// The effective value of a flag, listed or not.
    func value(_ key: String) -> String? { state.facts(of: FlagText(key)).value }

    /// The keys of the listed flags, in order.
    var listedKeys: [String] {
        state.list.rows.compactMap { row in
            if case .flag(let place) = row { state.board.key(at: place).string } else { nil }
        }
    }

    /// The headings of the list, in order.
    var headings: [String] { state.list.rows.compactMap { $0.heading?.name(on: state.board) } }

    /// The text from the hardware cursor to the right.
    var textAtCursor: String? {
        let screen = state.screen
        guard let cursor = screen.cursor else { return nil }
        return String(screen.frame.text(ofRow: cursor.row).dropFirst(cursor.column))
    }

    /// The selected key.
    var selectedKey: String? { state.selected?.key }

    /// The plan of the open dialog.
    var plan: BulkPlan? { state.sheet(BulkDialog.self)?.plan }

    /// The stored overrides: values by key.
    var saved: [String: String] {
        Dictionary(store.table.overrides.map { ($0.key, $0.value.value) }) { first, _ in first }
    }
}

/// Overrides and their history, in memory.
struct MemoryStore {
    private(set) var table = OverrideTable()
    private var past: [Step] = []
    private var future: [Step] = []
    /// Oldest first.
    private(set) var history: [HistoryEntry] = []

    /// The overrides before a change, and the index of its history entry.
    private struct Step {
        let overrides: FlagTable<FlagOverride>
        let entry: Int
    }

    /// The number of changes that can be undone.
    var changeCount: Int { past.count }
    /// The error of every write; `nil` if writes succeed.
    var failure: String?

    mutating func apply(_ edits: [OverrideEdit], at now: FlagTimestamp) {
        let before = table.overrides
        future = []
        table = table.applying(edits, at: ClockReading(now: now))
        for key in table.overrides.keys { table.overrides[key]?.setBy = "ana" }
        table.revision += 1
        record(edits.label, from: before)
        past.append(Step(overrides: before, entry: history.count - 1))
    }

    private mutating func record(_ action: String, from before: FlagTable<FlagOverride>, isMove: Bool = false) {
        let keys = before.keySet.union(table.overrides.keySet).sorted().map(\.string)
        let changes = keys.filter { before[$0] != table.overrides[$0] }.map {
            OverrideChange(key: $0, old: before[$0], new: table.overrides[$0])
        }
        history.append(
            HistoryEntry(
                revision: table.revision, date: table.revision < 3 ? "2026-11-24" : "2026-11-25",
                time: "14:0\(table.revision % 10):00", by: "ana", action: action, isMove: isMove, changes: changes))
    }

    /// Replaces the table with one that another program has written.
    mutating func adopt(_ table: OverrideTable) { self.table = table }

    mutating func undo() -> OverrideTable? { move(\.past, to: \.future, "undo") }

    mutating func undo(to revision: Int) -> OverrideTable? {
        var table: OverrideTable?
        while let step = past.last, history[step.entry].revision >= revision { table = undo() }
        return table
    }

    mutating func redo() -> OverrideTable? { move(\.future, to: \.past, "redo") }

    private mutating func move(
        _ from: WritableKeyPath<Self, [Step]>, to: WritableKeyPath<Self, [Step]>, _ action: String
    ) -> OverrideTable? {
        guard let step = self[keyPath: from].popLast() else { return nil }
        let before = table.overrides
        self[keyPath: to].append(Step(overrides: before, entry: step.entry))
        let entry = history[step.entry]
        history[step.entry] = HistoryEntry(
            revision: entry.revision, date: entry.date, time: entry.time, by: entry.by, action: entry.action,
            isUndone: action == "undo", isMove: entry.isMove, changes: entry.changes)
        table = OverrideTable(revision: table.revision + 1, overrides: step.overrides)
        record(action, from: before, isMove: true)
        return table
    }
}

extension Event {
    /// The activation of flags.
    static func activated(
        _ snapshot: RemoteSnapshot, by activation: RemoteReport.Activation = .menu(id: 0),
        at time: FlagTimestamp = MenuDriver.now
    ) -> Event {
        .remote(.activated(RemoteContent(snapshot: snapshot, fetchedAt: time), by: activation))
    }
}

extension [ValueDifference] {
    /// The given number of waiting values, each with its own key.
    static func values(_ count: Int) -> Self {
        (0..<count).map { ValueDifference(key: "waiting_\($0)", old: "old", new: "new") }
    }
}
