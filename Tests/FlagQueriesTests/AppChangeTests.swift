import FlagModel
import Testing

@testable import FlagQueries

/// The changes of running apps, in words and as JSON.
@Suite struct AppChangeTests {
    private static func app(_ id: String, _ use: FlagUse) -> RunningApp {
        RunningApp(
            id: id, name: "shop", process: 42, startedAt: 100,
            flags: [DeclaredFlag(key: "a", type: .bool, defaultValue: "false", use: use)])
    }

    @Test func `starts, ends, new values and rejections are changes of apps`() {
        let start = FlagUse(value: "false", layer: .default, since: 100, readAt: 101, wasRead: true)
        let unread = FlagUse(value: "true", layer: .override, since: 200, readAt: nil, wasRead: true)
        let read = FlagUse(value: "true", layer: .override, since: 200, readAt: 203, wasRead: true)
        let rejected = FlagUse(
            value: "false", layer: .default, since: 300, readAt: 301, wasRead: true, rejection: "No bool.",
            rejectedValue: "x")
        func words(_ old: FlagUse?, _ new: FlagUse?) -> [String] {
            AppChange.between(old.map { [Self.app("1", $0)] } ?? [], new.map { [Self.app("1", $0)] } ?? [])
                .map(\.sentence)
        }
        #expect(words(nil, start) == ["shop (42) started, 1 declared flag"], "first values are no changes")
        #expect(words(start, start) == [] && words(start, unread) == [])
        #expect(words(unread, read) == ["shop (42) took a true (override) after 3 ms"])
        #expect(words(read, rejected) == ["shop (42) rejected a: No bool."])
        #expect(words(read, nil) == ["shop (42) ended"])
        let again = AppChange.between([Self.app("1", start)], [Self.app("2", start)]).map(\.sentence)
        #expect(again == ["shop (42) ended", "shop (42) started, 1 declared flag"], "a process id may be used again")
        let json = AppChange(app: Self.app("1", read), kind: .took(key: "a", read)).json(at: FlagTimestamp(seconds: 0))
            .text(indented: false)
        #expect(json.contains(#""event":"took","app":"shop","process":42,"key":"a","value":"true""#), "\(json)")
        #expect(json.contains(#""milliseconds":3,"reason":null"#), "\(json)")
    }
}
