import FlagModel
import FlagRemote
import FlagStorage
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// How announcements are written, without an app.
@Suite(.mayBlock) struct AnnouncerTests {
    private let place = AppPlace()
    private static let flag = FlagKey("announcer_flag", default: false)
    private static let name = "announcer_flag"
    private static let off = ReadValue(text: "false", layer: .default)
    private static let on = ReadValue(text: "true", layer: .override)

    /// The contents to announce next, and what could not be written.
    private final class App: Sendable {
        let reads = Mutex(FlagReads())
        let values = Mutex(LayerValues())
        let failures = Mutex<[PresenceAnnouncer.Failure]>([])

        init() {
            reads.withLock { $0.isTracked = true }
        }

        var contents: PresenceAnnouncer.Contents {
            PresenceAnnouncer.Contents(
                values: values.withLock { $0 }, revision: 3, updates: reads.withLock { $0.takeUpdates() })
        }

        func read(_ value: ReadValue) { _ = reads.withLock { $0.noteRead(of: name, value) } }

        func change(toOverride text: String? = nil) {
            values.withLock {
                $0 = LayerValues(text.map { [.override: LayerContent(texts: [name: $0])] } ?? [:])
            }
            reads.withLock { $0.noteChange(of: [FlagText(name)]) }
        }
    }

    private func announcer(_ app: App, keepInterval: Duration = .seconds(3_600)) -> PresenceAnnouncer {
        #expect(Self.flag.name == Self.name)
        return PresenceAnnouncer(
            in: [place.path, place.storeDirectory], overrideFolder: place.storeDirectory, keepInterval: keepInterval,
            takeContents: { app.contents }, onFailure: { failure in app.failures.withLock { $0.append(failure) } })
    }

    private func uses(in folder: String? = nil) -> FlagUse? {
        RunningApps(in: folder ?? place.path).read().apps.first?.flag(Self.name)?.use
    }

    /// Announces, and waits until readers see it: each announcement is a new file.
    private func announce(_ announcer: PresenceAnnouncer) throws -> FlagUse {
        func identity() -> UInt64? {
            let folder = "\(place.path)/running"
            let name = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.first { !$0.hasPrefix(".") }
            let attributes = name.flatMap { try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)") }
            return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
        }
        let old = identity()
        announcer.announce()
        try #require(Clock.wait { identity() != nil && identity() != old })
        return try #require(uses())
    }

    @Test func aValueThatChangedBackIsReadOnlyIfNoOtherWasReadBetween() throws {
        let app = App()
        let announcer = announcer(app)
        app.read(Self.off)
        let read = try announce(announcer)
        #expect(read.readAt != nil && read.firstValue == "false")

        app.change(toOverride: "true")
        app.change()
        #expect(try announce(announcer).readAt == read.readAt, "no other value was read")

        app.change(toOverride: "true")
        app.read(Self.on)
        app.change()
        let changed = try announce(announcer)
        #expect(changed.value == "false" && changed.readAt == nil && changed.wasRead, "the code has the other value")
        #expect(changed.firstValue == "false")

        app.read(Self.off)
        #expect(try announce(announcer).readAt != nil)
        announcer.end()
    }

    @Test func aValueThatWasReadBeforeItChangedAndChangedBackIsRead() throws {
        let app = App()
        let announcer = announcer(app)
        #expect(try announce(announcer).readAt == nil)
        app.read(Self.off)
        app.change(toOverride: "true")
        app.change()
        let use = try announce(announcer)
        #expect(use.readAt.map { $0 >= use.since } == true && use.firstValue == "false")
        announcer.end()
    }

    @Test func theFirstValueIsKnownIfItChangedBeforeTheAnnouncement() throws {
        let app = App()
        let announcer = announcer(app)
        app.read(Self.off)
        app.change(toOverride: "true")
        app.read(Self.on)
        let use = try announce(announcer)
        #expect(use.value == "true" && use.readAt != nil && use.firstValue == "false")
        announcer.end()
    }

    @Test func theAnnouncementIsInAllFoldersAndTheDeclarationsAreInTheLast() throws {
        let announcer = announcer(App())
        _ = try announce(announcer)
        #expect(Clock.wait { uses(in: place.storeDirectory) != nil })
        #expect(AppDeclarations(in: [place.path, place.storeDirectory]).running.apps.count == 1)
        #expect(Clock.wait { !KeptDeclarations(in: place.storeDirectory).read().programs.isEmpty })
        #expect(KeptDeclarations(in: place.path).read().programs.isEmpty)
        announcer.end()
        #expect(uses() == nil && uses(in: place.storeDirectory) == nil)
    }

    @Test func anAnnouncementThatFailedIsWrittenAgain() throws {
        let blockingFile = try place.write("", to: "running")
        let app = App()
        let announcer = announcer(app)
        announcer.announce()
        #expect(Clock.wait { !app.failures.withLock { $0.isEmpty } })
        if case .announcement = app.failures.withLock({ $0[0] }) {} else { Issue.record("another failure") }
        #expect(Clock.wait { uses(in: place.storeDirectory) != nil }, "the other folder has it")
        try FileManager.default.removeItem(atPath: blockingFile)
        #expect(Clock.wait { uses() != nil })
        #expect(app.failures.withLock { $0.count } == 1)
        announcer.end()
    }

    @Test func declarationsThatCouldNotBeKeptAreKeptLater() throws {
        let blockingFile = try place.write("", to: "state/declared")
        let app = App()
        let announcer = announcer(app)
        announcer.announce()
        #expect(Clock.wait { !app.failures.withLock { $0.isEmpty } })
        if case .declarations = app.failures.withLock({ $0[0] }) {} else { Issue.record("another failure") }
        #expect(uses() != nil)
        try FileManager.default.removeItem(atPath: blockingFile)
        #expect(Clock.wait { !KeptDeclarations(in: place.storeDirectory).read().programs.isEmpty })
        announcer.end()
    }

    /// An app that runs for hours without a change was last seen when it ended.
    @Test func anIdleAppIsSeenAgainAndAgain() throws {
        let announcer = announcer(App(), keepInterval: .milliseconds(20))
        announcer.announce()
        let declared = "\(place.storeDirectory)/declared"
        func hasAny() -> Bool { (try? FileManager.default.contentsOfDirectory(atPath: declared))?.isEmpty == false }
        for _ in 0..<3 {
            #expect(Clock.wait { hasAny() })
            try? FileManager.default.removeItem(atPath: declared)
        }
        #expect(Clock.wait { hasAny() })
        announcer.end()
    }

    @Test func anAppAnnouncesItselfWhereMenusLook() throws {
        #expect(AppDeclarations.folders(state: "/state", store: "/state") == ["/state"])
        let (state, store) = ("\(place.path)/state", "\(place.path)/store")
        #expect(AppDeclarations.folders(state: state, store: store) == [state, store])
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: state)
        #expect(AppDeclarations.folders(state: state, store: store) == [store])
    }

    @Test func aClosedStoreAnnouncesItselfOnlyInFoldersThatExist() throws {
        let folders = ["\(place.path)/unused", place.storeDirectory]
        _ = try place.menu.apply([.set(key: Self.name, value: "true")])
        let flags = FlagStore(
            app: "shop", access: .closed, overrides: place.menu,
            remote: RemoteEngine(sources: [], cache: RemoteCache(folder: nil), policy: RemotePolicy()),
            values: LayerValues(), presenceFolders: folders, logger: place.log.logger)
        flags.open()
        #expect(Clock.wait { RunningApps(in: place.storeDirectory).read().apps.first?.ignoredOverrides == 1 })
        #expect(!FileManager.default.fileExists(atPath: folders[0]))
        try FileManager.default.createDirectory(atPath: folders[0], withIntermediateDirectories: true)
        #expect(Clock.wait { folders.allSatisfy { RunningApps(in: $0).read().apps.count == 1 } }, "a menu was used")
        withExtendedLifetime(flags) {}
    }
}
