import Foundation
import TestSupport
import Testing

/// A real template, as a team uses it. Golden transcripts have the output for all fixtures, but do not name its facts.
@Suite struct FixtureTests {
    private static let template = "firebase/fittoday.template.json"

    /// Runs a command with `--json` on the template and returns the parsed output.
    private func runJSON(_ words: String...) throws -> Any {
        let source = Fixtures.folder.appending(path: Self.template).path
        let run = Workplace().flagmenu(words + ["--json", "--source", source]).expect(0)
        return try JSONSerialization.jsonObject(with: Data(run.output))
    }

    @Test(.enabled(if: Fixtures.exists(template), "the folder of fixtures is not beside the package"))
    func `a template with groups has 7 categories and 22 flags with descriptions`() throws {
        let flags = try #require(try runJSON("list") as? [[String: Any]])
        #expect(flags.count == 22)
        #expect(Set(flags.compactMap { $0["category"] as? String }).count == 7)
        for key in flags.compactMap({ $0["key"] as? String }) {
            let facts = try runJSON("explain", key) as? [String: Any]
            #expect((facts?["description"] as? String)?.isEmpty == false, "\(key)")
        }
    }
}
