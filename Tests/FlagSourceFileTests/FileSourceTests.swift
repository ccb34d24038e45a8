import FlagModel
import FlagRemote
import FlagSourceFile
import Foundation
import TestSupport
import Testing

@Suite struct FileSourceTests {
    private let folder = Workplace()

    private func source(_ text: String, named name: String) -> FileSource {
        folder.write(text, to: name)
        return FileSource(path: folder.place(name))
    }

    private func failure(_ source: FileSource) -> SourceError? {
        #expect(throws: SourceError.self) { try source.document() }
    }

    private func version(of source: FileSource) throws -> String {
        guard case .values(_, let version?) = try source.readSynchronously() else { return "no version" }
        return version
    }

    @Test func `response has bytes and a version that changes with the file`() throws {
        let source = source(#"{"a":"1"}"#, named: "a.json")
        let first = try version(of: source)
        #expect(try source.readSynchronously() == .values(#"{"a":"1"}"#.bytes, version: first))
        #expect(try source.document().values == ["a": "1"])
        // Another file of the same length, as the clock's resolution may be low.
        folder.write(#"{"a":"2"}"#, to: "new.json")
        #expect(rename(folder.place("new.json"), folder.place("a.json")) == 0)
        #expect(try version(of: source) != first)
    }

    @Test func `errors name path and position`() throws {
        let malformed = source("{\n  \"a\": 1\n  \"b\": 2}", named: "bad.json")
        #expect(
            failure(malformed)?.description == "\(malformed.address): line 3, column 3: expected ',' or '}', found '\"'"
        )
        #expect(failure(malformed)?.code == .malformed)
        let missing = FileSource(path: folder.place("none.json"))
        #expect(
            failure(missing)?.description == "\(missing.address): no such file" && failure(missing)?.code == .missing)
        #expect(
            failure(source("", named: "empty.json"))?.sentence
                == "the document is empty; save a JSON object of keys and values")
    }

    @Test func `too large file is rejected without reading`() throws {
        let path = folder.place("huge.json")
        #expect(
            FileManager.default.createFile(atPath: path, contents: nil)
                && truncate(path, off_t(SourceFileBytes.sizeLimit + 1)) == 0)
        #expect(failure(FileSource(path: path))?.code == .tooLarge)
    }

    @Test func `defaults can be JSON`() throws {
        #expect(try source(#"{"a":true}"#, named: "d.json").readDefaults().values == ["a": "true"])
        let rejectedTexts: [(String, String)] = [
            ("[]", "the document is a catalog; expected a map of keys and default values"),
            (#"{"parameters":{}}"#, "the document is a Firebase template; expected a map of keys and default values"),
        ]
        for (text, sentence) in rejectedTexts {
            let source = source(text, named: "refused.json")
            let error = #expect(throws: SourceError.self) { try source.readDefaults() }
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
