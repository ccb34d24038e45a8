import DeveloperMenu
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import FlagMenuCLI

/// The table of actions is complete: documents and commands match it exactly.
@Suite struct TableTests {
    @Test func `every command has a place in the menu, and every place has a command`() {
        #expect(Set(ActionTable.commandPlaces.keys) == Set(FlagMenu.commands.map(\.name)))
        let actions = Set(Keymap.standard.actions(in: .list).map(\.id))
        for (command, place) in ActionTable.commandPlaces {
            switch place {
            case .action(let id): #expect(actions.contains(id), "\(command)")
            case .always(let sentence): #expect(sentence.hasSuffix("."), "\(command)")
            }
        }
    }

    @Test func `the man page lists exactly the keys of the table`() throws {
        let page = ManualPage().text.replacing("\\-", with: "-").replacing("\\e", with: "\\").replacing(
            "\\&", with: "")
        let keys = try #require(page.split(separator: ".SH KEYS IN THE MENU\n").last?.split(separator: "\n.SH ").first)
        let reported = Set(keys.matches(of: #/\.TP\n\.B (.*)\n(.*)/#).map { "\($0.output.1)|\($0.output.2)" })
        let table = Set(ActionTable.all.map { "\($0.keyNames(charset: .ascii))|\($0.help) (\($0.name))" })
        #expect(reported == table, "\(reported.symmetricDifference(table))")
    }

    @Test func `the table in the article has exactly the keys of the list`() throws {
        let article = try Self.page("Sources/Flags/Documentation.docc/KeysAndFilters.md")
        let section = try #require(Self.sectionOnKeys(of: article))
        let keys = Self.keys(inTableOf: section)
        let bound = Keymap.standard.actions(in: .list).flatMap(\.keys).map(\.name)
        #expect(Set(keys) == Set(bound), "\(Set(keys).symmetricDifference(bound))")
        #expect(keys.count == Set(keys).count, "duplicate key")
        for action in Keymap.standard.actions(in: .list) where action.keys.isEmpty {
            #expect(section.contains(action.help.dropLast()), "\(action.help)")
        }
    }

    @Test func `the table in the README has only keys of the list`() throws {
        let readme = try Self.page("README.md")
        let section = try #require(Self.sectionOnKeys(of: readme))
        let keys = Self.keys(inTableOf: section)
        let bound = Keymap.standard.actions(in: .list).flatMap(\.keys).map(\.name)
        #expect(keys.count >= 12)
        #expect(Set(keys).isSubset(of: bound), "\(Set(keys).subtracting(bound))")
        #expect(keys.count == Set(keys).count, "duplicate key")
    }

    private static func page(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The text from the heading "Keys" to the next heading of the same level; `nil` without such a heading.
    private static func sectionOnKeys(of page: String) -> Substring? {
        guard let heading = page.range(of: "\n## Keys\n") else { return nil }
        return page[heading.upperBound...].split(separator: "\n## ").first
    }

    /// The keys in the first column of a section's table.
    private static func keys(inTableOf section: Substring) -> [String] {
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
        return rows.flatMap { row in
            row.split(separator: "|", omittingEmptySubsequences: false)[1].matches(of: #/`([^`]+)`/#).map {
                String($0.output.1)
            }
        }
    }

    /// A user who knows the name of a command finds its action in the menu by that name.
    @Test func `the palette finds every command by its name`() {
        for (command, place) in ActionTable.commandPlaces {
            guard case .action(let id) = place else { continue }
            let action = Keymap.standard.actions(in: .list).first { $0.id == id }
            let isNamed =
                action?.words.contains { $0 == command || $0.split(separator: " ").contains(Substring(command)) }
                == true
            let isReported = action?.help.lowercased().contains(command) == true
            #expect(isNamed || isReported, "\(command)")
        }
    }
}
