import Flags
import TestSupport
import Testing

/// Overrides for one task.
@Suite(.timeLimit(.minutes(10)))
struct ScopeTests {
    private let flags = FlagStore.inMemory(["enable_multiple_locations": "false", "maximum_item_count": "1"])

    @Test func `only the task and its child tasks see the overrides`() async {
        await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            #expect(flags[.multipleLocations])
            async let child = flags[.multipleLocations]
            #expect(await child)
            let detached = await Task.detached { flags[.multipleLocations] }.value
            #expect(!detached)
        }
        #expect(!flags[.multipleLocations])
    }

    @Test func `200 concurrent tasks each see their own override`() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let isOn = number.isMultiple(of: 2)
                    return await flags.withOverrides([.set(.multipleLocations, to: isOn)]) {
                        await Task.yield()
                        return flags[.multipleLocations] == isOn
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(!flags[.multipleLocations])
    }

    @Test func `a snapshot of a scope has its values, also of flags that others have read before`() {
        #expect(!flags[.multipleLocations] && !flags.snapshot()[.multipleLocations])
        flags.withOverrides([.set(.multipleLocations, to: true)]) {
            #expect(flags.snapshot()[.multipleLocations] && flags[.multipleLocations])
        }
        #expect(!flags.snapshot()[.multipleLocations])
    }

    @Test func `an inner scope adds to the outer one, snapshots and explanations included`() {
        flags.withOverrides([.set(.multipleLocations, to: true), .set("maximum_item_count", to: "2")]) {
            flags.withOverrides([.set(.maximumItemCount, to: 3)]) {
                #expect(flags[.multipleLocations] && flags[.maximumItemCount] == 3)
                #expect(flags.snapshot()[.maximumItemCount] == 3)
                #expect(flags.explain(.maximumItemCount).winner == .launch)
            }
            #expect(flags[.maximumItemCount] == 2)
        }
        #expect(flags[.maximumItemCount] == 1)
    }

    @Test func `a task that outlives its scope no longer sees its overrides, even while other scopes are open`() async {
        let (gate, flags) = (Gate(), flags)
        let task = flags.withOverrides([.set(.multipleLocations, to: true)]) {
            Task {
                await gate.pass()
                return flags[.multipleLocations] || flags.snapshot()[.multipleLocations]
            }
        }
        await flags.withOverrides([.set(.maximumItemCount, to: 5)]) {
            await gate.open()
            #expect(await task.value == false)
        }
    }

    @Test func `an invalid text in a scope hides the launch value and falls through to the override`() async throws {
        let flags = AppPlace().store(launch: ["maximum_item_count": "5"])
        try await flags.setOverride(.maximumItemCount, to: 7)
        flags.withOverrides([.set("maximum_item_count", to: "many")]) {
            #expect(flags[.maximumItemCount] == 7 && flags.snapshot()[.maximumItemCount] == 7)
        }
        #expect(flags[.maximumItemCount] == 5)
    }

    @Test func `a scope does not affect another store`() {
        let other = FlagStore.inMemory()
        flags.withOverrides([.set(.multipleLocations, to: true)]) {
            #expect(!other[.multipleLocations])
        }
    }

    private struct Screen {
        @Flag(.multipleLocations) var isMultiple
        @Flag var count: Int

        init(_ flags: FlagStore) { _count = Flag(.maximumItemCount, in: flags) }
    }

    @Test func `the property wrapper reads its store`() {
        let screen = Screen(flags)
        #expect(screen.count == 1 && screen.$isMultiple.name == "enable_multiple_locations")
        flags.updateRemote(["maximum_item_count": "2"])
        #expect(screen.count == 2)
    }

    @Test func `the property wrapper reads the main store if it has none`() async {
        // Runs in its own process, because other tests read the main store at the same time.
        await #expect(processExitsWith: .success) {
            let screen = Screen(.inMemory())
            precondition(!screen.isMultiple)
            FlagStore.main = .inMemory([.set(.multipleLocations, to: true)])
            precondition(screen.isMultiple)
            FlagStore.main = .inMemory()
            precondition(!screen.isMultiple)
        }
    }
}
