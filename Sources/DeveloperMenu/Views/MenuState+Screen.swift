import FlagModel
public import TerminalUI

extension MenuState {
    /// The whole screen, as a pure function of the state.
    public var screen: Screen {
        var frame = Frame(size: size, charset: charset)
        guard !layout.isTooSmall else { return tooSmallScreen(frame) }
        TitleView(state: self).draw(on: &frame)
        let filterCursor = NoticeView(state: self).draw(on: &frame)
        let flags = ListView(self, in: layout.list)
        flags.draw(on: &frame)
        if let region = layout.detail { DetailView(state: self, region: region).draw(on: &frame) }
        if let region = layout.categories { CategoriesView(state: self, region: region).draw(on: &frame) }
        FooterView(state: self).draw(on: &frame)
        MessageView(state: self).draw(on: &frame)
        let sheetCursor = mode.sheet?.draw(in: self, on: &frame)
        let cursor = mode == .filter ? filterCursor : sheetCursor ?? flags.cursor
        return Screen(frame: frame, cursor: cursor)
    }

    /// Computes the layout and stores it in the state. The reducer calls this method after each event. Otherwise, the
    /// reducer only reads the stored layout.
    mutating func layOut() {
        layout = Layout(size: size, needs: needs, noticeRows: NoticeView(state: self).rows)
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
