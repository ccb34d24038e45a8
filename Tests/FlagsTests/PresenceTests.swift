import FlagModel
import FlagPresence
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Flags

extension FlagKey<Bool> {
    fileprivate static let announced = FlagKey(
        "announced_flag", default: false, title: "Announced", description: "For a test.", group: "Tests", owner: "ana",
        expires: "2027-01-31")
    fileprivate static let readAtStart = FlagKey("announced_start_flag", default: false, needsRestart: true)
}

private struct AnnouncedScreen: Codable, FlagValue {
    struct Label: Codable { var title: String }
    var labels = [Label(title: "Welcome")]
}

extension FlagKey<AnnouncedScreen> {
    fileprivate static let announcedScreen = FlagKey("announced_screen", default: AnnouncedScreen())
}

private enum Shade: String, CaseIterable, FlagValue { case light, dark }

extension FlagKey<Shade> {
    fileprivate static let shade = FlagKey("announced_shade", default: .light)
}

/// What an app announces about itself.
@Suite(.mayBlock, .timeLimit(.minutes(10))) struct PresenceTests {
    private let place = AppPlace()

    private func store(
        _ access: OverrideAccess = .open, launch: FlagTable<String> = [:],
        declares: [any DeclaredKey] = [FlagKey<Bool>.announced, FlagKey<Shade>.shade], announces: Bool = true,
        activation: Activation = .immediately
    ) -> FlagStore {
        FlagStore(
            app: "shop",
            options: .init(
                overrides: access, declares: declares, launch: launch, announces: announces, activation: activation,
                storeDirectory: place.storeDirectory, cacheDirectory: place.cacheDirectory, logger: place.log.logger))
    }

    /// Sets an override as a menu does.
    private func set(_ value: String, of key: String = "announced_flag") throws {
        _ = try place.menu.apply([.set(key: key, value: value)])
    }

    /// Waits until everything that has happened is announced, which a later change is.
    private func waitForLaterAnnouncement() throws {
        try set("dark", of: "announced_shade")
        _ = try use(of: "announced_shade") { $0.value == "dark" }
    }

    private var apps: [RunningApp] { RunningApps(in: [place.storeDirectory]).read().apps }

    /// Waits until an announcement meets a condition, and returns what the app uses.
    private func use(
        of key: String = "announced_flag", when condition: @escaping (FlagUse) -> Bool
    ) throws -> FlagUse {
        var use: FlagUse?
        let isMet = Clock.wait {
            use = apps.first?.flag(key)?.use
            return use.map(condition) == true
        }
        try #require(isMet, "\(String(describing: use))")
        return try #require(use)
    }

    @Test func `an app says that fetched values need a restart`() throws {
        let flags = store(activation: .nextLaunch)
        #expect(Clock.wait { apps.first?.activatesAtLaunch == true })
        withExtendedLifetime(flags) {}
    }

    @Test func `declared keys are announced before they are read`() throws {
        let flags = store()
        let use = try use { _ in true }
        #expect(use.value == "false" && use.layer == .default && !use.wasRead && use.readAt == nil)
        let app = try #require(apps.first)
        #expect(app.process == getpid() && app.overrideFolder == place.storeDirectory && app.ignoredOverrides == nil)
        let flag = try #require(app.flag("announced_flag"))
        #expect(flag.type == .bool && flag.defaultValue == "false")
        #expect(
            flag.facts
                == DeclaredFlag.Facts(
                    title: "Announced", description: "For a test.", group: "Tests", owner: "ana",
                    expires: "2027-01-31"))
        #expect(app.flag("announced_shade")?.facts.options == ["light", "dark"])
        withExtendedLifetime(flags) {}
    }

    @Test func `the first read after each change is announced`() throws {
        let flags = store()
        #expect(flags[.announced] == false)
        let first = try use { $0.readAt != nil }
        #expect(first.wasRead)
        try set("true")
        let changed = try use { $0.value == "true" }
        #expect(changed.layer == .override && changed.readAt == nil && changed.wasRead)
        #expect(changed.since >= first.readAt ?? 0)
        #expect(flags[.announced] == true)
        let read = try use { $0.readAt != nil }
        #expect(read.value == "true" && (read.readAt ?? 0) >= read.since)
        #expect(flags[.announced] == true, "later reads have the value, too")
    }

    @Test func `a change that the value does not show needs no new read`() throws {
        let flags = store()
        try set("true")
        #expect(Clock.wait { flags[.announced] })
        let read = try use { $0.value == "true" && $0.readAt != nil }
        flags.updateRemote(["announced_flag": "false"])
        try waitForLaterAnnouncement()
        let later = try use { $0.remoteValue == "false" }
        #expect(later.since == read.since && later.readAt == read.readAt && later.value == "true")
        #expect(flags[.announced] == true)
    }

    @Test func `a delivered change counts as read`() async throws {
        let flags = store()
        let changes = flags.changes(of: .announced)
        let task = Task {
            for await change in changes { return change.new }; return false
        }
        try set("true")
        #expect(await task.value == true)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    /// As by an app that logs every change, and reads a flag only at its start.
    @Test func `observing all flags reads none`() async throws {
        let flags = store()
        #expect(flags[.announced] == false)
        let counter = Mutex(0)
        let observation = flags.onChange { _ in counter.withLock { $0 += 1 } }
        let changes = flags.changes
        let task = Task {
            for await change in changes { return change.new }; return nil
        }
        try set("true")
        #expect(await task.value == "true")
        #expect(Clock.wait { counter.withLock { $0 } == 1 })
        #expect(try self.use { $0.value == "true" }.readAt == nil)
        // A later announcement would have the reads.
        try waitForLaterAnnouncement()
        #expect(try self.use { _ in true }.readAt == nil)
        observation.cancel()
    }

    @Test func `a handler of one flag reads it when it is done`() throws {
        let flags = store()
        let gate = DispatchSemaphore(value: 0)
        let observation = flags.onChange(of: .announced) { _ in gate.wait() }
        try set("true")
        #expect(try self.use { $0.value == "true" }.readAt == nil)
        gate.signal()
        #expect(try use { $0.readAt != nil }.value == "true")
        observation.cancel()
    }

    @Test func `a delivered value that has changed since does not count`() throws {
        let flags = store()
        try set("true")
        _ = try use { $0.value == "true" }
        func deliver(_ text: String, _ layer: FlagLayer) {
            let change = FlagChange<String?>(key: "announced_flag", old: nil, new: text, layer: layer)
            flags.recordDelivery(of: change, to: .text("announced_flag"))
        }
        deliver("false", .override)
        deliver("true", .remote)
        try waitForLaterAnnouncement()
        #expect(try use { _ in true }.readAt == nil)
        deliver("true", .override)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    @Test func `reads by key count if code also declares the key`() throws {
        let flags = store()
        #expect(throws: FlagReadError.self) { try flags.bool("announced_flag") }
        #expect(try use { $0.readAt != nil }.firstValue == "false", "the app uses its own default")
        try set("true")
        #expect(try use { $0.value == "true" }.readAt == nil)
        #expect(try flags.bool("announced_flag") == true)
        #expect(try use { $0.readAt != nil }.value == "true")
        try set("false")
        #expect(try use { $0.value == "false" }.readAt == nil)
        let old = flags.snapshot()
        #expect(try ObservableFlags(flags).bool("announced_flag") == false)
        #expect(try use { $0.readAt != nil }.value == "false")
        try set("on")
        _ = try use { $0.value == "on" }
        #expect(try old.bool("announced_flag") == false, "an older snapshot does not count")
        let text = flags.value(
            of: "announced_flag", at: flags.snapshot(), in: FlagLayer.allCases, typeName: "text"
        ) { $0 }
        #expect(text == "on")
        #expect(try use { $0.readAt != nil }.value == "on")
    }

    @Test func `a rejected value is announced with its reason, that of the override first`() throws {
        let flags = store(launch: ["announced_shade": "green"])
        #expect(try use(of: "announced_shade") { $0.rejection != nil }.rejectedValue == "green")
        try set("purple", of: "announced_shade")
        let use = try use(of: "announced_shade") { $0.rejectedValue == "purple" }
        #expect(use.value == "light" && use.rejection == "\"purple\" is not valid: the cases are light, dark.")
        withExtendedLifetime(flags) {}
    }

    /// As of a request that began before the change.
    @Test func `an older snapshot does not count as a read`() throws {
        let flags = store()
        let old = flags.snapshot()
        try set("true")
        _ = try use { $0.value == "true" }
        #expect(old[.announced] == false)
        try waitForLaterAnnouncement()
        #expect(try use { _ in true }.readAt == nil)
        #expect(flags.snapshot()[.announced] == true)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    @Test func `the read of a snapshot is recorded again after a change`() throws {
        let flags = store()
        #expect(flags.snapshot()[.shade] == .light)
        let first = try use(of: "announced_shade") { $0.readAt != nil }
        try set("dark", of: "announced_shade")
        #expect(try use(of: "announced_shade") { $0.value == "dark" }.readAt == nil)
        #expect(flags.snapshot()[.shade] == .dark)
        let second = try use(of: "announced_shade") { $0.readAt != nil }
        #expect(first.firstValue == "light" && second.firstValue == "light" && second.value == "dark")
    }

    @Test func `the first value is announced as long as the app runs`() throws {
        let flags = store()
        #expect(flags[.readAtStart] == false)
        #expect(try use(of: "announced_start_flag") { $0.readAt != nil }.firstValue == "false")
        #expect(apps.first?.flag("announced_start_flag")?.facts.needsRestart == true)
        try set("true", of: "announced_start_flag")
        #expect(Clock.wait { flags[.readAtStart] })
        let changed = try use(of: "announced_start_flag") { $0.value == "true" && $0.readAt != nil }
        #expect(changed.firstValue == "false")
    }

    @Test(arguments: [
        ("{}", "labels is missing."), (#"{"labels": [{"title": "a"}, {}]}"#, "labels[1].title is missing."),
        (#"{"labels": [{"title": 3}]}"#, "labels[0].title is not a String."),
        ("{", "it is not JSON that the app can read."),
        (#"{"labels": null}"#, "labels is null, not a "),
    ])
    func `a rejected JSON value is announced with the member`(text: String, reason: String) throws {
        let flags = store(declares: [FlagKey<AnnouncedScreen>.announcedScreen])
        try set(text, of: "announced_screen")
        let use = try use(of: "announced_screen") { $0.rejectedValue == text }
        #expect(use.rejection?.contains(reason) == true, "\(use.rejection ?? "")")
        withExtendedLifetime(flags) {}
    }

    @Test func `the announcement ends with the store, and the declaration stays known`() throws {
        var flags: FlagStore? = store()
        #expect(Clock.wait { !apps.isEmpty })
        withExtendedLifetime(flags) {}
        flags = nil
        #expect(Clock.wait { apps.isEmpty })
        let program = try #require(RunningApps(in: [place.storeDirectory]).read().declared.programs.first)
        #expect(program.seenAt != nil && program.flags.contains { $0.key == "announced_flag" && $0.use == nil })
    }

    @Test func `an app without announcement writes nothing`() throws {
        let flags = store(announces: false)
        #expect(flags[.announced] == false)
        try set("true")
        #expect(Clock.wait { flags[.announced] })
        #expect(!FileManager.default.fileExists(atPath: "\(place.storeDirectory)/running"))
    }

    @Test func `a closed store says how many overrides it ignores`() throws {
        let older = store(.closed)
        #expect(
            !FileManager.default.fileExists(atPath: place.storeDirectory), "nothing is written for users of the app")
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true"), .set(key: "b", value: "1")])
        let flags = store(.closed)
        #expect(flags[.announced] == false)
        #expect(place.log.lines.contains { $0.contains("shop ignores 2 overrides in \(place.storeDirectory)") })
        #expect(apps.map(\.ignoredOverrides) == [2], "it looks once, when it is opened")
        #expect(apps.first?.flags == [] && apps.first?.overrideFolder == nil)
        withExtendedLifetime((older, flags)) {}
    }
}
