import FlagModel
import Testing

@testable import DeveloperMenu
@testable import FlagQueries

@Suite("Clients of a server in the menu and in watch")
struct ServerClientTests {
    private static let key = "express"

    private static func client(
        _ value: String? = nil, _ layer: FlagLayer = .override, since: Int64 = 5, at time: Int64 = 5,
        allAt: Int64? = nil,
        hasOwnOverrides: Bool = false
    ) throws -> RunningApp {
        let use = value.map { FlagUse(value: $0, layer: layer, since: since, readAt: time, wasRead: true) }
        let flags = use.map { [DeclaredFlag(key: key, type: .bool, defaultValue: nil, use: $0)] } ?? []
        let client = RunningApp.Client(
            name: "ana", firstAt: 1, lastAt: time, allAt: allAt, hasOwnOverrides: hasOwnOverrides, flags: flags)
        let server = RunningApp(id: "s", name: "serve", process: 1, startedAt: 0, flags: [], clients: [client])
        return try #require(try RunningApp(parsing: Array(server.text(flags: []).joined().utf8)).apps(at: 9).first)
    }

    @Test("a client takes a value only if it is another one")
    func changes() throws {
        func words(_ old: RunningApp?, _ new: RunningApp?) -> [String] {
            AppChange.between([old].compactMap(\.self), [new].compactMap(\.self)).map(\.words)
        }
        let first = try Self.client("true")
        #expect(words(nil, first) == ["client ana evaluates flags of flagmenu serve"])
        #expect(try words(first, Self.client("true", since: 5, at: 900)) == [])
        let changed = try Self.client("false", since: 950, at: 950)
        #expect(words(first, changed) == ["client ana took express false (override)"])
        let change = try #require(AppChange.between([first], [changed]).first)
        #expect(change.json(at: FlagTimestamp(seconds: 0)).text(indented: false).contains(#""milliseconds":null"#))
        #expect(try words(Self.client(), first) == [], "the first value of a flag is no change")
        #expect(words(changed, nil) == ["client ana no longer evaluates flags of flagmenu serve"])
    }

    @Test("a client that has evaluated all flags has no known value")
    func allFlags() throws {
        let override = FlagOverride(value: "true", setAt: FlagTimestamp(seconds: 10))
        func uptake(_ client: RunningApp, of override: FlagOverride? = override) -> FlagUptake? {
            client.uptake(of: override, for: Self.key, in: "/state", needsRestart: false)
        }
        let all = try Self.client("false", since: 9_000, at: 9_000, allAt: 12_000)
        #expect(uptake(all) == .taken(at: 12_000) && all.knownUse(of: Self.key) == nil)
        var board = FlagBoard(LayerValues())
        board.replaceOverrides([Self.key: override])
        let facts = board.facts(of: FlagText(Self.key))
        let change = NoticedChange(override: override, at: 10_000, isOwn: true)
        for (changes, words) in [
            ([Self.key: change] as FlagTable, "evaluated all flags 2000 ms after you set it"),
            ([:], "evaluated all flags since"),
        ] { #expect(AppsStatus(running: [all], changes: changes).lines(of: facts).map(\.words) == [words]) }
        let own = try Self.client(allAt: 12_000, hasOwnOverrides: true)
        #expect(uptake(own) == .ownOverrides)
        #expect(try uptake(Self.client(allAt: 9_000, hasOwnOverrides: true)) == .notEvaluated)
        let ownValue = try Self.client("false", since: 1, at: 12_000, hasOwnOverrides: true)
        #expect(uptake(ownValue) == .ownOverrides && uptake(ownValue, of: nil) == .ownOverrides)
        // Evaluated again after the change, with the value that it had before.
        #expect(
            try uptake(Self.client("false", .launch, since: 1, at: 12_000))
                == .overruled(value: "false", layer: .launch))
    }

    @Test("the sheet of a client does not speak of code")
    func sheet() throws {
        for (allAt, sentence) in [
            (Int64?.none, "It has evaluated no flag."), (7, "It evaluates all flags at once; their values are not"),
        ] {
            var menu = MenuDriver(columns: 100, rows: 30)
            menu.happens(.apps(AppsStatus(running: [try Self.client(allAt: allAt)])))
            menu.press("A")
            #expect(menu.lines.joined().contains("client ana") && menu.lines.joined().contains("first asked"))
            menu.press("<enter>")
            #expect(menu.lines.joined().contains(sentence), "\(menu.lines.joined(separator: "\n"))")
        }
    }
}
