import Dispatch
import FlagModel
import FlagPresence
import FlagStorage
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
    fileprivate static let neverRead = FlagKey("announced_but_never_read", default: true)
}

private struct AnnouncedScreen: Codable, Sendable {
    struct Label: Codable { var title: String }
    var labels = [Label(title: "Welcome")]
}

extension FlagKey<AnnouncedScreen> {
    fileprivate static let announcedScreen = FlagKey(json: "announced_screen", default: AnnouncedScreen())
}

private enum Shade: String, CaseIterable { case light, dark }

extension FlagKey<Shade> {
    fileprivate static let shade = FlagKey("announced_shade", default: .light)
}

/// What an app announces about itself.
@Suite(.mayBlock) struct PresenceTests {
    private let place = AppPlace()

    private func store(_ access: OverrideAccess = .open, announces: Bool = true) -> FlagStore {
        FlagStore(
            app: "shop", overrides: access, declares: [FlagKey<Bool>.announced, FlagKey<Shade>.shade],
            announces: announces, storeDirectory: place.storeDirectory, cacheDirectory: place.cacheDirectory,
            logger: place.log.logger)
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
        let flags = FlagStore(
            app: "shop", overrides: .open, activation: .nextLaunch, storeDirectory: place.storeDirectory,
            cacheDirectory: place.cacheDirectory, logger: place.log.logger)
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

    @Test func `the announcement ends with the store`() throws {
        var flags: FlagStore? = store()
        #expect(Clock.wait { !apps.isEmpty })
        withExtendedLifetime(flags) {}
        flags = nil
        #expect(Clock.wait { apps.isEmpty })
    }

    @Test func `the first read after each change is announced`() throws {
        let flags = store()
        #expect(flags[.announced] == false)
        let first = try use { $0.readAt != nil }
        #expect(first.wasRead)
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
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
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        #expect(Clock.wait { flags[.announced] })
        let read = try use { $0.value == "true" && $0.readAt != nil }
        flags.updateRemote(["announced_flag": "false"])
        _ = try place.menu.apply([.set(key: "announced_shade", value: "dark")])
        _ = try self.use(of: "announced_shade") { $0.value == "dark" }
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
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
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
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        #expect(await task.value == "true")
        #expect(Clock.wait { counter.withLock { $0 } == 1 })
        #expect(try self.use { $0.value == "true" }.readAt == nil)
        // A later announcement would have the reads.
        _ = try place.menu.apply([.set(key: "announced_shade", value: "dark")])
        _ = try self.use(of: "announced_shade") { $0.value == "dark" }
        #expect(try self.use { _ in true }.readAt == nil)
        observation.cancel()
    }

    @Test func `a handler of one flag reads it when it is done`() throws {
        let flags = store()
        let gate = DispatchSemaphore(value: 0)
        let observation = flags.onChange(of: .announced) { _ in gate.wait() }
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        #expect(try self.use { $0.value == "true" }.readAt == nil)
        gate.signal()
        #expect(try use { $0.readAt != nil }.value == "true")
        observation.cancel()
    }

    @Test func `a delivered value that has changed since does not count`() throws {
        let flags = store()
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        _ = try use { $0.value == "true" }
        func deliver(_ text: String, _ layer: FlagLayer) {
            let change = FlagChange<String?>(key: "announced_flag", old: nil, new: text, layer: layer)
            flags.recordDelivery(of: change, to: .text("announced_flag"))
        }
        deliver("false", .override)
        deliver("true", .remote)
        _ = try place.menu.apply([.set(key: "announced_shade", value: "dark")])
        _ = try use(of: "announced_shade") { $0.value == "dark" }
        #expect(try use { _ in true }.readAt == nil)
        deliver("true", .override)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    @Test func `reads by key count if code also declares the key`() throws {
        let flags = store()
        #expect(throws: FlagReadError.self) { try flags.bool("announced_flag") }
        #expect(try use { $0.readAt != nil }.firstValue == "false", "the app uses its own default")
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        #expect(try use { $0.value == "true" }.readAt == nil)
        #expect(try flags.bool("announced_flag") == true)
        #expect(try use { $0.readAt != nil }.value == "true")
        _ = try place.menu.apply([.set(key: "announced_flag", value: "false")])
        #expect(try use { $0.value == "false" }.readAt == nil)
        let old = flags.snapshot()
        #expect(try ObservableFlags(flags).bool("announced_flag") == false)
        #expect(try use { $0.readAt != nil }.value == "false")
        _ = try place.menu.apply([.set(key: "announced_flag", value: "on")])
        _ = try use { $0.value == "on" }
        #expect(try old.bool("announced_flag") == false, "an older snapshot does not count")
        let text = flags.value(
            of: "announced_flag", at: flags.snapshot(), in: FlagLayer.allCases, typeName: "text"
        ) { $0 }
        #expect(text == "on")
        #expect(try use { $0.readAt != nil }.value == "on")
    }

    @Test func `the rejection of the override is announced first`() throws {
        let flags = FlagStore(
            app: "shop", overrides: .open, launch: ["announced_shade": "green"], declares: [FlagKey<Shade>.shade],
            storeDirectory: place.storeDirectory, cacheDirectory: place.cacheDirectory, logger: place.log.logger)
        #expect(try use(of: "announced_shade") { $0.rejection != nil }.rejectedValue == "green")
        _ = try place.menu.apply([.set(key: "announced_shade", value: "purple")])
        #expect(try use(of: "announced_shade") { $0.rejectedValue == "purple" }.rejection?.contains("purple") == true)
        withExtendedLifetime(flags) {}
    }

    @Test func `a snapshot and a scope read too`() throws {
        let flags = store()
        #expect(flags.snapshot()[.announced] == false)
        #expect(try use { $0.readAt != nil }.wasRead)
    }

    /// As of a request that began before the change.
    @Test func `an older snapshot does not count as a read`() throws {
        let flags = store()
        let old = flags.snapshot()
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        _ = try use { $0.value == "true" }
        #expect(old[.announced] == false)
        _ = try place.menu.apply([.set(key: "announced_shade", value: "dark")])
        _ = try use(of: "announced_shade") { $0.value == "dark" }
        #expect(try use { _ in true }.readAt == nil)
        #expect(flags.snapshot()[.announced] == true)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    @Test func `the read of a snapshot is recorded again after a change`() throws {
        let flags = store()
        #expect(flags.snapshot()[.shade] == .light)
        let first = try use(of: "announced_shade") { $0.readAt != nil }
        _ = try place.menu.apply([.set(key: "announced_shade", value: "dark")])
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
        _ = try place.menu.apply([.set(key: "announced_start_flag", value: "true")])
        #expect(Clock.wait { flags[.readAtStart] })
        let changed = try use(of: "announced_start_flag") { $0.value == "true" && $0.readAt != nil }
        #expect(changed.firstValue == "false")
    }

    @Test func `a rejected value is announced with its reason`() throws {
        let flags = store()
        #expect(flags[.shade] == .light)
        _ = try place.menu.apply([.set(key: "announced_shade", value: "purple")])
        let use = try use(of: "announced_shade") { $0.rejection != nil }
        #expect(use.value == "light" && use.rejectedValue == "purple")
        #expect(use.rejection == "\"purple\" is not valid: the cases are light, dark.")
        withExtendedLifetime(flags) {}
    }

    @Test(arguments: [
        ("{}", "labels is missing."), (#"{"labels": [{"title": "a"}, {}]}"#, "labels[1].title is missing."),
        (#"{"labels": [{"title": 3}]}"#, "labels[0].title is not a String."),
        ("{", "it is not JSON that the app can read."),
        (#"{"labels": null}"#, "labels is null, not a "),
    ])
    func `a rejected JSON value is announced with the member`(text: String, reason: String) throws {
        let flags = FlagStore(
            app: "shop", overrides: .open, declares: [FlagKey<AnnouncedScreen>.announcedScreen],
            storeDirectory: place.storeDirectory,
            cacheDirectory: place.cacheDirectory, logger: place.log.logger)
        _ = try place.menu.apply([.set(key: "announced_screen", value: text)])
        let use = try use(of: "announced_screen") { $0.rejectedValue == text }
        #expect(use.rejection?.contains(reason) == true, "\(use.rejection ?? "")")
        withExtendedLifetime(flags) {}
    }

    @Test func `the declaration is known after the store has ended`() throws {
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
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true")])
        #expect(Clock.wait { flags[.announced] })
        #expect(!FileManager.default.fileExists(atPath: "\(place.storeDirectory)/running"))
    }

    @Test func `a closed store says how many overrides it ignores`() throws {
        let older = store(.closed)
        #expect(
            !FileManager.default.fileExists(atPath: place.storeDirectory), "nothing is written for users of the app")
        _ = try place.menu.apply([.set(key: "announced_flag", value: "true"), .set(key: "b", value: "1")])
        #expect(Clock.wait { apps.first?.ignoredOverrides != nil }, "it notices the first use of a menu")
        let flags = store(.closed)
        #expect(flags[.announced] == false)
        #expect(place.log.lines.contains { $0.contains("shop ignores 2 overrides in \(place.storeDirectory)") })
        #expect(Clock.wait { apps.last?.ignoredOverrides == 2 })
        #expect(apps.last?.flags == [] && apps.last?.overrideFolder == nil)
        withExtendedLifetime((older, flags)) {}
    }
}
