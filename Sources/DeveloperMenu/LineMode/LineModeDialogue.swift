import FlagModel
import TerminalUI

/// The menu as a talk in lines, for screen readers, slow links and terminals that cannot place a cursor.
///
/// It is a second face of the same engine: a line that was typed becomes events for the reducer, and what the state then
/// is becomes lines. Nothing is ever drawn over, so what was said stays in the order in which it was said.
public struct LineModeDialogue: Sendable {
    /// The keys that the numbers of the list stand for. They were heard, so they stay whatever happens to the list.
    var numbers: [Int: FlagText] = [:]
    /// How many flags have been told since the list began.
    var told = 0
    /// The flag that was chosen and is talked about.
    var focus: FlagText?
    /// Lines of JSON that are not a value yet.
    var draft: [String] = []
    /// What is still to be said.
    var replies: [String] = []
    /// What is to be said once the state has changed.
    var awaited: Awaited = .nothing
    /// The state as it was told last.
    var heard: MenuState?
    /// Whether something was asked of what is open, so that it answers even where it says what it said before.
    var wasAsked = false
    private var isPromptKnown = false
    private var isListTold = false

    enum Awaited {
        case nothing
        /// The list from its start.
        case list
        /// The chosen flag, whole.
        case focus
        /// Wherever the selection has moved.
        case selection
    }

    /// A talk that has not begun.
    public init() {}

    /// What is said first.
    public mutating func begin(_ state: MenuState) -> [String] {
        let summary = LineModeSummary(state: state)
        var lines = [summary.line] + summary.problems
        if let message = state.message { lines.append(Self.spoken(message)) }
        replies = []
        // What is open over the list comes first; the list is told once it is closed.
        if state.mode == .list { listFromStart(state) }
        lines += replies + sheetLines(state)
        replies = []
        heard = state
        return lines.map { DisplayText.safe($0, charset: state.charset) }
    }

    /// What is said after a line was taken in and the effects that it asked for have been answered.
    ///
    /// - Returns: the lines, and events that are due after them, whose answer is asked for in the same way.
    public mutating func answer(_ state: MenuState) -> (lines: [String], events: [LineEvent]) {
        var lines = replies
        replies = []
        let news = heard.map { LineModeNews(old: $0, new: state).lines } ?? []
        if let message = state.message, heard?.message != message, !Self.isRepeated(message, by: news) {
            lines.append(Self.spoken(message))
        }
        lines += news
        lines += sheetLines(state)
        lines += listLines(state)
        heard = state
        wasAsked = false
        let isTold = LineModeSheet(state)?.isTold ?? false
        return (
            lines.map { DisplayText.safe($0, charset: state.charset) },
            isTold ? [.actionChosen(.cancel, in: state.mode.part)] : []
        )
    }

    /// What stands in front of the next line. The first time it says how to go on.
    public mutating func prompt(_ state: MenuState) -> String {
        defer { if state.mode == .list { isPromptKnown = true } }
        return DisplayText.safe(question(state), charset: state.charset)
    }

    private func question(_ state: MenuState) -> String {
        if !draft.isEmpty { return "Line \(draft.count + 1), or a period to end: " }
        if let sheet = LineModeSheet(state) { return sheet.prompt }
        if let focus { return "\(DisplayText.clipped(state.facts(of: focus).name, to: 60, charset: state.charset)): " }
        // The slash and the question mark are understood here whatever the keys are.
        return isPromptKnown
            ? "Menu: " : "Number to choose, / to filter, ? for help, \(state.keyName(of: .quit)) to quit: "
    }

    /// A sheet is told when it opens and when it has something else to say.
    private func sheetLines(_ state: MenuState) -> [String] {
        guard draft.isEmpty, let sheet = LineModeSheet(state) else { return [] }
        let wasOpen = heard?.mode.part == state.mode.part
        let isKnown = wasOpen && !wasAsked && heard.flatMap(LineModeSheet.init)?.lines == sheet.lines
        return isKnown ? [] : sheet.lines
    }

    /// The chosen flag, or the list where it is another one because something else was asked for.
    private mutating func listLines(_ state: MenuState) -> [String] {
        defer { awaited = .nothing }
        guard state.mode == .list, state.ending == nil, let heard else { return [] }
        if awaited == .list || !isListTold || heard.list.isArrangedOtherwise(than: state.list) {
            listFromStart(state)
            defer { replies = [] }
            return replies
        }
        switch awaited {
        case .nothing, .list: return []
        case .focus: return focus.map { whole($0, state) } ?? []
        case .selection:
            focus = state.selected.map { FlagText($0.key) }
            return state.selected.map { [position(state) + FlagSentences($0, in: state).brief] } ?? []
        }
    }

    private func whole(_ key: FlagText, _ state: MenuState) -> [String] {
        let sentences = FlagSentences(state.facts(of: key), in: state)
        var lines = sentences.full
        if state.row(of: key) != nil { lines[0] = position(state) + lines[0] }
        return lines + [sentences.hint]
    }

    private func position(_ state: MenuState) -> String {
        guard let selection = state.list.selection else { return "" }
        let number = state.list.rows[...selection].count { $0.isFlag }
        return "\(number) of \(state.list.flagCount). "
    }

    /// What is said last: what stays in force.
    public static func farewell(_ state: MenuState) -> String {
        let sentence = "Closed. \(state.lastingOverrides ?? LineModeSummary(state: state).overrides)"
        return DisplayText.safe(sentence, charset: state.charset)
    }

    /// Whether news say it too: what undo and redo changed, they tell with the state that came of it.
    static func isRepeated(_ message: MenuState.Message, by news: [String]) -> Bool {
        message.kind == .change && !news.isEmpty
    }

    /// A change is written with an arrow, which nobody can hear.
    static func spoken(_ message: MenuState.Message) -> String {
        message.kind == .change ? message.text.replacing(" -> ", with: " to ") : message.text
    }
}

extension LineModeDialogue {
    mutating func listFromStart(_ state: MenuState) {
        (focus, told, numbers, isListTold) = (nil, 0, [:], true)
        listMore(state)
    }

    mutating func listMore(_ state: MenuState) {
        let page = LineModeListing(state: state, start: told).page()
        replies += page.lines
        for (index, key) in page.keys.enumerated() { numbers[told + index + 1] = key }
        told += page.keys.count
    }
}

extension FlagList {
    /// Whether something else was asked to be listed; what is listed may differ for other reasons too.
    fileprivate func isArrangedOtherwise(than other: FlagList) -> Bool {
        filter.text != other.filter.text || showsOverriddenOnly != other.showsOverriddenOnly || order != other.order
    }
}
