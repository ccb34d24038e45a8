public import FlagModel
import TerminalUI

/// The sheet that explains one flag if the screen has no room for a detail pane.
public struct ExplanationSheet: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// Whether long JSON is shown in full.
    public internal(set) var isUnfolded = false
    /// The scroll position.
    var scrolled = ScrolledLines.none
    /// Whether the explanation has JSON to fold and unfold.
    var hasFoldedValues = false

    init(key: FlagText) { self.key = key }
}

extension MenuPart {
    /// The sheet that explains one flag.
    public static let explanation = MenuPart(id: "explanation", heading: "In an explanation", opener: .explain)
}

extension ExplanationSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.explanation, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        .moving(.down, [.down, "j"], label: "scroll", help: "Scroll down.", disabledReason: \.scrollReason),
        Action(
            .open, [.enter], label: "change", help: "Open the options, or edit a value that has none.", .changesValues,
            rank: .everyday
        ) { state in
            state.currentFlag.map { state.open($0) } ?? []
        },
        Action(
            .clear, ["x", .delete, .backspace], label: "clear",
            help: "Clear the override and use the remote value again.", .changesValues, rank: .frequent,
            disabledReason: \.clearReason
        ) { state in
            state.currentFlag.map { state.save([.clear(key: $0.key)]) } ?? []
        },
        Action(
            "nextFlag", ["n", .right, "l"], label: "next flag", help: "Explain the next flag of the list.",
            disabledReason: { $0.stepReason(by: 1) }
        ) { $0.explainFlag(1) },
        Action(
            "previousFlag", ["N", .left, "h"], label: "previous", help: "Explain the previous flag.",
            disabledReason: { $0.stepReason(by: -1) }
        ) { $0.explainFlag(-1) },
        Action(.copy, ["y"], label: "copy", help: "Copy the key, the value, or the shell command.") {
            $0.openCopySheet()
        },
        Action(.undo, ["u"], help: "Undo the last change, no matter who made it.", .changesValues) {
            $0.moveHistory(.undo)
        },
        Action(
            .cancel, [.escape, "q", "i"], label: "back", help: "Close the explanation.", .isWayOut, rank: .always
        ) { $0.closeSheet() },
        .moving(.up, [.up, "k"], help: "Scroll up.", disabledReason: \.scrollReason),
        .moving(.pageDown, [.pageDown, " "], help: "Scroll one page down.", disabledReason: \.scrollReason),
        .moving(.pageUp, [.pageUp], help: "Scroll one page up.", disabledReason: \.scrollReason),
        Action(
            "fold", [.tab], label: "whole JSON", help: "Show long JSON whole, or fold it again.",
            disabledReason: \.foldReason
        ) { state in
            state.changeSheet(ExplanationSheet.self) { $0.isUnfolded.toggle() }
            return []
        },
    ]

    var part: MenuPart { .explanation }
    var mode: MenuState.Mode { .explanation(self) }
    var flagKey: FlagText? { key }

    mutating func move(_ movement: Movement, in state: MenuState) {
        scrolled = scrolled.moved(movement)
    }
}

extension MenuState {
    mutating func explainSelected() -> [Effect] {
        if let flag = selected { mode = .explanation(ExplanationSheet(key: FlagText(flag.key))) }
        return []
    }

    /// Selects and explains the flag `count` flags below the selected one, or above it if `count` is negative.
    fileprivate mutating func explainFlag(_ count: Int) -> [Effect] {
        select { $0.flag(count, from: $1) } + explainSelected()
    }

    /// Why there is no flag `count` flags below or above; `nil` if there is one.
    fileprivate func stepReason(by count: Int) -> String? {
        guard let row = list.selection, list.flag(count, from: row) == row else { return selectionReason }
        return count > 0 ? "This is the last flag that is listed." : "This is the first flag that is listed."
    }

    /// Why there is no JSON to fold or unfold; `nil` if there is.
    fileprivate var foldReason: String? {
        sheet(ExplanationSheet.self)?.hasFoldedValues ?? true ? nil : "No value here is folded."
    }

    /// Why the open explanation or report does not scroll: it is completely in view. `nil` if it scrolls.
    var scrollReason: String? {
        let scrolled = sheet(ExplanationSheet.self)?.scrolled ?? sheet(ReportSheet.self)?.scrolled
        return scrolled?.canScroll ?? true ? nil : "All of it is in view."
    }
}
