import FlagModel
public import TerminalUI

extension MenuState {
    /// The whole screen, as a pure function of the state.
    public var screen: Screen {
        var frame = Frame(size: size, charset: charset)
        guard !layout.isTooSmall else { return tooSmallScreen(frame) }
        TitleView(state: self).draw(on: &frame)
        let filterCursor = layout.noticeRow.flatMap { NoticeView(state: self, row: $0).draw(on: &frame) }
        let flags = ListView(self, in: layout.list)
        flags.draw(on: &frame)
        if let region = layout.detail { DetailView(state: self, region: region).draw(on: &frame) }
        if let region = layout.categories { CategoriesView(state: self, region: region).draw(on: &frame) }
        drawLastLines(on: &frame)
        let sheetCursor = mode.sheet?.draw(in: self, on: &frame)
        let cursor = mode == .filter ? filterCursor : sheetCursor ?? flags.cursor
        return Screen(frame: frame, cursor: cursor)
    }

    private func drawLastLines(on frame: inout Frame) {
        if isFooterShown { FooterView(state: self).draw(row: layout.footerRow, on: &frame) }
        let row = (isFooterShown ? layout.footerRow : layout.footerRow + 1) - MessageView.rows(for: self)
        guard layout.messageRow != nil || message != nil || filterHint != nil else { return }
        let showsFlag = layout.messageRow != nil && layout.detail == nil
        MessageView(state: self, row: row, showsFlag: showsFlag).draw(on: &frame)
    }

    /// Whether the footer is visible. A long message covers the last rows of the list, and also the footer if the
    /// message would otherwise hide the selected flag. In the compact layout, any message or filter hint replaces the
    /// footer.
    var isFooterShown: Bool {
        guard layout.messageRow != nil else { return message == nil && filterHint == nil }
        return MessageView.rows(for: self) <= 1 + MessageView.rowsBelowSelection(self)
    }

    /// Computes the layout and stores it in the state. The reducer calls this method after each event. Otherwise, the
    /// reducer only reads the stored layout.
    mutating func layOut() {
        layout = Layout(size: size, needs: needs, noticeRows: NoticeView.rows(for: self))
        (list.height, list.hasGaps) = (layout.list.rows, size.rows >= Layout.rowsWithGaps)
        guard !layout.isTooSmall else { return }
        inSheet { sheet, state in sheet.layOut(in: state) }
    }

    private func tooSmallScreen(_ frame: Frame) -> Screen {
        var frame = frame
        let needed = "\(Layout.smallest.columns)x\(Layout.smallest.rows)"
        let text =
            "needs \(needed), has \(size.columns)x\(size.rows)  \(changeCount) changed"
        frame.write(clipping: text, row: 0, column: 0, columns: size.columns)
        return Screen(frame: frame, cursor: nil)
    }
}
