import TerminalUI

/// Where the parts of the main screen lie, as a function of the screen's size and of what there is to say.
struct Layout: Sendable, Equatable {
    /// The size below which a line of text takes the place of a broken picture.
    static let smallest = Size(columns: 40, rows: 10)
    /// From this width on, list and detail stand side by side.
    static let splitColumns = 100
    /// From this width on, categories stand to the left of both.
    static let fullColumns = 160
    /// Below this height or width every line goes to the list.
    static let roomy = Size(columns: 60, rows: 16)

    let isTooSmall: Bool
    let isCompact: Bool
    /// The line for the filter or for what is wrong; `nil` where there is no room and nothing to say.
    let noticeRow: Int?
    let categories: Region?
    let list: Region
    let detail: Region?
    /// The first line for messages and the short detail; `nil` in the compact layout, where messages take the footer's place.
    let messageRow: Int?
    let footerRow: Int
    /// What the mouse finds; empty while it is off.
    var mouseTargets: [MouseTarget.Area] = []

    /// Rows of the list that are on the screen.
    var listHeight: Int { list.rows }
    /// Rows that a sheet has at most.
    var sheetRows: Int { SheetFrame.room(on: size) }
    private let size: Size

    /// What lies under a position of the mouse; `nil` if nothing does.
    func target(at position: Position) -> MouseTarget? {
        mouseTargets.first {
            $0.region.rowRange.contains(position.row) && $0.region.columnRange.contains(position.column)
        }?.target
    }

    /// Whether every line goes to the list, as the screen is small.
    static func isCompact(_ size: Size) -> Bool { size.columns < roomy.columns || size.rows < roomy.rows }

    init(_ state: MenuState) {
        self.init(
            size: state.size, noticeRows: NoticeView.rows(for: state), messageRows: MessageView.rows(for: state))
    }

    /// - Parameters:
    ///   - noticeRows: lines that the notice asks for; 0 where there is nothing to say.
    ///   - messageRows: lines that the message asks for; never 0.
    init(size: Size, noticeRows: Int, messageRows: Int = 1) {
        isTooSmall = size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
        self.size = size
        isCompact = Self.isCompact(size)
        footerRow = max(0, size.rows - 1)
        messageRow = isCompact ? nil : size.rows - 1 - messageRows
        noticeRow = noticeRows > 0 || !isCompact ? 1 : nil
        let top = noticeRow == nil ? 1 : 1 + max(1, noticeRows)
        let rows = max(0, (messageRow ?? footerRow + 1 - messageRows) - top)
        let columns = Self.columns(width: size.columns)
        list = Region(row: top, column: columns.list.lowerBound, rows: rows, columns: columns.list.count)
        detail = columns.detail.map { Region(row: top, column: $0.lowerBound, rows: rows, columns: $0.count) }
        categories = columns.categories.map { Region(row: top, column: $0.lowerBound, rows: rows, columns: $0.count) }
    }

    private static func columns(width: Int) -> (categories: Range<Int>?, list: Range<Int>, detail: Range<Int>?) {
        if width >= fullColumns {
            let (left, middle) = (30, 30 + (width - 30) * 55 / 100)
            return (0..<left, left + 1..<middle, middle + 1..<width)
        }
        if width >= splitColumns {
            let middle = width * 55 / 100
            return (nil, 0..<middle, middle + 1..<width)
        }
        return (nil, 0..<width, nil)
    }
}
