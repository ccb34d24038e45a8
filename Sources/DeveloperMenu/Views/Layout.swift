import TerminalUI

/// The layout of the main screen, as a function of the screen's size and its content.
struct Layout: Sendable, Equatable {
    /// The smallest size of the menu; on a smaller screen, a line of text replaces it.
    static let smallest = Size(columns: 40, rows: 10)
    /// The minimum width of a screen that shows the detail beside the list, if no name in the list is cut.
    static let splitColumns = 100
    /// The minimum width of a screen that shows the categories, list and detail beside each other, if no name is cut.
    static let fullColumns = 160
    /// The minimum width of the detail, including the line between list and detail.
    private static let leastDetail = 30
    /// The width of the categories, including the line between categories and list.
    private static let categoryColumns = 31
    /// The smallest size with a line for messages; on a smaller screen, the layout is compact.
    static let roomy = Size(columns: 60, rows: 16)
    /// The minimum height of a screen with empty lines between groups, and below the title.
    static let rowsWithGaps = 30

    let isTooSmall: Bool
    /// The line for the filter or for errors; on a large screen also if there is neither.
    let noticeRow: Int?
    let categories: Region?
    let list: Region
    let detail: Region?
    /// The line for messages and the summary of the selected flag; `nil` in the compact layout, where messages replace
    /// the footer.
    let messageRow: Int?
    let footerRow: Int

    /// Whether the layout for a screen of this size is compact: on a small screen, there is no separate line for
    /// messages.
    static func isCompact(_ size: Size) -> Bool { size.columns < roomy.columns || size.rows < roomy.rows }

    /// - Parameters:
    ///   - needs: the widths of the list's columns at which nothing is cut.
    ///   - noticeRows: the number of lines of the notice; 0 for none.
    init(size: Size, needs: ColumnNeeds, noticeRows: Int) {
        isTooSmall = size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
        footerRow = max(0, size.rows - 1)
        messageRow = Self.isCompact(size) ? nil : size.rows - 2
        noticeRow = noticeRows > 0 || size.rows >= Self.rowsWithGaps ? 1 : nil
        let top = noticeRow == nil ? 1 : 1 + max(1, noticeRows)
        let rows = max(0, (messageRow ?? footerRow) - top)
        let columns = Self.columns(width: size.columns, needs)
        list = Region(row: top, column: columns.list.lowerBound, rows: rows, columns: columns.list.count)
        detail = columns.detail.map { Region(row: top, column: $0.lowerBound, rows: rows, columns: $0.count) }
        categories = columns.categories.map { Region(row: top, column: $0.lowerBound, rows: rows, columns: $0.count) }
    }

    /// The range of columns of each pane; `nil` for a pane without room.
    private static func columns(
        width: Int, _ needs: ColumnNeeds
    ) -> (categories: Range<Int>?, list: Range<Int>, detail: Range<Int>?) {
        if width >= fullColumns, let list = listColumns(width: width - categoryColumns, needs) {
            let middle = categoryColumns + list
            return (0..<categoryColumns - 1, categoryColumns..<middle, middle + 1..<width)
        }
        if width >= splitColumns, let list = listColumns(width: width, needs) {
            return (nil, 0..<list, list + 1..<width)
        }
        return (nil, 0..<width, nil)
    }

    /// The width of the list beside the detail; `nil` if a name would be cut. The list gets the width at which nothing
    /// is cut, but usually not less than two fifths or more than three fifths of `width`.
    private static func listColumns(width: Int, _ needs: ColumnNeeds) -> Int? {
        let least = ListColumns.width(needs)
        guard least <= width - leastDetail else { return nil }
        let preferred = max(width * 2 / 5, min(ListColumns.wholeWidth(needs), width * 3 / 5))
        return min(max(least, preferred), width - leastDetail)
    }
}
