import FlagModel
import FlagSourceFile
import TestSupport
import Testing

/// Documents of bug reports, which are not part of the package.
@Suite(.enabled(if: Fixtures.exists("reports"), "../shared/fixtures is not here"))
struct ReportTests {
    @Test func `JSON in a text is checked as JSON, unless any value is allowed`() throws {
        let document = try DocumentFormat.document(in: try Fixtures.bytes("reports/json-in-a-string/t.json"))
        let snapshot = RemoteSnapshot(documents: [document])
        let facts = try #require(FlagBoard(snapshot: snapshot, launch: [:], overrides: [:]).knownFacts(of: "list"))
        #expect(facts.type == .string && facts.editedType == .json && facts.check(on: "[]") == .valid("[]"))
        let error = #expect(throws: InvalidText.self) {
            try facts.valueToStore("[{", allowsAny: false, option: "--any")
        }
        #expect(error?.sentence.contains("Not JSON") == true && error?.sentence.contains("--any") == true)
        #expect(try facts.valueToStore("[{", allowsAny: true, option: "--any") == "[{")
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
