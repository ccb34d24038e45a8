import Testing

@testable import FlagModel

/// Paths as text.
@Suite struct FilePathTests {
    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a/b/", "/a", "b"), ("/b", "/", "b"), ("b", ".", "b"), ("b/", ".", "b"), ("/", "/", "/"),
    ])
    func `trailing slashes are ignored`(path: String, folder: String, name: String) {
        #expect(FilePath.folder(of: path) == folder && FilePath.name(of: path) == name)
    }

    @Test(arguments: [
        ("c", "/a/b/c"), ("./c", "/a/b/c"), (".//c", "/a/b/c"), ("../c", "/a/b/../c"), ("/c", "/c"),
    ])
    func `relative path is resolved in its folder`(path: String, resolved: String) {
        #expect(FilePath.resolve(path, in: "/a/b") == resolved)
    }

    @Test(arguments: [
        ("/a/b/c/d", "c/d"), ("/a/b/../c", "../c"), ("/a/bc/d", "d"), ("c/d", "c/d"),
        ("ofrep:https://a/b", "ofrep:https://a/b"),
    ])
    func `a file has a name without the folders of this machine`(path: String, name: String) {
        #expect(FilePath.portable(path, from: "/a/b") == name)
        #expect(FilePath.portable("/a/b/c/d") == "d")
    }

    @Test(arguments: [
        ("~/c", "/home/me/c"), ("c", "/a/b/c"), ("~", "/a/b/~"), ("~you/c", "/a/b/~you/c"), ("/c", "/c"),
    ])
    func `tilde is expanded as in a shell`(name: String, path: String) {
        #expect(FilePath.typed(name, home: "/home/me", in: "/a/b") == path)
    }
}
