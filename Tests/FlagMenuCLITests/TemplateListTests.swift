import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu
@testable import FlagMenuCLI

/// The list with documents of real apps, which are not part of the package.
@Suite struct TemplateListTests {
    private static let documents = ["firebase", "config_categories"].flatMap { folder in
        Fixtures.names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
    }

    @Test(
        .enabled(if: !documents.isEmpty, "shared/fixtures is missing beside the package"), arguments: documents,
        [80, 100, 120, 200])
    func `no name is cut while its row has free space`(document: String, columns: Int) async throws {
        let place = Workplace()
        place.write(String(decoding: try Fixtures.bytes(document), as: UTF8.self), to: "remote.json")
        var menu = try await RealMenu(place, ["--source", "remote.json"])
        await menu.happens(.terminal(.resized(Size(columns: columns, rows: 30))))
        var last: Int?
        while menu.state.list.selection != last {
            last = menu.state.list.selection
            for (text, name) in menu.rows where !text.contains(name) {
                #expect(!text.dropFirst(ListColumns.nameStart).contains("   "), "\(columns) columns: \(text)")
            }
            await menu.press("<pgdn>")
        }
        #expect(menu.state.list.flagCount > 0)
    }
}

extension RealMenu {
    /// The visible rows of flags, with the names that they should show.
    fileprivate var rows: [(text: String, name: String)] {
        let (frame, region) = (state.screen.frame, state.layout.list)
        return zip(region.rowRange, state.list.rows.dropFirst(state.list.top)).compactMap { line, row in
            guard case .flag(let place) = row else { return nil }
            let cells = region.column..<region.columnRange.upperBound - 1
            return (cells.map { String(frame[line, $0].character) }.joined(), state.board.facts(at: place).name)
        }
    }
}
