import TerminalUI

/// The columns of the list, counted from its left edge: pointer, mark, marker, name, value, layer and note.
///
/// The name has all the width that the other columns do not need. If names would be cut, the column of notes is dropped
/// first. The column of layers is dropped next, as the marker shows whether a flag is overridden.
struct ListColumns: Equatable {
    static let mark = 1
    static let marker = 2
    static let nameStart = 4

    /// The ranges of columns; empty if there is no room. Each range except `name` ends with an empty column.
    let name, value, layer, note: Range<Int>

    /// The number of columns that values get if they need them, even if names are cut.
    private static let leastValue = 8

    init(_ needs: ColumnNeeds, width: Int) {
        // The last column is for the scroll hint.
        let end = width - 1
        let least = Self.leastValue(needs) + 1
        var (layer, note) = (needs.layer + 2, needs.note > 0 ? needs.note + 1 : 0)
        var spare: Int { end - Self.nameStart - (needs.name + 2) - least - layer - note }
        if spare < 0 { note = 0 }
        if spare < 0 { layer = 0 }
        let value = least + max(0, min(spare, needs.value + 1 - least))
        self.note = end - note..<end
        self.layer = self.note.lowerBound - layer..<self.note.lowerBound
        self.value = self.layer.lowerBound - value..<self.layer.lowerBound
        name = Self.nameStart..<max(Self.nameStart + 1, self.value.lowerBound - 2)
    }

    /// The width at which no name is cut and the layer is shown.
    static func width(_ needs: ColumnNeeds) -> Int { width(needs, value: leastValue(needs), note: 0) }

    /// The width at which nothing is cut.
    static func wholeWidth(_ needs: ColumnNeeds) -> Int { width(needs, value: max(1, needs.value), note: needs.note) }

    private static func width(_ needs: ColumnNeeds, value: Int, note: Int) -> Int {
        // Two empty columns follow the name and the layer, one follows the value and the note. The last column is for
        // the scroll hint.
        nameStart + needs.name + 2 + value + 1 + needs.layer + 2 + (note > 0 ? note + 1 : 0) + 1
    }

    private static func leastValue(_ needs: ColumnNeeds) -> Int { min(max(1, needs.value), leastValue) }

    /// The columns for the name and the value of a row: a name that is too long gets the columns that the value does
    /// not need.
    ///
    /// - Parameters:
    ///   - nameWidth: the width of the row's name.
    ///   - valueWidth: the width of the row's value.
    func rowColumns(name nameWidth: Int, value valueWidth: Int) -> (name: Range<Int>, value: Range<Int>) {
        let free = value.count - 1 - valueWidth
        guard nameWidth > name.count, free > 0 else { return (name, value) }
        let shift = min(free, nameWidth - name.count)
        return (name.lowerBound..<name.upperBound + shift, value.lowerBound + shift..<value.upperBound)
    }
}
