import ArgumentParser
import Testing

@testable import FlagMenuCLI

/// Plain arguments are a second reading of what the parser defines, so the two are held against each other.
@Suite struct PlainArgumentsTests {
    private static let lines: [[String]] = [
        ["menu"], ["menu", "--source", "a.json", "--source", "b.json", "--app", "shop", "-q"],
        ["menu", "--launch", "a=1", "--launch", "b=", "--store", "/tmp/x", "--no-color"],
        ["menu", "--fresh", "--config", "c.json", "--read-only"], ["prompt"], ["prompt", "--format", "[%n] ", "-q"],
        ["get", "key"], ["get", "--json", "key", "--defaults", "d.plist"],
        ["set", "key", "value"], ["set", "--any", "key", "", "--quiet"], ["set", "key", "a b", "--new", "--any"],
        ["toggle", "key", "--source", "a.json"],
    ]

    @Test(arguments: lines) func meanWhatTheParserReads(_ line: [String]) throws {
        let plain = try #require(PlainArguments.command(in: line))
        let parsed = try FlagMenu.parseAsRoot(line)
        if let menu = plain as? MenuRun { return #expect((parsed as? MenuCommand)?.menu == menu) }
        #expect(Self.properties(of: plain) == Self.properties(of: parsed))
    }

    @Test(arguments: [
        [], ["menu", "word"], ["get"], ["get", "a", "b"], ["get", "key", "--default", "v"], ["set", "key"],
        ["set", "key", "--", "-5"], ["get", "key", "--source=a.json"], ["get", "key", "--source"],
        ["get", "key", "--source", "--json"], ["get", "key", "--app", "a", "--app", "b"], ["get", "key", "--nonsense"],
        ["get", "key", "--help"], ["get", "key", "-"], ["get", "key", "-qq"], ["list"], ["--help"],
    ])
    func areLeftToTheParserOtherwise(_ line: [String]) {
        #expect(PlainArguments.command(in: line) == nil)
    }

    /// A property that is not set ends the process when it is read: a new option has to be set here too.
    @Test(arguments: lines) func setEveryProperty(_ line: [String]) throws {
        let command = try #require(PlainArguments.command(in: line))
        let unset = Self.properties(of: command).filter { $0.value == Self.notSet }
        #expect(unset.isEmpty, "PlainArguments does not set these options: \(unset.keys.sorted())")
    }

    private static let notSet = "(not set)"

    /// The values inside the parser's wrappers, by name.
    private static func properties(of value: Any) -> [String: String] {
        var properties: [String: String] = [:]
        for child in Mirror(reflecting: value).children {
            guard let name = child.label else { continue }
            guard let state = Mirror(reflecting: child.value).descendant("_parsedValue") else { continue }
            let content = Mirror(reflecting: state).children.first
            if content?.label != "value" {
                properties[name] = notSet
            } else if let group = content?.value as? GlobalOptions {
                for (inner, value) in Self.properties(of: group) { properties["\(name).\(inner)"] = value }
            } else {
                properties[name] = content.map { "\($0.value)" }
            }
        }
        return properties
    }
}
