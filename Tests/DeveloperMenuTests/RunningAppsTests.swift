import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Running apps in the menu.
@Suite(.slow) struct RunningAppsTests {
    private static let key = "enable_multiple_locations"

    private static func app(
        _ use: FlagUse?, name: String = "shop", startedAt: Int64 = 0, ignoring ignored: Int? = nil,
        folder: String? = "/state", revision: Int? = nil, activatesAtLaunch: Bool = false, isMarked: Bool = false
    ) -> RunningApp {
        let flag = DeclaredFlag(
            key: key, type: .bool, defaultValue: "false",
            facts: DeclaredFlag.Facts(needsRestart: isMarked), use: use)
        return RunningApp(
            id: name, name: name, process: 4242, startedAt: startedAt, ignoredOverrides: ignored,
            overrideFolder: folder, revision: revision, activatesAtLaunch: activatesAtLaunch,
            flags: use == nil ? [] : [flag])
    }

    /// Whether an app uses an override with this value; `nil` asks about no override.
    private static func uptake(
        _ app: RunningApp, of value: String? = "true", revision: Int? = nil, needsRestart: Bool = false
    ) -> FlagUptake? {
        app.uptake(
            of: value.map { FlagOverride(value: $0) }, for: key, in: "/state", revision: revision,
            needsRestart: needsRestart)
    }

    private static func use(
        _ value: String = "true", _ layer: FlagLayer = .override, readAt: Int64? = nil, wasRead: Bool = true,
        firstValue: String? = nil, rejection: String? = nil, of rejected: String = "true"
    ) -> FlagUse {
        FlagUse(
            value: value, layer: layer, since: 1_000, readAt: readAt, wasRead: wasRead, firstValue: firstValue,
            rejection: rejection, rejectedValue: rejection.map { _ in rejected })
    }

    /// The text of a menu with the flag overridden and selected, after an announcement.
    private static func text(_ apps: [RunningApp], at time: Int64 = 0) -> String {
        var menu = MenuDriver(columns: 140, rows: 40, overrides: [key: "true"], pressing: "g")
        menu.happens(.apps(AppsStatus(running: apps, overrideFolder: "/state", readAt: time)))
        return menu.text
    }

    @Test func `the title counts running apps, and says nothing without any`() {
        #expect(!Self.text([]).contains("running"))
        #expect(Self.text([Self.app(Self.use())]).contains("2 min ago, 1 app running"))
        let two = Self.text([Self.app(Self.use()), Self.app(Self.use(), name: "other")])
        #expect(two.contains("2 apps running"), "\(two)")
    }

    @Test(
        arguments: [
            (0, 0, "took true after 8 ms"), (61_008, 0, "uses true (override)"), (0, 1_000, "uses true (override)"),
        ] as [(Int64, Int64, String)])
    func `the details say how fast an app took a value`(time: Int64, startedAt: Int64, words: String) {
        let text = Self.text([Self.app(Self.use(readAt: 1_008), startedAt: startedAt)], at: time)
        #expect(text.contains("Running apps") && text.contains("shop (4242) \(words)"), "\(text)")
    }

    @Test func `the details say that an app uses fetched values only after a restart`() {
        func text(_ value: String, activatesAtLaunch: Bool) -> String {
            let app = Self.app(Self.use(value, .remote, readAt: 1_008), activatesAtLaunch: activatesAtLaunch)
            var menu = MenuDriver(columns: 140, rows: 40, pressing: "g")
            menu.happens(.apps(AppsStatus(running: [app], overrideFolder: "/state")))
            return menu.text
        }
        let older = text("true", activatesAtLaunch: true)
        #expect(older.contains("shop (4242) uses true (remote): restart to apply the newer"), "\(older)")
        #expect(text("false", activatesAtLaunch: true).contains("shop (4242) uses false (remote)"))
        #expect(!text("true", activatesAtLaunch: false).contains("restart"))
    }

    @Test(
        arguments: [
            (Self.app(Self.use(wasRead: false)), "has not read it yet"),
            (Self.app(Self.use()), "has not read it since; if it reads it only at start, restart it"),
            (Self.app(Self.use("false", .remote)), "has not noticed the change"),
            (Self.app(nil, ignoring: 2), "ignores overrides: this build does not use any"),
            (Self.app(Self.use(), folder: "/other"), "uses the overrides in /other"),
            (Self.app(Self.use("false", .remote, rejection: "Not a bool.")), "rejected it: Not a bool."),
            (Self.app(Self.use("false", .launch)), "uses false (launch), which wins"),
        ])
    func `the details say why an app does not use the override`(app: RunningApp, words: String) {
        let shown = Self.text([app]).split { " \n".contains($0) }.joined(separator: " ")
        // The words may be wrapped between other columns, so only their start is compared.
        let start = words.split(separator: " ").prefix(3).joined(separator: " ")
        #expect(shown.contains("shop (4242) \(start)"), "\(shown)")
        let uptake = Self.uptake(app)
        #expect(uptake?.summary.hasPrefix(words) == true && uptake?.isTaken == false)
    }

    @Test func `a flag that is read at the start needs a restart of the app`() {
        let uptake = Self.uptake(Self.app(Self.use()), needsRestart: true)
        #expect(uptake == .needsRestart)
        #expect(uptake?.summary == "read it once at start: restart to apply")
        let other = Self.app(Self.use()).uptake(of: nil, for: "other", in: "/state", needsRestart: true)
        #expect(other == nil, "the app does not declare the flag")
    }

    /// The code of an app may mark a flag that is read only at the start.
    @Test(arguments: [
        (Self.use(firstValue: "false"), FlagUptake.needsRestart),
        // A later read does not apply a new value.
        (Self.use(readAt: 2_000, firstValue: "false"), .needsRestart),
        // The first value is not known.
        (Self.use(readAt: 2_000), .needsRestart),
        (Self.use(wasRead: false), .notRead(everRead: false)),
        // The value that the code read first is in use, also after other values.
        (Self.use(readAt: 2_000, firstValue: "true"), .taken(at: 2_000)),
        (Self.use(firstValue: "true"), .taken(at: 1_000)),
    ])
    func `an app uses the first value of a flag that its code marks`(use: FlagUse, uptake: FlagUptake) {
        #expect(Self.uptake(Self.app(use, isMarked: true)) == uptake)
    }

    /// A value that is the same as before a change is taken only with the revision of the change.
    @Test(arguments: [(6, FlagUptake.taken(at: 2_000)), (7, .taken(at: 2_000)), (8, .notNoticed)])
    func `an app takes a value with the revision of the change`(revision: Int, uptake: FlagUptake) {
        #expect(Self.uptake(Self.app(Self.use(readAt: 2_000), revision: 7), revision: revision) == uptake)
    }

    @Test func `after a reset, an app is asked for no override`() {
        #expect(Self.uptake(Self.app(Self.use("false", .remote, readAt: 2_000)), of: nil) == .taken(at: 2_000))
        #expect(Self.uptake(Self.app(Self.use("true", .override, readAt: 2_000)), of: nil) == .notNoticed)
    }

    @Test func `the reason why another value was rejected is not that of the override`() {
        let other = Self.app(Self.use("false", .remote, rejection: "Not a bool.", of: "maybe"))
        #expect(Self.uptake(other) == .notNoticed)
        let launched = Self.app(Self.use("false", .launch, rejection: "Not a bool."))
        #expect(Self.uptake(launched) == .overruled(value: "false", layer: .launch))
    }

    @Test func `a build without overrides has nothing to notice after a reset`() {
        let closed = Self.app(nil, ignoring: 1)
        #expect(Self.uptake(closed, of: nil) == nil && Self.uptake(closed) == .ignoresOverrides)
    }

    private static func menu(_ apps: [RunningApp], at time: Int64, setAt: Int64? = nil) -> MenuDriver {
        let override = FlagOverride(value: "true", setAt: setAt.map { FlagTimestamp(seconds: $0) })
        var menu = MenuDriver(columns: 80, rows: 24)
        menu.happens(.store(.read(OverrideTable(revision: 1, overrides: [key: override]), error: nil)))
        menu.press("g")
        menu.happens(.apps(AppsStatus(running: apps, overrideFolder: "/state", readAt: time)))
        return menu
    }

    @Test func `after 2 s, a row says that no app has taken its value, and the line below says why`() {
        let unread = Self.app(Self.use(wasRead: false))
        let reader = Self.app(Self.use(readAt: 1_500), name: "other")
        func isFlagged(_ apps: [RunningApp], at time: Int64, setAt: Int64? = 0) -> Bool {
            let text = Self.menu(apps, at: time, setAt: setAt).lines.joined(separator: "\n")
            let isFlagged = text.contains("not taken")
            #expect(text.contains("No app took it: shop (4242) has not read it yet.") == isFlagged, "\(text)")
            return isFlagged
        }
        #expect(!isFlagged([unread], at: 2_999) && isFlagged([unread], at: 3_000))
        #expect(!isFlagged([unread], at: 4_999, setAt: 2) && isFlagged([unread], at: 5_000, setAt: 2))
        #expect(!isFlagged([unread, reader], at: 9_000) && !isFlagged([], at: 9_000))
        // An override of which nobody knows when it was set.
        #expect(!isFlagged([unread], at: 9_000, setAt: nil))
    }

    @Test func `the tab of apps says what each app does about every changed flag`() {
        let closed = RunningApp(id: "c", name: "release", process: 7, startedAt: 0, ignoredOverrides: 2, flags: [])
        var menu = Self.menu([Self.app(Self.use(wasRead: false)), closed], at: 3_000)
        menu.press("GA")
        var text = menu.text
        #expect(text.contains("shop (4242)") && text.contains("1 flag"), "\(text)")
        #expect(text.contains("\(Self.key)  has not read it yet"), "\(text)")
        #expect(text.contains("release (7)") && text.contains("ignores overrides: this build"), "\(text)")
        menu.happens(.apps(AppsStatus(running: [closed], overrideFolder: "/state", readAt: 4_000)))
        text = menu.text
        #expect(!text.contains("shop (4242)") && text.contains("release (7)"), "the tab follows: \(text)")
        #expect(menu.press("<esc>").state.mode == .list)
    }

    @Test func `a server is an app with clients`() {
        let clients = ["ana", "ben"].map {
            RunningApp.Client(name: $0, firstAt: 1, lastAt: 1_795_255_200_000, allAt: nil, flags: [])
        }
        let server = RunningApp(
            id: "s", name: "flagmenu serve", process: 7, startedAt: 0, flags: [], clients: clients)
        var menu = Self.menu([server], at: 3_000)
        menu.press("A")
        #expect(menu.lines.joined().contains("2 clients"), "\(menu.text)")
    }

    @Test func `a value that an app rejects is said once`() {
        var menu = MenuDriver(columns: 140, rows: 40, overrides: [Self.key: "true"])
        func happens(_ use: FlagUse, at time: Int64) -> Bool {
            menu.press("<down>")
            menu.happens(.apps(AppsStatus(running: [Self.app(use)], overrideFolder: "/state", readAt: time)))
            let message = "shop (4242) cannot read \(Self.key): true is not valid. u undoes it."
            return menu.text.contains(message)
        }
        let rejected = Self.use("false", .remote, rejection: "true is not valid.")
        #expect(!happens(Self.use("false", .remote), at: 1))
        #expect(happens(rejected, at: 2) && !happens(rejected, at: 3))
        #expect(!happens(Self.use("false", .remote, rejection: "other is not valid.", of: "other"), at: 4))
        #expect(happens(rejected, at: 5), "the app has used another value meanwhile")
    }
}
