import FlagStorage
import Flags
import Foundation
import TestSupport
import Testing

@Suite("A store opens in every kind of place")
struct DamagedPlaceTests {
    private let place = AppPlace()

    private func expectUsable(_ flags: FlagStore) async {
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "remote" && !flags[.multipleLocations])
    }

    private var source: FakeSource { FakeSource("fake", ["greeting": "remote"]) }

    @Test("a folder that is missing is made by the first override")
    func missing() async throws {
        let flags = place.store([source])
        await expectUsable(flags)
        #expect(flags.problems.isEmpty)
        try flags.setOverride(.greeting, to: "mine")
        #expect(flags[.greeting] == "mine")
    }

    @Test(
        "a read-only folder: values are there, setting says what is wrong",
        .enabled(if: getuid() != 0, "root may write anywhere"))
    func readOnly() async throws {
        try place.write("", to: "state/x")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.storeDirectory)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.storeDirectory) }
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try #require(throws: StorageError.self) { try flags.setOverride(.greeting, to: "mine") }
        #expect(error.code == .readOnly && flags[.greeting] == "remote")
    }

    @Test("who is told of a file that cannot be read finds the problem, and finds it gone when told that it can be")
    func problemInStep() async throws {
        let flags = place.store()
        try flags.setOverride(.greeting, to: "mine")
        var updates = flags.overrideUpdates.makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        for _ in 1...20 {
            let good = try Data(contentsOf: URL(fileURLWithPath: place.menu.path))
            try place.write("{\"format\": 99, \"overrides\": {}}", to: "next")
            try move("next")
            #expect(await updates.next()?.isEmpty == true)
            #expect(flags.problems.count == 1)
            try place.write(String(decoding: good, as: UTF8.self), to: "next")
            try move("next")
            #expect(await updates.next()?.count == 1)
            #expect(flags.problems.isEmpty)
        }
    }

    /// Puts a file where overrides are kept, in one step.
    private func move(_ name: String) throws {
        guard rename("\(place.path)/\(name)", place.menu.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test("a file in the folder's place: values are there, setting says what is wrong")
    func fileInTheWay() async throws {
        try place.write("not a folder", to: "state")
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try #require(throws: StorageError.self) { try flags.setOverride(.greeting, to: "mine") }
        #expect(!error.description.isEmpty)
        #expect(flags[.greeting] == "remote")
    }

    @Test(
        "a full disk: values are there, setting says so",
        .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func full() async throws {
        let disk = try SmallDisk(at: place.storeDirectory, kilobytes: 16)
        defer { withExtendedLifetime(disk) {} }
        try Data(count: 12 * 1_024).write(to: URL(fileURLWithPath: place.storeDirectory + "/filler"))
        let flags = place.store([source])
        await expectUsable(flags)
        let error = try #require(throws: StorageError.self) {
            try flags.setOverride(.greeting, to: String(repeating: "x", count: 60_000))
        }
        #expect(error.code == .noSpace && flags[.greeting] == "remote")
    }

    @Test("a file of overrides that is damaged while the app runs: the last good ones stay, and the damage is told")
    func damaged() throws {
        let flags = place.store()
        try flags.setOverride(.greeting, to: "mine")
        try place.write("{", to: "state/overrides.json")
        #expect(Clock.wait(atMost: 5) { !flags.problems.isEmpty })
        #expect(flags[.greeting] == "mine")
        #expect(place.log.lines.contains { $0.hasPrefix("warning: ") })
    }

    @Test("a cache that cannot be written costs the last good values of the next start, and says so")
    func cache() async throws {
        try place.write("not a folder", to: "cache")
        let flags = place.store([source])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.greeting] == "remote")
        #expect(flags.problems.contains { $0.contains("could not be cached") })
    }
}
