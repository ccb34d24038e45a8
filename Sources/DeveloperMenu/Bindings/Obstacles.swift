import FlagModel

// Why a binding does nothing on the selected flag, as sentences: the footer leaves such bindings out, a press tells why.
extension MenuState {
    var selectionObstacle: String? {
        guard selected == nil else { return nil }
        return isNarrowed
            ? "No flag is listed. \(keyWord(of: .cancel)) shows all flags." : "There is no flag to choose yet."
    }

    var toggleObstacle: String? {
        guard let flag = selected else { return selectionObstacle }
        return flag.hasChoice
            ? nil : "\(flag.name) has no options to step through. \(keyWord(of: .open)) edits its value."
    }

    private var explanation: ExplanationView? {
        guard case .explanation(let sheet) = mode else { return nil }
        return ExplanationView(state: self, sheet: sheet, facts: facts(of: sheet.key))
    }

    private var report: ReportView? {
        guard case .report(let sheet) = mode else { return nil }
        return ReportView(state: self, sheet: sheet)
    }

    var scrollObstacle: String? {
        (explanation?.scrolled ?? report?.scrolled)?.canScroll ?? true ? nil : "All of it is in view."
    }

    var fetchObstacle: String? {
        guard remote.phase == .loading else { return nil }
        return "Remote values are being read.\(remote.fetch == nil ? "" : " \(keyWord(of: .cancel)) cancels.")"
    }

    var foldObstacle: String? { explanation?.hasFoldedValues ?? true ? nil : "No value here is folded." }

    /// Why there is no flag to explain that stands so many flags away.
    func stepObstacle(by count: Int) -> String? {
        guard let row = list.selection, list.flag(count, from: row) == row else { return selectionObstacle }
        return count > 0 ? "This is the last flag that is listed." : "This is the first flag that is listed."
    }

    var stepObstacle: String? {
        guard case .editor(let editor) = mode, editor.type != .int else { return nil }
        return "Only whole numbers have one more and one less."
    }

    var typingObstacle: String? {
        guard case .editor(let editor) = mode, !editor.canUndo else { return nil }
        return "Nothing was typed yet."
    }

    var clearObstacle: String? {
        guard let flag = flagAtHand else { return selectionObstacle }
        return flag.override == nil ? "\(flag.name) is not overridden." : nil
    }

    var clearCategoryObstacle: String? {
        selectionObstacle ?? (overriddenInSelectedCategory.isEmpty ? "Nothing in this category is overridden." : nil)
    }

    var completionObstacle: String? {
        let completion = FilterCompletion(self)
        if completion?.completed(list.filter) != nil { return nil }
        guard let completion, !completion.words.isEmpty else {
            return "There is nothing to complete; is: type: cat: and layer: begin a condition."
        }
        return "Which one? \(completion.words.joined(separator: ", "))"
    }

    /// Of two values that are both on the list nobody needs a third.
    var otherValueObstacle: String? {
        guard case .options(let options) = mode else { return nil }
        let flag = facts(of: options.key)
        return flag.hasOtherValues ? nil : "\(flag.name) is on or off; there is no other value."
    }

    var matchObstacle: String? {
        list.filter.text.isEmpty ? "There is no filter. \(keyWord(of: .filter)) starts one." : selectionObstacle
    }
}

extension FlagFacts {
    /// Whether there is a value to write that is none of the options: not where both values of a bool are options.
    var hasOtherValues: Bool {
        guard type == .bool else { return true }
        return Set(options.compactMap { FlagReading.bool($0.value) }).count < 2
    }
}
