import FlagModel
import TerminalUI

/// A sheet in line mode: its lines, the numbered choices, and its prompt.
struct LineModeSheet {
    /// The lines to print when the sheet opens or its text changes.
    var lines: [String] = []
    /// The number of choices. A typed number accepts the choice with this number.
    var choiceCount = 0
    /// The prompt below the lines.
    var prompt = "Your choice: "
    /// Whether the sheet has no prompt, and closes as soon as it is printed.
    var isAnnounced = false
}

extension LineModeSheet {
    /// A sheet with numbered choices between other lines.
    init(before: [String] = [], numbering choices: [String], after: [String] = [], prompt: String) {
        let numbered = choices.enumerated().map { "\($0 + 1). \($1)" }
        self.init(lines: before + numbered + after, choiceCount: choices.count, prompt: prompt)
    }

    /// The open sheet; `nil` if no sheet is open.
    init?(_ state: MenuState) {
        switch state.mode {
        case .sheet(let sheet): self = sheet.printed(in: state)
        case .filter: self.init(lines: ["An empty line clears the filter."], prompt: "Filter: ")
        case .list: return nil
        }
    }
}
