import Flags
import TestSupport
import Testing

@Suite("Overrides for one task")
struct ScopeTests {
    private let flags = FlagStore.inMemory(["enable_multiple_locations": "false", "maximum_item_count": "1"])

    @Test("only the task and its child tasks see the overrides")
    func onlyTheTask() async {
        await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            #expect(flags[.multipleLocations])
            async let child = flags[.multipleLocations]
            #expect(await child)
            let detached = await Task.detached { flags[.multipleLocations] }.value
            #expect(!detached)
        }
        #expect(!flags[.multipleLocations])
    }

    @Test("200 concurrent tasks each see their own override")
    func concurrentTasks() async {
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

    @Test("an inner scope adds to the outer one, snapshots and explanations included")
    func nested() {
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

    @Test("a task that outlives its scope no longer sees its overrides, even while other scopes are open")
    func outlived() async {
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

    @Test("an invalid text in a scope hides the launch value and falls through to the override")
    func invalidHidesLaunch() throws {
        let flags = AppPlace().store(launch: ["maximum_item_count": "5"])
        try flags.setOverride(.maximumItemCount, to: 7)
        flags.withOverrides([.set("maximum_item_count", to: "many")]) {
            #expect(flags[.maximumItemCount] == 7 && flags.snapshot()[.maximumItemCount] == 7)
        }
        #expect(flags[.maximumItemCount] == 5)
    }

    @Test("a scope does not affect another store")
    func otherStore() {
        let other = FlagStore.inMemory()
        flags.withOverrides([.set(.multipleLocations, to: true)]) {
            #expect(!other[.multipleLocations])
        }
    }

    @Test("an invalid text in a scope falls through to the next layer")
    func notCastable() {
        flags.withOverrides([.set("maximum_item_count", to: "many")]) {
            #expect(flags[.maximumItemCount] == 1)
        }
    }

    @Test("the property wrapper reads its store, or the main store if it has none")
    func wrapper() {
        struct Screen {
            @Flag(.multipleLocations) var isMultiple
            @Flag var count: Int
            init(_ flags: FlagStore) { _count = Flag(.maximumItemCount, in: flags) }
        }
        let screen = Screen(flags)
        #expect(!screen.isMultiple && screen.count == 1)
        FlagStore.main = .inMemory([.set(.multipleLocations, to: true)])
        #expect(screen.isMultiple)
        #expect(screen.$isMultiple.name == "enable_multiple_locations")
        FlagStore.main = .inMemory()
        #expect(!screen.isMultiple)
    }
}
