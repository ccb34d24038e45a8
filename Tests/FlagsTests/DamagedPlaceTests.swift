import FlagStorage
import Flags
import Foundation
import TestSupport
import Testing

/// A store opens with missing, read-only or damaged files.
@Suite(.timeLimit(.minutes(10)))
struct DamagedPlaceTests {
    private let place = AppPlace()

    private func expectUsable(_ flags: FlagStore) async {
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "remote" && !flags[.multipleLocations])
    }

    private var source: MemorySource { MemorySource("fake", ["greeting": "remote"]) }

    @Test func `the first override creates a missing folder`() async throws {
        let flags = place.store([source])
        await expectUsable(flags)
        #expect(flags.issues.isEmpty)
        try await flags.setOverride(.greeting, to: "mine")
        #expect(flags[.greeting] == "mine")
    }

    @Test(
        .enabled(if: getuid() != 0, "root ignores file permissions"))
    func `in a read-only folder values are readable and setting fails with readOnly`() async throws {
        try place.write("", to: "state/x")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.storeDirectory)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.storeDirectory) }
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try await #require(throws: StorageError.self) { try await flags.setOverride(.greeting, to: "mine") }
        #expect(error.code == .readOnly && flags[.greeting] == "remote")
    }

    @Test func `issues are up to date whenever an override update arrives`() async throws {
        let flags = place.store()
        try await flags.setOverride(.greeting, to: "mine")
        var updates = flags.overrideUpdates.makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        for _ in 1...20 {
            let good = try Data(contentsOf: URL(fileURLWithPath: place.menu.path))
            try place.write("{\"format\": 99, \"overrides\": {}}", to: "next")
            try move("next")
            #expect(await updates.next()?.isEmpty == true)
            #expect(flags.issues.count == 1)
            try place.write(String(decoding: good, as: UTF8.self), to: "next")
            try move("next")
            #expect(await updates.next()?.count == 1)
            #expect(flags.issues.isEmpty)
        }
    }

    /// Moves a file to the path of the overrides in one step.
    private func move(_ name: String) throws {
        guard rename("\(place.path)/\(name)", place.menu.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test func `with a file in place of the folder values are readable and setting fails`() async throws {
        try place.write("not a folder", to: "state")
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try await #require(throws: StorageError.self) { try await flags.setOverride(.greeting, to: "mine") }
        #expect(error.sentence.contains("\(place.storeDirectory)/overrides.json"))
        #expect(flags[.greeting] == "remote")
    }

    @Test(
        .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func `on a full disk values are readable and setting fails with noSpace`() async throws {
        let disk = try SmallDisk(at: place.storeDirectory, kilobytes: 16)
        defer { withExtendedLifetime(disk) {} }
        try Data(count: 12 * 1_024).write(to: URL(fileURLWithPath: place.storeDirectory + "/filler"))
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try await #require(throws: StorageError.self) {
            try await flags.setOverride(.greeting, to: String(repeating: "x", count: 60_000))
        }
        #expect(error.code == .noSpace && flags[.greeting] == "remote")
    }

    @Test func `if the overrides file is damaged at run time, the last good values stay and a warning is logged`()
        async throws
    {
        let flags = place.store()
        try await flags.setOverride(.greeting, to: "mine")
        try place.write("{", to: "state/overrides.json")
        #expect(Clock.wait(atMost: 5) { !flags.issues.isEmpty })
        #expect(flags[.greeting] == "mine")
        #expect(Clock.wait { place.log.lines.contains { $0.hasPrefix("warning: ") } })
    }
}
