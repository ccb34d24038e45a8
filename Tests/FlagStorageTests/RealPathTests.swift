import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// Where paths lead, compared with what the system says.
@Suite struct RealPathTests {
    private let folder = StoreFolder()
    private var root: String { folder.path }
    private let manager = FileManager.default

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/a-other", withIntermediateDirectories: true)
        try folder.write("text", to: "a/file")
    }

    private func link(_ name: String, to target: String) {
        #expect(symlink(target, "\(root)/\(name)") == 0)
    }

    /// What `realpath` of the C library says; `nil` if nothing exists there.
    private func systemPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    @Test func `a path leads where the system goes`() throws {
        for (name, target) in [
            ("up", ".."), ("a/up", "../.."), ("a/b/deep", "../../a/b"), ("here", "."), ("chain", "up"),
            ("absolute", "\(root)/a"), ("toFile", "a/file"), ("dangling", "nowhere/x"), ("loop", "loop"), ("all", "/"),
        ] { link(name, to: target) }
        var random = SeededGenerator(seed: 7)
        let names = [
            "a", "b", "file", "up", "deep", "here", "chain", "absolute", "toFile", "dangling", "loop", "missing", "..",
            "..", ".", "", "a-other",
        ]
        var existing = 0
        for _ in 0..<20_000 {
            let parts = (0..<Int.random(in: 1...7, using: &random)).map { _ in names.randomElement(using: &random) ?? ""
            }
            let path = "\(root)/\(parts.joined(separator: "/"))"
            guard let expected = systemPath(path) else { continue }
            existing += 1
            #expect(try DurableFile.realPath(path) == expected, "\(path)")
        }
        #expect(existing > 2_000)
    }

    @Test func `a missing file leads where a write would create it`() throws {
        link("away", to: "nowhere/x")
        link("a/out", to: "../a-other/new")
        let real = try #require(systemPath(root))
        for (path, place) in [
            ("a/new", "a/new"), ("a/new/", "a/new"), ("a/new/../x", "a/x"), ("away", "nowhere/x"),
            ("away/../y", "nowhere/y"), ("a/out", "a-other/new"), ("a/out/below", "a-other/new/below"),
            ("a/file/below", "a/file/below"),
            ("a/" + String(repeating: "n", count: 300), "a/" + String(repeating: "n", count: 300)),
        ] {
            #expect(try DurableFile.realPath("\(root)/\(path)") == "\(real)/\(place)", "\(path)")
        }
    }

    @Test func `only what is really below a folder is inside it`() {
        link("a/up", to: "..")
        link("toA", to: "a")
        link("a/away", to: "../nowhere")
        for path in ["a", "a/", "a/b", "a/./b//", "a/b/..", "a/up/a/b", "toA/b", "a-other/../a/new", "a/~", "a/..."] {
            #expect(DurableFile.isInside("\(root)/\(path)", "\(root)/a"), "\(path)")
            #expect(DurableFile.isInside("\(root)/\(path)", "\(root)/toA/"), "\(path)")
            #expect(DurableFile.isInside("\(root)/\(path)", "/"), "\(path)")
        }
        for path in [
            "", "a/..", "a-other", "a/../a-other", "a/b/../../x", "a/up", "a/up/x", "a/away", "A", "a/b/../..",
        ] {
            #expect(!DurableFile.isInside("\(root)/\(path)", "\(root)/a"), "\(path)")
        }
    }

    @Test func `names in other Unicode forms are other names`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        for name in [composed, decomposed] { #expect(mkdir("\(root)/\(name)", 0o700) == 0) }
        #expect(DurableFile.isInside("\(root)/\(composed)/x", "\(root)/\(composed)"))
        #expect(!DurableFile.isInside("\(root)/\(decomposed)/x", "\(root)/\(composed)"))
        // A slash with a combining character still divides the path.
        #expect(try DurableFile.realPath("/a/\u{338}b/..") == "/a")
    }

    @Test func `a path that cannot be followed is outside`() {
        link("a/loop", to: "loop")
        #expect(!DurableFile.isInside("\(root)/a/loop", "\(root)/a"))
        #expect(!DurableFile.isInside("\(root)/a/x\0", "\(root)/a"))
        // Not valid UTF-8: in the form in which Swift shows it, this would be the name of another file.
        let target: [CChar] = [CChar(bitPattern: 0xFF), 0]
        #expect(symlink(target, "\(root)/a/bytes") == 0)
        #expect(!DurableFile.isInside("\(root)/a/bytes", "\(root)/a"))
        var files = FileOperations.live
        files.statusOfPath = { _ throws(SystemError) in throw SystemError(call: "lstat", code: EIO) }
        #expect(throws: SystemError(call: "lstat", code: EIO)) { try DurableFile.realPath("/a", files: files) }
    }

    @Test func `as many links are followed as the system follows`() throws {
        link("l0", to: "a")
        for number in 1...41 { link("l\(number)", to: "l\(number - 1)") }
        for number in [38, 39, 40, 41] {
            let path = "\(root)/l\(number)"
            #expect((try? DurableFile.realPath(path)) == systemPath(path), "\(number)")
        }
    }
}
