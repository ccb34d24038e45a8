import FlagStorage
import Testing

/// The folders of an app's files.
@Suite struct AppFoldersTests {
    @Test(arguments: ["", ".", "..", "a/b", "../\u{338}x", "/\u{338}", "a\0b", String(repeating: "x", count: 201)])
    func `an app id that is no name of a folder is rejected`(app: String) {
        #expect(!AppFolders.isName(app))
    }
}
