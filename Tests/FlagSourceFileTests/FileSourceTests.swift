import FlagModel
import FlagRemote
import FlagSourceFile
import Foundation
import Testing

@Suite("File sources")
struct FileSourceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ source: FileSource) -> SourceError? {
        Result { () throws(SourceError) in _ = try source.document() }.failure
    }

    @Test func `response has bytes and a version that changes with the file`() throws {
        let source = try folder.write(#"{"a":"1"}"#, to: "a.json")
        let first = try source.readSynchronously()
        guard case .values(let bytes, version: let version?) = first else {
            Issue.record("the response has no version")
            return
        }
        #expect(bytes == Array(#"{"a":"1"}"#.utf8))
        #expect(try source.document().values == ["a": "1"])
        #expect(try source.readSynchronously() == first)
        try folder.write(#"{"a":"2"}"#, to: "a.json")
        guard case .values(_, version: let newer?) = try source.readSynchronously() else {
            Issue.record("the response has no version")
            return
        }
        #expect(newer != version)
    }

    @Test func `errors name path and position`() throws {
        let malformed = try folder.write("{\n  \"a\": 1\n  \"b\": 2}", to: "bad.json")
        #expect(
            failure(malformed)?.description == "\(malformed.address): line 3, column 3: expected ',' or '}', found '\"'"
        )
        #expect(failure(malformed)?.code == .malformed)
        let missing = FileSource(path: folder.path("none.json"))
        #expect(
            failure(missing)?.description == "\(missing.address): no such file" && failure(missing)?.code == .missing)
        let empty = try folder.write("", to: "empty.json")
        #expect(failure(empty)?.sentence == "the document is empty; save a JSON object of keys and values")
    }

    @Test func `path that is not a file is rejected without blocking`() throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let kinds = [folder.url.path: "a directory", folder.path("pipe"): "a named pipe", "/dev/zero": "a device"]
        for (path, kind) in kinds {
            let error = failure(FileSource(path: path))
            #expect(error?.code == .notAFile && error?.sentence == "this is \(kind), expected a file", "\(path)")
        }
    }

    @Test func `too large file is rejected without reading`() throws {
        let path = folder.path("huge.json")
        #expect(
            FileManager.default.createFile(atPath: path, contents: nil)
                && truncate(path, off_t(SourceFileBytes.sizeLimit + 1)) == 0)
        #expect(failure(FileSource(path: path))?.code == .tooLarge)
    }

    @Test func `defaults can be JSON`() throws {
        #expect(try folder.write(#"{"a":true}"#, to: "d.json").readDefaults().values == ["a": "true"])
        let rejectedTexts: [(String, String)] = [
            ("[]", "the document is a catalog; expected a map of keys and default values"),
            (#"{"parameters":{}}"#, "the document is a Firebase template; expected a map of keys and default values"),
        ]
        for (text, sentence) in rejectedTexts {
            let source = try folder.write(text, to: "refused.json")
            let error = Result { () throws(SourceError) in try source.readDefaults().values }.failure
            #expect(error?.sentence == sentence)
        }
    }
}

extension FileSource {
    /// The current document of the file.
    fileprivate func document() throws(SourceError) -> RemoteDocument {
        guard case .values(let bytes, _)? = try readSynchronously() else {
            return RemoteDocument(defaults: [:])
        }
        do throws(DocumentError) {
            return try decode(bytes)
        } catch {
            throw SourceError(error, of: address)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
