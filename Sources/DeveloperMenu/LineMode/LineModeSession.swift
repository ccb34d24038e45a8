import FlagModel
import FlagQueries
import TerminalUI

/// The menu as lines of text, for screen readers, slow links and terminals without cursor addressing.
///
/// It is a second view of ``MenuState``: a typed line becomes events for the reducer, and the resulting state becomes
/// lines. Printed lines are never overwritten.
public struct LineModeSession: Sendable {
    /// The keys of the printed flags, in the order of their numbers. A number stays valid when the list changes.
    var numbered: [FlagText] = []
    /// The chosen flag.
    var focus: FlagText?
    /// The lines of an incomplete JSON value.
    var draft: [String] = []
    /// The lines to print with the next response.
    var replies: [String] = []
    /// What the next response prints in addition to messages and changes.
    var awaited: Awaited = .list
    /// The most recently printed state.
    var announced: MenuState?
    /// Whether the last line led to events. If so, the open sheet is printed again even if its text is the same.
    var wasRequested = false
    /// Whether the long first prompt was printed.
    private var wasPromptExplained = false

    enum Awaited {
        case nothing
        /// The list from its start.
        case list
        /// The explanation of the chosen flag.
        case focus
        /// The newly selected flag.
        case selection
    }

    /// A session that has printed nothing yet.
    public init() {}

    /// Returns the first lines: the summary, and the list or the open sheet.
    public mutating func begin(_ state: MenuState) -> [String] {
        replies = LineModeSummary(state: state).lines
        return respond(state).lines
    }

    /// The lines to print after a typed line was read and its effects have finished.
    ///
    /// - Returns: the lines, and events to send to the reducer after printing the lines. If there are events, call this
    ///   function again after sending them.
    public mutating func respond(_ state: MenuState) -> (lines: [String], events: [LineEvent]) {
        replies += updates(to: state) + sheetLines(state)
        replyAboutList(state)
        defer { (replies, announced, wasRequested) = ([], state, false) }
        let isAnnounced = LineModeSheet(state)?.isAnnounced ?? false
        return (
            replies.map { DisplayText.safe($0, charset: state.charset) },
            isAnnounced ? [.actionChosen(.cancel, in: state.part)] : []
        )
    }

    /// The prompt for the next line. The first prompt of the list explains the commands.
    public mutating func prompt(_ state: MenuState) -> String {
        defer { if state.mode == .list { wasPromptExplained = true } }
        return DisplayText.safe(promptText(state), charset: state.charset)
    }

    private func promptText(_ state: MenuState) -> String {
        if !draft.isEmpty { return "Line \(draft.count + 1), or a period to end: " }
        if let sheet = LineModeSheet(state) { return sheet.prompt }
        if let focus { return "\(DisplayText.clipped(state.facts(of: focus).name, to: 60, charset: state.charset)): " }
        // The slash and the question mark work here even if the keys are remapped.
        return wasPromptExplained
            ? "Menu: " : "Number to choose, / to filter, ? for help, \(state.keyName(of: .quit)) to quit: "
    }

    /// The lines of the open sheet; empty if they have already been printed.
    private func sheetLines(_ state: MenuState) -> [String] {
        guard draft.isEmpty, let sheet = LineModeSheet(state) else { return [] }
        let wasOpen = announced?.mode.part == state.part
        let wasPrinted = wasOpen && !wasRequested && announced.flatMap(LineModeSheet.init)?.lines == sheet.lines
        return wasPrinted ? [] : sheet.lines
    }

    /// Prints the awaited lines, or the list if its filter or order has changed.
    private mutating func replyAboutList(_ state: MenuState) {
        // An open sheet is printed first, the list after the sheet is closed.
        guard state.mode == .list, state.ending == nil else { return }
        defer { awaited = .nothing }
        let (old, new) = (announced?.list, state.list)
        let isSameList =
            old?.filter.text == new.filter.text && old?.showsChangesOnly == new.showsChangesOnly
            && old?.order == new.order
        if !isSameList { awaited = .list }
        switch awaited {
        case .nothing: break
        case .list: _ = listFromStart(state)
        case .focus: replies += focus.map { explanation(of: $0, state) } ?? []
        case .selection:
            focus = state.selected.map { FlagText($0.key) }
            replies += state.selected.map { [position(state) + FlagSentences($0, at: state.now).brief] } ?? []
        }
    }

    private func explanation(of key: FlagText, _ state: MenuState) -> [String] {
        let sentences = FlagSentences(state.facts(of: key), at: state.now)
        var lines = sentences.full(in: state)
        if state.list.row(of: key) != nil { lines[0] = position(state) + lines[0] }
        return lines + [sentences.hint(in: state)]
    }

    /// The position of the selected flag in the list, such as `3 of 12. `; empty if no flag is selected.
    private func position(_ state: MenuState) -> String {
        state.list.position.map { "\($0.number) of \($0.count). " } ?? ""
    }

    /// The last line: says that the menu is closed and which overrides stay active.
    public static func farewell(_ state: MenuState) -> String {
        let sentence = "Closed. \(state.lastingOverrides ?? LineModeSummary(state: state).overrides)"
        return DisplayText.safe(sentence, charset: state.charset)
    }

    /// A new message, and what else has changed since the last printed state.
    ///
    /// - Parameter kind: a kind of messages that only repeat the changes.
    func updates(to state: MenuState, leavingOut kind: MenuMessage.Kind? = nil) -> [String] {
        let updates = announced.map { LineModeUpdates(old: $0, state: state).lines } ?? []
        guard let message = state.message, message != announced?.message, message.kind != kind else { return updates }
        guard message.kind == .change else { return [message.text] + updates }
        // An undone or redone change is also an update. Screen readers do not read an arrow.
        return updates.isEmpty ? [message.text.replacing(" -> ", with: " to ")] : updates
    }

    /// Prints lines with the next response, in reply to a line that has no events.
    mutating func reply(_ lines: [String]) -> [LineEvent] {
        replies += lines
        return []
    }

    /// Prints the first page of the list, and numbers the flags from 1.
    mutating func listFromStart(_ state: MenuState) -> [LineEvent] {
        (focus, numbered) = (nil, [])
        return listMore(state)
    }

    /// Prints the next page of the list.
    mutating func listMore(_ state: MenuState) -> [LineEvent] {
        let page = LineModeListing(state: state).page(after: numbered.count)
        numbered += page.keys
        return reply(page.lines)
    }
}
