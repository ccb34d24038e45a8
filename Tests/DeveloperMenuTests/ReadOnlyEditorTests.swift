import Testing

@testable import DeveloperMenu

/// Every way in which an editor saves is closed while nothing may be changed.
@Suite struct ReadOnlyEditorTests {
    @Test(arguments: [
        (Action.ID.accept, MenuPart.editor), (.accept, .json), (.accept, .otherValue), (.editOutside, .editor),
        (.editOutside, .json),
    ])
    func savingChangesValues(id: Action.ID, part: MenuPart) throws {
        #expect(try #require(Keymap.standard.action(id, in: part)).traits.contains(.changesValues))
    }
}
