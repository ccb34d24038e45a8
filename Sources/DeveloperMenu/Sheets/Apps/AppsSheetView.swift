import FlagModel
import FlagQueries
import TerminalUI

extension AppsSheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let rows = ChoiceRows(
            rows(in: state).map { ChoiceRows.Row(text: $0.text, note: $0.note) }, selection: selection)
        let box = SheetFrame(lines: max(1, rows.count), columns: min(100, state.size.columns - 4), on: state.size)
        box.draw(title: title(in: state), state: state, on: &frame)
        guard rows.count > 0 else {
            frame.write(
                clipping: emptySentence, row: box.inside.row, column: box.inside.column, columns: box.inside.columns)
            return Position(row: box.inside.row, column: box.inside.column)
        }
        return rows.draw(in: box.inside, state, on: &frame)
    }

    private func title(in state: MenuState) -> String {
        guard let app else { return "Running apps" }
        let hasEnded = !state.apps.running.contains { $0.id == app.id }
        return "Flags of \(app.shownName)\(hasEnded ? ", which has ended" : "")"
    }

    /// Why no row is listed.
    var emptySentence: String {
        guard let app else { return "No app is running with its flags open." }
        return app.clients.isEmpty
            ? "Its code declares no flags." : "Its clients evaluate flags; flagmenu apps lists what they got."
    }

    private func rows(in state: MenuState) -> [(text: String, note: String)] {
        if let app {
            return app.flags.map { (state.board.facts(of: FlagText($0.key)).name, state.usage(of: $0, by: app)) }
        }
        return state.apps.running.map { ($0.shownName, state.usage(by: $0)) }
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let rows = rows(in: state)
        guard !rows.isEmpty else { return LineModeSheet(lines: [emptySentence, "Enter goes back."], prompt: "Apps: ") }
        let after = app == nil ? "A number shows the flags of an app" : "A number goes to the flag"
        return LineModeSheet(
            before: ["\(title(in: state))."], numbering: rows.map { "\($0.text), \($0.note)." },
            after: ["\(after), Enter goes back."], prompt: "\(app == nil ? "App" : "Flag"): ")
    }
}

extension MenuState {
    /// Since when an app runs, and how far it uses the overrides.
    fileprivate func usage(by app: RunningApp) -> String {
        let start = "started \(FlagTimestamp(milliseconds: app.startedAt).age(at: now))"
        if app.ignoredOverrides != nil { return "\(start), \(FlagUptake.ignoresOverrides.summary)" }
        let untaken = board.values.overrides.keys.count { key in
            uptake(of: key, by: app).map { !$0.isTaken } ?? false
        }
        let clients = app.activeClients(at: now.milliseconds).count
        let flags = clients > 0 ? clients.counted("client") : app.flags.count.counted("flag")
        return untaken > 0 ? "\(start), \(flags), \(untaken) not taken" : "\(start), \(flags)"
    }

    /// The value that an app uses, its layer, and whether the code has read it.
    fileprivate func usage(of flag: DeclaredFlag, by app: RunningApp) -> String {
        guard let use = flag.use else { return "unknown" }
        let value = FlagWords.short(use.value, flag.type, charset)
        let uptake = uptake(of: flag.key, by: app)
        let words = uptake.map { $0.isTaken ? "" : ", \($0.summary)" } ?? ""
        return "\(value) (\(use.layer.word))\(words)"
    }

    private func uptake(of key: String, by app: RunningApp) -> FlagUptake? {
        apps.uptake(of: board.facts(of: FlagText(key)), by: app)
    }
}
