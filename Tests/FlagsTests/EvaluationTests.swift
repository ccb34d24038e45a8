import FlagModel
import Flags
import Synchronization
import TestSupport
import Testing

/// Evaluation details, and handlers that are called with each.
@Suite struct EvaluationTests {
    private let flags = FlagStore.inMemory(["greeting": "hi"])
    private let events = Events()

    /// The evaluations that a handler was called with.
    private final class Events: Sendable {
        private let contents = Mutex<[EvaluationDetails<String?>]>([])

        @Sendable func add(_ event: EvaluationDetails<String?>) { contents.withLock { $0.append(event) } }

        var lines: [String] {
            contents.withLock { events in
                events.map { event in
                    "\(event.flagKey)=\(event.value ?? "-") \(event.variant) \(event.reason.rawValue)"
                        + (event.errorCode.map { " \($0.rawValue)" } ?? "")
                        + (event.isOverridden ? " overridden" : "")
                }
            }
        }
    }

    @Test func `the reason and the variant say where a value comes from`() async throws {
        let fromDefault = flags.evaluationDetails(of: .multipleLocations)
        #expect(fromDefault.flagKey == "enable_multiple_locations" && fromDefault.value == false)
        #expect(fromDefault.reason == .default && fromDefault.variant == "default" && !fromDefault.isOverridden)
        #expect(fromDefault.flagMetadata == ["type": "bool"] && fromDefault.errorCode == nil)
        let remote = flags.evaluationDetails(of: .greeting)
        #expect(remote.value == "hi" && remote.reason == .static && remote.variant == "remote" && !remote.isOverridden)
        try await flags.setOverride(.greeting, to: "mine")
        let overridden = flags.evaluationDetails(of: .greeting)
        #expect(overridden.value == "mine" && overridden.reason == .targetingMatch && overridden.isOverridden)
        #expect(overridden.variant == "override" && overridden.layer == .override)
    }

    @Test func `author and time of an override are metadata`() throws {
        let place = AppPlace()
        _ = try place.menu.apply([.set(key: "greeting", value: "x")])
        let details = place.store().evaluationDetails(of: .greeting)
        #expect(details.flagMetadata == ["type": "string", "setBy": "ana", "setAt": "2026-11-21T10:00:00Z"])
    }

    @Test func `launch and team values are overridden, too`() {
        let place = AppPlace()
        let flags = place.store(launch: ["greeting": "launch"], team: ["ratio": "2"])
        #expect(flags.evaluationDetails(of: .greeting).isOverridden)
        #expect(flags.evaluationDetails(of: .ratio).isOverridden)
    }

    @Test func `a value that is not valid is an error, and the next layer is in use`() async throws {
        try await flags.setOverride("maximum_item_count", to: "many", .unchecked)
        let number = flags.evaluationDetails(of: .maximumItemCount)
        #expect(number.value == 10 && number.variant == "default" && number.reason == .error)
        #expect(number.errorCode == .typeMismatch && number.errorMessage?.contains("\"many\"") == true)
        try await flags.setOverride("login_page", to: "{}", .unchecked)
        #expect(flags.evaluationDetails(of: .loginScreen).errorCode == .parseError)
    }

    @Test func `a handler is called with each value that is read, once, until it is released`() async throws {
        _ = flags[.greeting]
        let observation = flags.onEvaluation(events.add)
        for _ in 1...3 { #expect(flags[.greeting] == "hi" && flags[.multipleLocations] == false) }
        try await flags.setOverride(.multipleLocations, to: true)
        for _ in 1...3 { #expect(flags[.multipleLocations] == true && flags.snapshot()[.maximumItemCount] == 10) }
        #expect(flags.evaluationDetails(of: .greeting).value == "hi")
        flags.withOverrides([.set(.greeting, to: "scoped")]) { _ = (flags[.greeting], flags[.greeting]) }
        let lines = [
            "greeting=hi remote STATIC", "enable_multiple_locations=false default DEFAULT",
            "enable_multiple_locations=true override TARGETING_MATCH overridden",
            "maximum_item_count=10 default DEFAULT", "greeting=scoped launch TARGETING_MATCH overridden",
        ]
        #expect(events.lines == lines)
        observation.cancel()
        observation.cancel()
        flags.updateRemote(["greeting": "bye"])
        #expect(flags[.greeting] == "bye" && flags.snapshot()[.greeting] == "bye")
        #expect(events.lines == lines)
        #expect(flags.withOverrides([.set(.greeting, to: "scoped")]) { flags[.greeting] } == "scoped")
    }

    @Test func `reads of undeclared keys are reported with their errors`() throws {
        let observation = flags.onEvaluation(events.add)
        #expect(try flags.string("greeting") == "hi")
        #expect(throws: FlagReadError.self) { try flags.bool("greeting") }
        #expect(throws: FlagReadError.self) { try flags.bool("undeclared_and_missing") }
        #expect(
            events.lines == [
                "greeting=hi remote STATIC", "greeting=hi remote ERROR TYPE_MISMATCH",
                "undeclared_and_missing=- none ERROR FLAG_NOT_FOUND",
            ])
        withExtendedLifetime(observation) {}
    }

    @Test func `a handler may read flags, and values of a scope are overridden`() {
        let observation = flags.onEvaluation { [events, flags] event in
            events.add(event)
            _ = (flags[.multipleLocations], flags.snapshot()[.ratio])
        }
        #expect(flags.withOverrides([.set(.greeting, to: "scoped")]) { flags[.greeting] } == "scoped")
        #expect(events.lines == ["greeting=scoped launch TARGETING_MATCH overridden"])
        withExtendedLifetime(observation) {}
    }

    @Test func `two handlers are both called, also with what was read before the second one, and each ends alone`() {
        let (one, two) = (Events(), Events())
        let first = flags.onEvaluation(one.add)
        _ = flags[.greeting]
        let second = flags.onEvaluation(two.add)
        _ = flags[.greeting]
        first.cancel()
        flags.updateRemote(["greeting": "bye"])
        _ = flags[.greeting]
        #expect(one.lines.count == 1 && two.lines.count == 2)
        withExtendedLifetime(second) {}
    }

    @Test func `a flag that only a handler has read is reported when the code reads it`() {
        let observation = flags.onEvaluation { [events, flags] event in
            events.add(event)
            _ = flags[.ratio]
        }
        _ = flags[.greeting]
        _ = flags[.ratio]
        #expect(events.lines.count == 2 && events.lines.last?.hasPrefix("ratio=") == true)
        withExtendedLifetime(observation) {}
    }

    @Test func `a value that an observer is given is reported, also if overrides are closed`() async throws {
        let store = AppPlace().store(access: .closed)
        let observation = store.onEvaluation(events.add)
        var changes = store.changes(of: .greeting).makeAsyncIterator()
        store.updateRemote(["greeting": "given"])
        #expect(await changes.next()?.new == "given")
        #expect(events.lines == ["greeting=given remote STATIC"])
        withExtendedLifetime(observation) {}
    }

    @Test func `a task that a handler has started, and that outlives the call, is reported`() async {
        let gate = Gate()
        let task = Mutex<Task<Void, Never>?>(nil)
        let observation = flags.onEvaluation { [events, flags] event in
            events.add(event)
            task.withLock { task in
                task =
                    task
                    ?? Task {
                        await gate.pass()
                        _ = flags[.ratio]
                    }
            }
        }
        _ = flags[.greeting]
        await gate.open()
        await task.withLock { $0 }?.value
        #expect(events.lines.count == 2)
        withExtendedLifetime(observation) {}
    }
}
