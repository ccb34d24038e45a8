import FlagModel
import TerminalUI

/// What line mode prints of what lies over the list on a screen: its lines, what can be chosen by number, and how it asks.
struct LineModeSheet {
    /// What is printed when the sheet opens or says something else.
    var lines: [String] = []
    /// What the numbers from 1 choose: moving to it and accepting.
    var choices: [String] = []
    /// What stands in front of the answer.
    var prompt = "Answer: "
    /// Whether there is nothing to ask, so that it closes as soon as it was printed.
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
