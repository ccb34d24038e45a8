import FlagStorage
import Foundation
import TestSupport
import Testing

@testable import Flags

struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let articles = "\(root)/Sources/Flags/Documentation.docc"

    private static func files(in folder: String, suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// All articles, and all sources of the libraries because of their comments.
    static let pages = ["Flags", "FlagsConfiguration", "FlagsService", "FlagsTestTrait"].flatMap { library in
        [".md", ".swift"].flatMap { files(in: "\(root)/Sources/\(library)", suffix: $0) }
    }

    /// The files that have the code of pages, without a default isolation and then isolated to the main actor.
    private static func compiled(in folders: [String]) throws -> [[CodeLines]] {
        let folders = folders.map { "Tests/\($0)" } + ["Sources/FlagMenuDemo"]
        return try [folders, ["Tests/MainActorAppTests", "Tests/Examples/Sources"]].map { folders in
            try folders.flatMap { files(in: "\(root)/\($0)", suffix: ".swift") }.map { try CodeLines(lines($0)) }
        }
    }

    @Test(arguments: pages)
    func `every Swift code block of the documentation is compiled word for word`(page: String) throws {
        let compiled = try Self.compiled(in: [
            "FlagsTests", "FlagsConfigurationTests", "FlagSourceArticleTests", "AdoptingAppTests", "FlagsServiceTests",
            "FlagsTestTraitTests",
        ])
        for block in try CodeLines.blocks(of: Self.lines(page)) {
            for files in compiled {
                #expect(files.contains { $0.contains(block) }, "no compiled file has:\n\(block)")
            }
        }
    }

    @Test func `every Swift code block of the README is compiled word for word`() throws {
        let compiled = try Self.compiled(in: ["AdoptingAppTests"])
        let blocks = try CodeLines.blocks(of: Self.lines("\(Self.root)/README.md"))
        #expect(blocks.count >= 4)
        for block in blocks {
            for files in compiled {
                #expect(files.contains { $0.contains(block) }, "no compiled file has:\n\(block)")
            }
        }
    }

    @Test func `a block that differs by one letter or is incomplete counts as not compiled`() throws {
        let file = CodeLines(["struct A {", "    func b() {", "        c()", "", "        d()", "    }", "}"])
        let text = [
            "Text", "```swift", "func b() {", "    c()", "    d()", "}", "```", "/// ```swift", "/// e()", "/// ```",
        ]
        let blocks = CodeLines.blocks(of: text)
        #expect(blocks.map(\.lines) == [["func b() {", "    c()", "    d()", "}"], ["e()"]])
        #expect(file.contains(blocks[0]) && !file.contains(blocks[1]))
        #expect(!file.contains(CodeLines(["func b() {", "    c()", "    D()", "}"])))
        #expect(!file.contains(CodeLines(["func b() {", "    d()", "}"])))
        #expect(!file.contains(CodeLines(["func b() {", "c()", "d()", "}"])))
    }

    @Test func `the first page links to every article, and every link leads to a page`() throws {
        let articles = Self.files(in: Self.articles, suffix: ".md")
        let names = Set(articles.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
        var linked: [String: Set<Substring>] = [:]
        for page in Self.pages {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            let links = text.matches(of: /<doc:([^>#]+)>/).map(\.output.1)
            linked[page] = Set(links)
            for link in links { #expect(names.contains(String(link)), "\(page) links to \(link)") }
        }
        let first = try #require(linked["\(Self.articles)/Flags.md"])
        for name in names where name != "Flags" && !name.starts(with: /\d/) {
            #expect(first.contains(Substring(name)), "Flags.md does not lead to \(name)")
        }
    }

    @Test func `the explanation and the banner print what the articles show`() async throws {
        let flags = FlagStore.inMemory(["enable_multiple_locations": "true"])
        try await flags.setOverride("enable_multiple_locations", to: "maybe", .unchecked)
        try await flags.setOverride("AWESOME_FEATURE", to: "maybe", .unchecked)
        let snippets = ReadingSnippets()
        #expect(
            snippets.table(flags) == ["  override: maybe (not read)", "> remote: true", "  default: false"])
        #expect(!snippets.isAwesome(flags))
        let error = try #require(throws: FlagReadError.self) { try flags.bool("AWESOME_FEATURE") }
        #expect("\(error)" == #"the flag "AWESOME_FEATURE" has the value "maybe", not a valid bool"#)
        #expect(
            snippets.banner(flags) == [
                "2 overrides: AWESOME_FEATURE, enable_multiple_locations", "AWESOME_FEATURE = maybe",
                "enable_multiple_locations = maybe",
            ])
    }

    @Test func `the article's own source loads, is unchanged, is rate limited and fails as described`() async {
        struct Offline: Error, CustomStringConvertible { var description: String { "offline" } }
        func source(_ status: Int) -> SettingsService {
            SettingsService { version in
                if status == 0 { throw Offline() }
                return (status, Array(#"{"greeting": "from \#(version ?? "nothing")"}"#.utf8), "v1")
            }
        }
        let (place, snippets) = (AppPlace(), FetchSnippets())
        let flags = place.store([source(200)])
        #expect(await snippets.refresh(flags) == "New values are in use.")
        #expect(flags[.greeting] == "from nothing")
        #expect(
            await snippets.refresh(place.store([source(200)], minimumFetchInterval: .seconds(60)))
                == "The values in use are new enough.")
        let same = place.store([source(304)])
        #expect(await snippets.refresh(same) == "New values are in use." && same[.greeting] == "from nothing")
        let refusing = place.store([source(429)])
        #expect(await snippets.refresh(refusing).hasPrefix("Settings service: too many requests. The values of "))
        #expect(await snippets.refresh(refusing).hasPrefix("Rate limited. Retry in "))
        place.clock.turn(by: 60)
        #expect(await snippets.refresh(place.store([source(0)])).hasPrefix("Settings service: offline. The values of "))
    }

    @Test(.timeLimit(.minutes(10)))
    func `the article's screen shows loading, then the loaded values, then an error`() async {
        let (place, gate, screen) = (AppPlace(), Gate(), Screen())
        let source = MemorySource("fake", ["login_page": #"{"label":{"text":"Welcome"}}"#], gate: gate)
        let flags = place.store([source])
        let showing = Task { await FetchSnippets().show(flags, on: screen) }
        async let outcome = flags.fetchAndActivate()
        while screen.shown.last != "loading" { await Task.yield() }
        await gate.open()
        #expect(await outcome == .fetchedFromRemote)
        while screen.shown.last == "loading" { await Task.yield() }
        // The old values never appear, because the new values are active before the status is loaded.
        #expect(screen.shown.last == "Welcome")
        source.fail(.unreachable, "no route to host")
        await flags.fetchAndActivate()
        while screen.shown.last?.hasPrefix("error: fake: no route to host.") != true { await Task.yield() }
        showing.cancel()
        await showing.value
    }

    @Test func `the Firebase service passes on defaults and remote values, which stay in use if a fetch fails`()
        async throws
    {
        let flags = AppPlace().store()
        let catalog = #"[{"category":"Location","items":[{"key":"enable_multiple_locations","value":"true|false"}]}]"#
        try await RemoteConfig.$inAppDefaults.withValue([
            "greeting": "default", "ratio": "2", "config_categories": catalog,
        ]) {
            await RemoteConfig.$cached.withValue(["greeting": "kept"]) {
                await #expect(throws: RemoteConfig.Unreachable.self) {
                    try await RemoteConfigService(flags: flags).start()
                }
                #expect(flags[.greeting] == "kept" && flags[.ratio] == 2)
            }
            try await RemoteConfig.$fetched.withValue(["greeting": "fetched", "enable_multiple_locations": "true"]) {
                try await RemoteConfigService(flags: flags).start()
            }
        }
        #expect(flags[.greeting] == "fetched" && flags[.ratio] == 2 && flags[.multipleLocations])
        #expect(flags.remoteStatus.issue == nil && flags.remoteStatus != .idle)
        #expect(ReadingSnippets().rows(flags).first == "enable_multiple_locations: true (true, false)")
    }

    @Test func `with one set of values per run, the Firebase app uses what it fetched before`() async throws {
        let place = AppPlace()
        let flags = place.store(activation: .nextLaunch)
        try await RemoteConfig.$cached.withValue(["greeting": "cached"]) {
            try await RemoteConfig.$fetched.withValue(["greeting": "fetched"]) {
                try await RemoteConfigService(flags: flags).start()
            }
        }
        #expect(flags[.greeting] == "hello")
        #expect(place.store(activation: .nextLaunch)[.greeting] == "fetched")
    }

    @Test func `in a simulator, overrides are in the home folder of the host machine`() async {
        await #expect(processExitsWith: .success) {
            setenv("SIMULATOR_HOST_HOME", NSTemporaryDirectory() + "host-home", 1)
            let path = AppFolders(app: "shop", home: ProcessEnvironment.home) { _ in nil }.state
            let isThere = path.hasPrefix(NSTemporaryDirectory() + "host-home/") && path.hasSuffix("/shop")
            exit(isThere ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

/// Lines of code without empty lines.
private struct CodeLines: CustomStringConvertible {
    let lines: [String]

    init(_ lines: [String]) { self.lines = lines.filter { !$0.allSatisfy(\.isWhitespace) } }

    var description: String { lines.joined(separator: "\n") }

    /// Whether the lines of a block occur here in a row, indented by the same number of spaces.
    func contains(_ block: CodeLines) -> Bool {
        guard let first = block.lines.first else { return true }
        return lines.indices.contains { start in
            guard lines[start].hasSuffix(first), start + block.lines.count <= lines.count else { return false }
            let indent = lines[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines[start...], block.lines).allSatisfy { $0 == indent + $1 }
        }
    }

    /// The Swift code blocks in an article or in the comments of a source.
    static func blocks(of lines: [String]) -> [CodeLines] {
        var blocks: [CodeLines] = []
        var open: (lines: [String], isComment: Bool)?
        for line in lines {
            let comment = uncommented(line)
            let text = open?.isComment == false ? line : comment ?? line
            if open == nil, text == "```swift" {
                open = ([], comment != nil)
            } else if text == "```", let block = open {
                blocks.append(CodeLines(block.lines))
                open = nil
            } else {
                open?.lines.append(text)
            }
        }
        return blocks
    }

    private static func uncommented(_ line: String) -> String? {
        let text = line.trimmingPrefix(while: { $0 == " " })
        guard text.hasPrefix("///") else { return nil }
        return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
    }
}
