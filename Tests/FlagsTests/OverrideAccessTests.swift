import FlagModel
import FlagStorage
import Flags
import Foundation
import TestSupport
import Testing

/// Overrides are closed unless the app opens them.
struct OverrideAccessTests {
    @Test func `closed access ignores launch, override and team values and leaves the file unchanged`() async throws {
        let place = AppPlace()
        _ = try place.menu.apply([.set(key: "greeting", value: "override")])
        let flags = place.store(launch: ["greeting": "launch"], team: ["greeting": "team"], access: .closed)
        #expect(flags[.greeting] == "hello")
        #expect(flags.activeOverrides.isEmpty && flags.overrideBanner == nil && flags.overridePath == nil)
        let error = try await #require(throws: StorageError.self) { try await flags.setOverride(.greeting, to: "x") }
        #expect(error.code == .refused)
        #expect(
            try String(contentsOfFile: place.storeDirectory + "/overrides.json", encoding: .utf8).contains("override"))
    }

    @Test func `a store opens and closes while the app runs, and observers see both`() async throws {
        let place = AppPlace()
        _ = try place.menu.apply([.set(key: "greeting", value: "override")])
        let flags = place.store(launch: ["ratio": "2"], access: .closed)
        var changes = flags.changes(of: .greeting).makeAsyncIterator()
        for _ in 1...2 {
            flags.setAccess(.open)
            #expect(flags[.greeting] == "override" && flags[.ratio] == 2 && flags.access == .open)
            #expect(await changes.next()?.new == "override")
            flags.setAccess(.closed)
            #expect(flags[.greeting] == "hello" && flags[.ratio] == 0.5 && flags.activeOverrides.isEmpty)
            #expect(await changes.next()?.new == "hello")
        }
        flags.setAccess(.open)
        // Changes of other processes are followed, too.
        _ = try place.menu.apply([.set(key: "greeting", value: "later")])
        await waitUntil("the store reads the override") { flags[.greeting] == "later" }
        flags.setAccess(.closed)
        await #expect(throws: StorageError.self) { try await flags.setOverride(.greeting, to: "x") }
    }

    @Test func `a tester's context ends when the store is closed`() async throws {
        let flags = AppPlace().store([UserSource()])
        let user = FlagKey("user", default: 0)
        _ = try flags.changeContext(ContextChange(source: "people", edits: [.set(name: "user", value: "2")]))
        await flags.fetchAndActivate()
        #expect(flags[user] == 2)
        flags.setAccess(.closed)
        await flags.fetchAndActivate()
        #expect(flags[user] == 1)
    }

    @Test func `an environment variable enables overrides`() async {
        // Runs in its own process, because other tests read the environment at the same time.
        await #expect(processExitsWith: .success) {
            setenv("FLAGS_TEST_GATE", "yes", 1)
            let isOpen = OverrideAccess.whenSet("FLAGS_TEST_GATE").isOpen
            exit(isOpen ? EXIT_SUCCESS : EXIT_FAILURE)
        }
        #expect(OverrideAccess.whenSet("FLAGS_TEST_GATE") == .closed)
        #expect(OverrideAccess.when(true) == .open && OverrideAccess.when(false) == .closed)
    }

    @Test func `a store logs its active overrides in one line at the start`() async throws {
        let place = AppPlace()
        _ = try place.menu.apply((1...4).map { .set(key: "key\($0)", value: "x") })
        let flags = place.store()
        #expect(flags.overrideBanner == "4 overrides: key1, key2, key3 and 1 more")
        #expect(
            place.log.lines == [
                "notice: shop runs with 4 overrides: key1, key2, key3 and 1 more. They win over remote until they are reset."
            ])
        try await flags.clearOverrides()
        #expect(flags.overrideBanner == nil)
        try await flags.setOverride("one", to: "x")
        #expect(flags.overrideBanner == "1 override: one")
        _ = place.store()
        #expect(
            place.log.lines.last == "notice: shop runs with 1 override: one. It wins over remote until it is reset.")
    }
}
