import Foundation
import TestSupport
import Testing

/// The folder of fixtures beside the package.
private enum Fixtures {
    static let folder: String = {
        let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        return (package + ["shared", "fixtures"]).joined(separator: "/")
    }()
    static let exist = access(folder, R_OK) == 0
}

/// Real documents, as teams use them.
@Suite(.enabled(if: Fixtures.exist, "the folder of fixtures is not beside the package"))
struct FixtureTests {
    private let workplace = Workplace()

    /// Runs a command with `--json` on a fixture and returns the parsed output.
    private func runJSON(_ words: [String], on fixture: String) throws -> Any {
        let run = workplace.flagmenu(words + ["--json", "--source", "\(Fixtures.folder)/\(fixture)"]).expect(0)
        return try JSONSerialization.jsonObject(with: Data(run.output))
    }

    @Test func `a template with groups has 7 categories and 22 flags with descriptions`() throws {
        let flags = try #require(try runJSON(["list"], on: "firebase/fittoday.template.json") as? [[String: Any]])
        #expect(flags.count == 22)
        #expect(Set(flags.compactMap { $0["category"] as? String }).count == 7)
        for key in flags.compactMap({ $0["key"] as? String }) {
            let facts = try runJSON(["explain", key], on: "firebase/fittoday.template.json") as? [String: Any]
            #expect((facts?["description"] as? String)?.isEmpty == false, "\(key)")
        }
    }

    @Test func `a template with conditions lists the conditional values with their names`() throws {
        let flags = try #require(try runJSON(["list"], on: "firebase/garage.template.json") as? [[String: Any]])
        let labels = try flags.compactMap { $0["key"] as? String }.flatMap { key -> [String] in
            let facts = try runJSON(["explain", key], on: "firebase/garage.template.json") as? [String: Any]
            return (facts?["options"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
        }
        #expect(labels.contains { $0 != "default" }, "\(labels)")
    }

    @Test func `every catalog in the fixtures can be listed and explained`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Fixtures.folder)/config_categories")
        let documents = names.filter { $0.hasSuffix(".json") }.sorted()
        #expect(documents.count >= 2)
        for name in documents {
            let flags = try runJSON(["list"], on: "config_categories/\(name)") as? [[String: Any]]
            #expect(flags?.isEmpty == false, "\(name)")
            let key = try #require(flags?.first?["key"] as? String)
            let facts = try runJSON(["explain", key], on: "config_categories/\(name)") as? [String: Any]
            #expect(facts?["key"] as? String == key)
        }
    }
}
