import Testing

@testable import DeveloperMenu

/// Every way to save from an editor counts as a change, so that read-only mode disables it.
@Suite struct ReadOnlyEditorTests {
    @Test(arguments: [
        (Action.ID.accept, MenuPart.editor), (.accept, .json), (.accept, OtherValueDialog.part),
        (.editOutside, .editor), (.editOutside, .json),
    ])
    func `saving changes values`(id: Action.ID, part: MenuPart) throws {
        #expect(try #require(Keymap.standard.action(id, in: part)).traits.contains(.changesValues))
    }
}
