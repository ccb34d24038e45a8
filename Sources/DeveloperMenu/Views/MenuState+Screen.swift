import FlagModel
public import TerminalUI

extension MenuState {
    /// The whole screen, as a pure function of the state.
    public var screen: Screen {
        var frame = Frame(size: size, charset: charset)
        let layout = Layout(self)
        guard !layout.isTooSmall else { return tooSmallScreen(frame) }
        TitleView(state: self).draw(on: &frame)
        let notice = layout.noticeRow.map { NoticeView(state: self, row: $0) }
        notice?.draw(on: &frame)
        let flags = ListView(self, in: layout.list, besideDetail: layout.detail != nil)
        flags.draw(on: &frame)
        if let region = layout.detail { DetailView(state: self, region: region).draw(on: &frame) }
        if let region = layout.categories { CategoriesView(state: self, region: region).draw(on: &frame) }
        drawLastLines(layout, on: &frame)
        let sheetCursor = drawSheet(on: &frame)
        let cursor = mode == .filter ? notice?.cursor(columns: size.columns) : sheetCursor ?? flags.cursor
        return Screen(frame: frame, cursor: cursor)
    }

    private func drawLastLines(_ layout: Layout, on frame: inout Frame) {
        if let row = layout.messageRow {
            MessageView(state: self, row: row, hasDetailPane: layout.detail != nil).draw(on: &frame)
            FooterView(state: self).draw(row: layout.footerRow, on: &frame)
        } else if message != nil || filterHint != nil {
            let row = layout.footerRow + 1 - MessageView.rows(for: self)
            MessageView(state: self, row: row, hasDetailPane: true).draw(on: &frame)
        } else {
            FooterView(state: self).draw(row: layout.footerRow, on: &frame)
        }
    }

    /// Draws what lies over the list and tells where the cursor belongs on it.
    func drawSheet(on frame: inout Frame) -> Position? {
        switch mode {
        case .list, .filter: return nil
        case .options(let options):
            return OptionListView(state: self, options: options, facts: facts(of: options.key)).draw(on: &frame)
        case .editor(let editor):
            let facts = facts(of: editor.key)
            return editor.isDocument
                ? JSONEditorView(state: self, editor: editor, facts: facts).draw(on: &frame)
                : ValueEditorView(state: self, editor: editor, facts: facts).draw(on: &frame)
        case .otherValue(let editor):
            return OtherValueView(state: self, editor: editor, facts: facts(of: editor.key)).draw(on: &frame)
        case .explanation(let sheet):
            return ExplanationView(state: self, sheet: sheet, facts: facts(of: sheet.key)).draw(on: &frame)
        case .question(let question):
            return BulkQuestionView(state: self, question: question).draw(on: &frame)
        case .help(let help):
            return ActionSheetView(state: self, sheet: help, context: .help).draw(on: &frame)
        case .palette(let palette):
            return ActionSheetView(state: self, sheet: palette, context: .palette).draw(on: &frame)
        case .copy(let sheet):
            return CopySheetView(state: self, sheet: sheet, facts: facts(of: sheet.key)).draw(on: &frame)
        case .context:
            return ContextSheetView(state: self).draw(on: &frame)
        case .report(let sheet):
            return ReportView(state: self, sheet: sheet).draw(on: &frame)
        case .prompt(let prompt):
            return LinePromptView(state: self, prompt: prompt).draw(on: &frame)
        }
    }

    private func tooSmallScreen(_ frame: Frame) -> Screen {
        var frame = frame
        let needed = "\(Layout.smallest.columns)x\(Layout.smallest.rows)"
        let text = "needs \(needed), has \(size.columns)x\(size.rows)  * \(overrideCount) overridden"
        frame.write(clipping: text, row: 0, column: 0, columns: size.columns)
        return Screen(frame: frame, cursor: nil)
    }
}
