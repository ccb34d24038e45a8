import FlagModel
import FlagPresence
import FlagRemote
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// How announcements are written, without an app.
@Suite(.mayBlock) struct AnnouncerTests {
    private let app: App
    private let place = AppPlace()
    private static let flag = FlagKey("announcer_flag", default: false)
    private static let name = "announcer_flag"
    /// Changes last, so that an announcement with its value has all earlier changes.
    private static let marker = FlagKey("announcer_marker", default: false)
    private static let off = ReadValue(text: "false", layer: .default)
    private static let on = ReadValue(text: "true", layer: .override)

    /// An app whose values change, and whose code reads them.
    private final class App: Sendable {
        let announcer: PresenceAnnouncer
        let contents = Mutex(StoreContents(LayerValues()))
        let failures: Failures

        final class Failures: Sendable {
            let all = Mutex<[StorageError]>([])
        }

        init(in folders: [String]) {
            let failures = Failures()
            self.failures = failures
            let app = RunningApp(id: PresenceFile.makeID(), name: "shop", process: 1, startedAt: 0, flags: [])
            announcer = PresenceAnnouncer(app, in: folders) { error in failures.all.withLock { $0.append(error) } }
        }

        deinit { announcer.end() }

        func begin() { announcer.begin(with: contents.withLock { $0 }) }

        func read(_ value: ReadValue) {
            announcer.recordRead(of: name, value, at: contents.withLock { $0.revision })
        }

        /// Makes this the only override, or clears it.
        func change(toOverride text: String? = nil, of key: String = name, isReceived: Bool = true) -> StoreChange {
            let change = contents.withLock { contents in
                let old = contents
                let layers = contents.replaceOverrides(text.map { [key: FlagOverride(value: $0)] } ?? [:])
                contents.revision += 1
                return StoreChange(.written, in: layers, from: old, to: contents)
            }
            if isReceived { announcer.receive(change) }
            return change
        }
    }

    init() {
        #expect(Self.flag.name == Self.name && Self.marker.defaultValue == false)
        app = App(in: [place.path, place.storeDirectory])
    }

    private func use(of key: String = name, in folder: String? = nil) -> FlagUse? {
        RunningApps(in: [folder ?? place.path]).read().apps.first?.flag(key)?.use
    }

    /// The use when it meets a condition.
    private func use(of key: String = name, when condition: (FlagUse) -> Bool) throws -> FlagUse {
        try #require(Clock.wait { use(of: key).map(condition) == true }, "\(String(describing: use(of: key)))")
        return try #require(use(of: key))
    }

    @Test func `a value that changed back is read only if no other was read between`() throws {
        app.begin()
        app.read(Self.off)
        let read = try use { $0.readAt != nil }
        #expect(read.firstValue == "false")

        _ = app.change(toOverride: "true")
        _ = app.change()
        _ = app.change(toOverride: "true", of: Self.marker.name)
        _ = try use(of: Self.marker.name) { $0.value == "true" }
        #expect(try use { _ in true }.readAt == read.readAt, "no other value was read")

        _ = app.change(toOverride: "true")
        app.read(Self.on)
        _ = app.change()
        let changed = try use { $0.value == "false" && $0.readAt == nil }
        #expect(changed.value == "false" && changed.wasRead && changed.firstValue == "false", "the code has the other")

        app.read(Self.off)
        _ = try use { $0.readAt != nil }
    }

    @Test func `a value that is set again has to be read again`() throws {
        app.begin()
        app.read(Self.off)
        _ = try use { $0.readAt != nil }
        _ = app.change(toOverride: "true")
        _ = try use { $0.value == "true" && $0.readAt == nil }
        _ = app.change()
        let back = try use { $0.value == "false" }
        #expect(back.readAt == nil && back.wasRead)
    }

    @Test func `the first value is known if it changed before the announcement`() throws {
        app.read(Self.off)
        _ = app.change(toOverride: "true")
        app.read(Self.on)
        app.begin()
        let use = try use { $0.value == "true" && $0.readAt != nil }
        #expect(use.firstValue == "false")
    }

    /// A reader may be faster than the delivery of the change.
    @Test func `a read before the change is delivered counts`() throws {
        app.begin()
        _ = try use { _ in true }
        let change = app.change(toOverride: "true", isReceived: false)
        app.read(Self.on)
        _ = try use { $0.wasRead }
        app.announcer.receive(change)
        let use = try use { $0.value == "true" }
        #expect(use.readAt == use.since)
    }

    /// Of two readers, the one with the older value may be the later one.
    @Test func `a read of older contents is not the last`() throws {
        app.begin()
        _ = app.change(toOverride: "true")
        app.read(Self.on)
        app.announcer.recordRead(of: Self.name, Self.off, at: 0)
        #expect(try use { $0.readAt != nil }.value == "true")
    }

    @Test func `the announcement is in all folders`() throws {
        app.begin()
        #expect(Clock.wait { use() != nil && use(in: place.storeDirectory) != nil })
        let apps = RunningApps(in: [place.path, place.storeDirectory])
        #expect(apps.read().apps.count == 1)
        app.announcer.end()
        #expect(use() == nil && use(in: place.storeDirectory) == nil)
        #expect(apps.read().declared.contains(Self.name))
    }

    @Test func `an announcement that failed is written with the next change`() throws {
        let blockingFile = try place.write("", to: "running")
        app.begin()
        #expect(Clock.wait { !app.failures.all.withLock { $0.isEmpty } })
        #expect(Clock.wait { use(in: place.storeDirectory) != nil }, "the other folder has it")
        try FileManager.default.removeItem(atPath: blockingFile)
        _ = app.change(toOverride: "true")
        #expect(Clock.wait { use() != nil })
        #expect(app.failures.all.withLock { $0.count } == 1)
    }

    @Test func `many changes are written every fifty milliseconds`() throws {
        app.begin()
        let counter = ChangeCounter()
        let watches = try RunningApps(in: [place.path]).watch { counter.add() }
        defer { watches.forEach { $0.cancel() } }
        let begin = Clock.seconds()
        while Clock.seconds() < begin + 0.5 {
            _ = app.change(toOverride: "true")
            _ = app.change()
            Clock.pause()
        }
        _ = app.change(toOverride: "true")
        #expect(try use { $0.value == "true" }.layer == .override)
        // Each announcement is up to four reports: two names, the new file, and the end of the old one.
        let limit = Int((Clock.seconds() - begin) * 80) + 10
        #expect(counter.count <= limit, "\(counter.count) reports, at most \(limit) were expected")
    }

    @Test func `an app announces itself where menus look`() throws {
        #expect(RunningApps.stateFolders(state: "/state", store: "/state") == ["/state"])
        let (state, store) = ("\(place.path)/state", "\(place.path)/store")
        #expect(RunningApps.stateFolders(state: state, store: store) == [state, store])
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: state)
        #expect(RunningApps.stateFolders(state: state, store: store) == [store])
    }

    @Test func `a closed store announces itself only in folders that exist`() throws {
        let folders = ["\(place.path)/unused", place.storeDirectory]
        _ = try place.menu.apply([.set(key: Self.name, value: "true")])
        func open() -> FlagStore {
            let flags = FlagStore(
                app: "shop", access: .closed, overrides: place.menu,
                remote: RemoteEngine(sources: [], cache: RemoteCache(folder: nil), policy: RemotePolicy()),
                values: LayerValues(), presenceFolders: folders, logger: place.log.logger)
            flags.open()
            return flags
        }
        func announced() -> [[Int?]] { folders.map { RunningApps(in: [$0]).read().apps.map(\.ignoredOverrides) } }
        let older = open()
        #expect(announced() == [[], [1]])
        #expect(!FileManager.default.fileExists(atPath: folders[0]))
        try FileManager.default.createDirectory(atPath: folders[0], withIntermediateDirectories: true)
        let flags = open()
        #expect(announced() == [[1], [1, 1]], "a menu was used before the second was opened")
        withExtendedLifetime((older, flags)) {}
    }
}
