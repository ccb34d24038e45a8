import FlagModel
import TerminalUI

/// The menu as lines of text, for screen readers, slow links and terminals without cursor addressing.
///
/// It is a second view of the same engine: a typed line becomes events for the reducer, and the resulting state becomes
/// lines. Nothing is overwritten, so all output stays in order.
public struct LineModeDialogue: Sendable {
    /// The keys behind the numbers of the list. They were printed, so they stay valid whatever happens to the list.
    var numbers: [Int: FlagText] = [:]
    /// How many flags of the list have been printed.
    var told = 0
    /// The chosen flag.
    var focus: FlagText?
    /// Incomplete lines of JSON.
    var draft: [String] = []
    /// Lines to print.
    var replies: [String] = []
    /// What to print after the state has changed.
    var awaited: Awaited = .nothing
    /// The state that was printed last.
    var heard: MenuState?
    /// Whether the last line was for the open sheet, so that it responds even if its text is the same.
    var wasAsked = false
    private var isPromptKnown = false
    private var isListTold = false

    enum Awaited {
        case nothing
        /// The list from its start.
        case list
        /// The explanation of the chosen flag.
        case focus
        /// The flag of the moved selection.
        case selection
    }

    /// A dialogue that has not begun.
    public init() {}

    /// The first lines.
    public mutating func begin(_ state: MenuState) -> [String] {
        let summary = LineModeSummary(state: state)
        var lines = [summary.line] + summary.problems
        if let message = state.message { lines.append(Self.spoken(message)) }
        replies = []
        // An open sheet comes first; the list is printed after it is closed.
        if state.mode == .list { listFromStart(state) }
        lines += replies + sheetLines(state)
        replies = []
        heard = state
        return lines.map { DisplayText.safe($0, charset: state.charset) }
    }

    /// The lines to print after a typed line was read and its effects have finished.
    ///
    /// - Returns: the lines, and events to send after them, whose lines are requested in the same way.
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

    /// The prompt for the next line. The first one says how to continue.
    public mutating func prompt(_ state: MenuState) -> String {
        defer { if state.mode == .list { isPromptKnown = true } }
        return DisplayText.safe(question(state), charset: state.charset)
    }

    private func question(_ state: MenuState) -> String {
        if !draft.isEmpty { return "Line \(draft.count + 1), or a period to end: " }
        if let sheet = LineModeSheet(state) { return sheet.prompt }
        if let focus { return "\(DisplayText.clipped(state.facts(of: focus).name, to: 60, charset: state.charset)): " }
        // The slash and the question mark work here whatever the keys are.
        return isPromptKnown
            ? "Menu: " : "Number to choose, / to filter, ? for help, \(state.keyName(of: .quit)) to quit: "
    }

    /// A sheet is printed when it opens and when its text changes.
    private func sheetLines(_ state: MenuState) -> [String] {
        guard draft.isEmpty, let sheet = LineModeSheet(state) else { return [] }
        let wasOpen = heard?.mode.part == state.mode.part
        let isKnown = wasOpen && !wasAsked && heard.flatMap(LineModeSheet.init)?.lines == sheet.lines
        return isKnown ? [] : sheet.lines
    }

    /// The chosen flag, or the list if its filter or order changed.
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

    /// The last line: the overrides that stay active.
    public static func farewell(_ state: MenuState) -> String {
        let sentence = "Closed. \(state.lastingOverrides ?? LineModeSummary(state: state).overrides)"
        return DisplayText.safe(sentence, charset: state.charset)
    }

    /// Whether the changes contain the message: changes by undo and redo are printed with the new state.
    static func isRepeated(_ message: MenuState.Message, by news: [String]) -> Bool {
        message.kind == .change && !news.isEmpty
    }

    /// A change without its arrow, for screen readers.
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
    /// Whether the filter or order differs; the listed flags may differ for other reasons too.
    fileprivate func isArrangedOtherwise(than other: FlagList) -> Bool {
        filter.text != other.filter.text || showsOverriddenOnly != other.showsOverriddenOnly || order != other.order
    }
}
