import TerminalUI

extension StageState {
    /// The screen as lines of text without a terminal, for scripts and for comparing variants.
    var plainLines: [String] {
        var state = self
        state.hasKeys = false
        let frame = state.view.frame
        var lines = (0..<frame.size.rows).map { frame.text(ofRow: $0) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
