import ArgumentParser
import Dispatch
import FlagModel
import FlagRemote
import Flags
import TestSupport
import Testing

@testable import DeveloperMenu
@testable import FlagMenuCLI
@testable import FlagWorkspace

/// A kind of source that only this file declares: its options, and a source of fixed values.
private struct FakeKind: SourceKind {
    let scheme = "fake"
    let address = SourceAddress(placeholder: "SHOP")
    let title = "a shop with fixed values"
    let options: [SourceOption] = [
        SourceOption("greeting", .choice(["hello", "bye"]), "What the shop says."),
        .credential("token", variable: "FAKE_TOKEN"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        _ = try settings.secret("token", "a shop needs a token")
        return FakeShop(shop: settings.address, greeting: settings.text("greeting") ?? "hello")
    }
}

private struct FakeShop: RemoteSource {
    let shop: String
    let greeting: String
    var identity: SourceIdentity { "fake:\(shop)" }
    var name: String { "fake:\(shop)" }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult { .values(Array(#"{"greeting": "\#(greeting)"}"#.utf8), version: nil) }
}

/// A kind of source declared in one file works in the tool, its files, doctor, the menu and an app.
@Suite struct DeclaredSourceTests {
    private static let registry = SourceRegistry(kinds: SourceRegistry.standard.kinds + [FakeKind()])
    private let workplace = Workplace()

    private func environment(_ token: String? = "hush") -> Environment {
        var variables = workplace.environment
        variables["FAKE_TOKEN"] = token
        return Environment(
            variables: variables, workingDirectory: workplace.path,
            homeDirectory: workplace.home)
    }

    private func settings(_ source: [String] = [], token: String? = "hush") throws -> Settings {
        try Settings(try Self.options(source).values, environment: environment(token), registry: Self.registry)
    }

    private static func options(_ source: [String]) throws -> GlobalOptions {
        try GlobalOptions.parse(source.flatMap { ["--source", $0] })
    }

    /// The value of `greeting` in a store with these settings.
    private func greeting(_ settings: Settings) async throws -> String? {
        let run = try RunStore(settings)
        run.flags.openRemote()
        _ = await run.flags.remote.fetch(.all)
        return run.flags.remoteReading.snapshot.values["greeting"]?.string
    }

    /// What doctor finds about a source. It blocks until the response, which a thread of the tests must not do.
    private func diagnosis(_ source: String, token: String?) async throws -> (summary: String, issues: [String]) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let findings = Finding.all(try settings([source], token: token))
                        let finding = try #require(findings.first { $0.subject == "source" })
                        return (finding.summary, finding.issues)
                    })
            }
        }
    }

    @Test func `an argument selects the declared kind`() async throws {
        let settings = try settings(["fake:north"])
        #expect(settings.app == "north")
        #expect(try await greeting(settings) == "hello")
        #expect(throws: CommandFailure.self) {
            try Settings(try Self.options(["fake://north"]).values, environment: environment())
        }
    }

    @Test func `the project file sets its options`() async throws {
        workplace.write(#"{"source": {"source": "fake:north", "greeting": "bye"}}"#, to: "flagmenu.json")
        #expect(try await greeting(settings()) == "bye")
        for (entry, words) in [
            (#""greeting": "what""#, #""greeting" must be one of hello, bye"#),
            (#""token": "hush""#, #"name a variable with "tokenVariable""#),
        ] {
            workplace.write(#"{"source": {"source": "fake:north", \#(entry)}}"#, to: "flagmenu.json")
            let failure = #expect(throws: CommandFailure.self) { try settings() }
            #expect(failure?.sentence.contains(words) == true, "\(failure?.sentence ?? "")")
        }
    }

    @Test func `the schema describes its options`() {
        let schema = ConfigurationSchema.project(Self.registry).text()
        #expect(schema.contains("What the shop says."))
        #expect(!ConfigurationSchema.project().text().contains("What the shop says."))
    }

    @Test func `init offers it and accepts its options`() throws {
        let prompts = InitPrompts(
            options: try Self.options([]), environment: environment(nil), registry: Self.registry)
        var draft = ProjectDraft(try Self.options(["fake:north"]).values)
        try draft.set("greeting=bye", in: workplace.path, Self.registry)
        try draft.set("tokenVariable=SHOP_TOKEN", in: workplace.path, Self.registry)
        #expect(throws: CommandFailure.self) { try draft.set("greeting=what", in: workplace.path, Self.registry) }
        #expect(try prompts.settings(of: draft).sources.map(\.shown) == ["fake:north"])
        #expect(draft.text.contains("\"greeting\": \"bye\",\n    \"tokenVariable\": \"SHOP_TOKEN\""))
    }

    @Test func `doctor reports its credential`() async throws {
        let sound = try await diagnosis("fake:north", token: "hush")
        #expect(sound.summary == "fake:north, with the token in the variable FAKE_TOKEN" && sound.issues.isEmpty)
        let withoutToken = try await diagnosis("fake:south", token: nil)
        #expect(
            withoutToken.issues.first?.contains("a shop needs a token; set FAKE_TOKEN") == true,
            "\(withoutToken.issues)")
    }

    @Test func `the menu lists its flags`() async throws {
        let settings = try settings(["fake:north"])
        // Without values the menu does not open.
        _ = try await greeting(settings)
        let menu = try await RealMenu(settings, try Self.options(["fake:north"]))
        let keys = menu.state.list.listedPlaces.map { menu.state.board.key(at: $0).string }
        #expect(keys == ["greeting"])
    }
}
