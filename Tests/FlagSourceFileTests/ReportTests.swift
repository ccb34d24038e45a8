import FlagModel
import FlagSourceFile
import TestSupport
import Testing

/// Documents of bug reports, which are not part of the package.
@Suite(.enabled(if: Fixtures.exists("reports"), "../shared/fixtures is not here"))
struct ReportTests {
    private func document(_ path: String) throws -> RemoteDocument {
        let bytes = try Fixtures.bytes("reports/\(path)")
        return try DocumentFormat.document(in: try DocumentFormat.plain(bytes, named: path))
    }

    private func issue(_ path: String) throws -> String {
        let error = #expect(throws: DocumentError.self) { try document(path) }
        return error?.description ?? ""
    }

    @Test func `a parameter that a group repeats without a value keeps its value`() throws {
        let remote = try document("group-stub-loses-values/t.json")
        #expect(remote.values == ["limit": "10", "title": "Hello"] && remote.issues.count == 2)
    }

    @Test func `texts that are no numbers as JSON prints them are texts`() throws {
        let snapshot = RemoteSnapshot(documents: [try document("leading-zero-text/f.json")])
        #expect(
            ["zip", "build", "version", "commit"].map { snapshot.type(of: $0) } == Array(repeating: .string, count: 4))
    }

    @Test func `a whole number that a property list calls real is a double`() throws {
        let bytes = try Fixtures.bytes("reports/plist-real-whole/d.plist")
        let snapshot = RemoteSnapshot(documents: [], defaults: try DocumentFormat.defaults(in: bytes).values)
        #expect(snapshot.type(of: "ratio") == .double)
        let facts = try #require(FlagBoard(snapshot: snapshot, launch: [:], overrides: [:]).knownFacts(of: "ratio"))
        #expect(facts.check(on: "10.5") == .valid("10.5"))
    }

    @Test func `JSON in a text is checked as JSON, unless any value is allowed`() throws {
        let snapshot = RemoteSnapshot(documents: [try document("json-in-a-string/t.json")])
        let facts = try #require(FlagBoard(snapshot: snapshot, launch: [:], overrides: [:]).knownFacts(of: "list"))
        #expect(facts.type == .string && facts.editedType == .json && facts.check(on: "[]") == .valid("[]"))
        let error = #expect(throws: InvalidText.self) {
            try facts.valueToStore("[{", allowsAny: false, option: "--any")
        }
        #expect(error?.sentence.contains("Not JSON") == true && error?.sentence.contains("--any") == true)
        #expect(try facts.valueToStore("[{", allowsAny: true, option: "--any") == "[{")
    }

    @Test func `files of flags that teams write are read`() throws {
        let nested = try document("wrapped-flags/nested.json")
        #expect(nested.values == ["board": "true", "tutor": "false"])
        #expect(nested.catalog?.item("board")?.details == "Board")
        for name in ["plain", "plain2"] {
            #expect(try document("wrapped-flags/\(name).json").values == ["search": "true", "offline": "false"])
        }
    }

    @Test func `the table that the Firebase CLI prints is named`() throws {
        #expect(try issue("firebase-table-output/remote.json").contains("firebase remoteconfig:get -o FILE"))
    }

    @Test func `a flag of flagd has its description, and the name of its variant`() throws {
        let snapshot = RemoteSnapshot(documents: [try document("flagd-description/f.flagd.json")])
        let facts = try #require(FlagBoard(snapshot: snapshot, launch: [:], overrides: [:]).knownFacts(of: "adFailure"))
        #expect(facts.item?.details == "Fail the ad service" && facts.value == "false" && facts.valueName == "off")
    }

    @Test func `the error of JSON with comments says that JSON has none`() throws {
        #expect(
            try issue("json-with-comments/f.json")
                == "line 2, column 17: JSON has no comments and no trailing commas; remove them, or name the file .jsonc"
        )
    }

    @Test func `every document that is read survives an export and an import`() throws {
        for folder in ["config_categories", "firebase"] + Fixtures.names(in: "reports").map({ "reports/\($0)" }) {
            for name in Fixtures.names(in: folder) where [".json", ".plist", ".yaml"].contains(where: name.hasSuffix) {
                let bytes = try Fixtures.bytes("\(folder)/\(name)")
                guard let text = try? DocumentFormat.plain(bytes, named: name),
                    let remote = try? DocumentFormat.document(in: text)
                else { continue }
                try expectRoundTrip(remote, "\(folder)/\(name)")
            }
        }
    }
}
