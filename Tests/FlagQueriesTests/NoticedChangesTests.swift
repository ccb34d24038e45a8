import FlagModel
import Testing

@testable import FlagQueries

@Suite("Changes of overrides that running apps take or reject")
struct NoticedChangesTests {
    private static let key = "enable_multiple_locations"

    private static func override(_ value: String, at seconds: Int64 = 1) -> FlagOverride {
        FlagOverride(value: value, setAt: FlagTimestamp(seconds: seconds))
    }

    private static func app(_ use: FlagUse, startedAt: Int64 = 0) -> RunningApp {
        let flag = DeclaredFlag(key: key, type: .bool, defaultValue: "false", use: use)
        return RunningApp(
            id: "shop", name: "shop", process: 4242, startedAt: startedAt, overrideFolder: "/state", flags: [flag])
    }

    private static func use(
        _ value: String, _ layer: FlagLayer = .override, since: Int64 = 0, readAt: Int64? = nil
    ) -> FlagUse {
        FlagUse(
            value: value, layer: layer, since: since, readAt: readAt, wasRead: true)
    }

    private static func facts(_ override: FlagOverride?) -> FlagFacts {
        var board = FlagBoard(LayerValues())
        board.replaceOverrides(override.map { [key: $0] } ?? [:])
        return board.facts(of: FlagText(key))
    }

    @Test("changes of this menu and changes from elsewhere are told apart")
    func origins() {
        let (old, new, other) = (Self.override("true"), Self.override("false"), Self.override("true", at: 5))
        var changes = NoticedChanges()
        changes.notice(["a": old], at: 1)
        #expect(changes.byKey.isEmpty, "the first reading changes nothing")
        changes.make([OverrideChange(key: "a", old: old, new: new)], at: 2)
        changes.notice(["a": new], at: 3)
        #expect(changes.byKey == ["a": NoticedChange(override: new, at: 2, isOwn: true)])
        changes.notice(["a": other], at: 4)
        #expect(changes.byKey == ["a": NoticedChange(override: other, at: 4, isOwn: false)])
        changes.notice([:], at: 5)
        #expect(changes.byKey == ["a": NoticedChange(override: nil, at: 5, isOwn: false)])
    }

    @Test("an app takes only the change that made the override what it is")
    func laterChange() {
        func words(_ change: NoticedChange, startedAt: Int64 = 0) -> String? {
            let app = Self.app(Self.use("false", since: 301_000, readAt: 301_000), startedAt: startedAt)
            let status = AppsStatus(running: [app], overrideFolder: "/state", changes: [Self.key: change])
            return status.lines(of: Self.facts(Self.override("false", at: 300))).first?.words
        }
        let current = Self.override("false", at: 300)
        #expect(
            words(NoticedChange(override: current, at: 300_900, isOwn: true)) == "took false 100 ms after you set it")
        let uses = "uses false (override)"
        #expect(words(NoticedChange(override: Self.override("true"), at: 1_000, isOwn: true)) == uses)
        #expect(words(NoticedChange(override: current, at: 300_900, isOwn: false)) == uses)
        #expect(words(NoticedChange(override: current, at: 300_900, isOwn: true), startedAt: 300_950) == uses)
    }

    @Test("the time to take a change begins with the change that made the override what it is")
    func timeToTake() {
        let app = Self.app(Self.use("true"))
        func isNotTaken(_ changes: FlagTable<NoticedChange>, at time: Int64) -> Bool {
            AppsStatus(running: [app], overrideFolder: "/state", changes: changes, readAt: time)
                .reasonNotTaken(Self.facts(Self.override("false", at: 10))) != nil
        }
        let old: FlagTable = [Self.key: NoticedChange(override: Self.override("true"), at: 1_000, isOwn: true)]
        // The override was set until the end of the second 10.
        for changes in [old, [:]] { #expect(!isNotTaken(changes, at: 12_999) && isNotTaken(changes, at: 13_000)) }
        let noticed: FlagTable = [
            Self.key: NoticedChange(override: Self.override("false", at: 10), at: 10_100, isOwn: false)
        ]
        #expect(!isNotTaken(noticed, at: 12_099) && isNotTaken(noticed, at: 12_100))
    }
}
