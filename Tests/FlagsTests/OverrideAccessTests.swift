import FlagStorage
import Flags
import Foundation
import TestSupport
import Testing

/// Overrides are closed unless the app opens them.
struct OverrideAccessTests {
    @Test func `closed access ignores launch, override and team values and leaves the file unchanged`() throws {
        let place = AppPlace()
        _ = try place.menu.apply([.set(key: "greeting", value: "override")])
        let flags = place.store(launch: ["greeting": "launch"], team: ["greeting": "team"], access: .closed)
        #expect(flags[.greeting] == "hello")
        #expect(flags.activeOverrides.isEmpty && flags.overrideBanner == nil && flags.overridePath == nil)
        let error = try #require(throws: StorageError.self) { try flags.setOverride(.greeting, to: "x") }
        #expect(error.code == .refused)
        #expect(
            try String(contentsOfFile: place.storeDirectory + "/overrides.json", encoding: .utf8).contains("override"))
    }

    @Test func `an environment variable enables overrides`() async {
        // Runs in its own process, because other tests read the environment at the same time.
        await #expect(processExitsWith: .success) {
            setenv("FLAGS_TEST_GATE", "yes", 1)
            let isOpen = OverrideAccess.whenSet("FLAGS_TEST_GATE").isOpen
            exit(isOpen ? EXIT_SUCCESS : EXIT_FAILURE)
        }
        #expect(OverrideAccess.whenSet("FLAGS_TEST_GATE") == .debugBuilds)
        #expect(OverrideAccess.when(true) == .open && OverrideAccess.when(false) == .closed)
    }

    @Test func `a store logs its active overrides in one line at the start`() throws {
        let place = AppPlace()
        _ = try place.menu.apply((1...4).map { .set(key: "key\($0)", value: "x") })
        let flags = place.store()
        #expect(flags.overrideBanner == "4 overrides: key1, key2, key3 and 1 more")
        #expect(
            place.log.lines == [
                "notice: shop runs with 4 overrides: key1, key2, key3 and 1 more. They win over remote until they are reset."
            ])
        try flags.clearOverrides()
        #expect(flags.overrideBanner == nil)
        try flags.setOverride("one", to: "x")
        #expect(flags.overrideBanner == "1 override: one")
        _ = place.store()
        #expect(
            place.log.lines.last == "notice: shop runs with 1 override: one. It wins over remote until it is reset.")
    }
}
