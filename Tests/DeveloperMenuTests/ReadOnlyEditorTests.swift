import Testing

@testable import DeveloperMenu

/// Every way in which an editor saves is closed while nothing may be changed.
@Suite struct ReadOnlyEditorTests {
    @Test(arguments: [
        (Intent.accept, Binding.Context.editor), (.accept, .json), (.accept, .otherValue), (.editOutside, .editor),
        (.editOutside, .json),
    ])
    func savingChangesValues(intent: Intent, context: Binding.Context) {
        #expect(intent.changesValues(in: context))
    }
}
