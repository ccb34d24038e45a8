import FlagModel
import TerminalUI

/// A sheet in line mode: its lines, the numbered choices, and its prompt.
struct LineModeSheet {
    /// The lines when the sheet opens or its text changes.
    var lines: [String] = []
    /// The numbered choices, from 1: a number moves to one and accepts it.
    var choices: [String] = []
    /// The prompt.
    var prompt = "Answer: "
    /// Whether it has no prompt, so that it closes as soon as it was printed.
    var isTold = false
}

extension LineModeSheet {
    /// A sheet whose choices are numbered, between lines before and after them.
    init(before: [String] = [], numbering choices: [String], after: [String] = [], prompt: String) {
        let numbered = choices.enumerated().map { "\($0 + 1). \($1)" }
        self.init(lines: before + numbered + after, choices: choices, prompt: prompt)
    }

    /// The sheet that is open; `nil` in the list.
    init?(_ state: MenuState) {
        if let sheet = state.mode.sheet {
            self = sheet.printed(in: state)
        } else if state.mode == .filter {
            self.init(lines: ["An empty line clears the filter."], prompt: "Filter: ")
        } else {
            return nil
        }
    }
}
