import FlagModel
import Testing

@testable import FlagQueries

/// The changes from a good state to a bad one.
@Suite struct BisectPlanTests {
    private let country = ContextPart("s", .attribute, "country")
    private let beta = ContextPart("s", .condition, "Beta")
    private let good: OverrideTable
    private let bad: OverrideTable

    init() {
        var context = ContextOverride()
        context.apply(country.edit(to: #""FR""#))
        good = OverrideTable(
            overrides: [
                "same": FlagOverride(value: "1"), "a": FlagOverride(value: "1"), "gone": FlagOverride(value: "1"),
            ],
            contexts: ["s": context])
        var badContext = ContextOverride()
        badContext.apply(country.edit(to: #""DE""#))
        badContext.apply(beta.edit(to: "true"))
        bad = OverrideTable(
            overrides: [
                "same": FlagOverride(value: "1", note: "why"), "a": FlagOverride(value: "2"),
                "b": FlagOverride(value: "3"),
            ],
            contexts: ["s": badContext])
    }

    private func plan(requires: [FlagText: [FlagText]] = [:]) -> BisectPlan {
        BisectPlan(from: good, to: bad) { requires[$0] ?? [] }
    }

    @Test func `what differs is a change, conditions and attributes first`() {
        #expect(
            plan().changes
                == [.part(country), .part(beta), .flag("a"), .flag("b"), .flag("gone")])
        #expect(plan().changes.map(\.name) == [#"attribute "country""#, #"condition "Beta""#, "a", "b", "gone"])
    }

    @Test func `a flag follows what it requires, and is tested with it`() {
        let plan = plan(requires: ["a": ["gone", "unknown"]])
        #expect(plan.changes.suffix(3) == [.flag("gone"), .flag("a"), .flag("b")])
        var search = plan.search
        while case .test(let state, _) = search.step {
            #expect(!state.contains(3) || state.contains(2), "\(state)")
            search.record(state.contains(3) ? .bad : .good, for: state)
        }
        #expect(search.step == .found([.init(changes: [3], isExact: true)]))
    }

    @Test func `states have what did not change, and the changes that are tested`() {
        let plan = plan()
        #expect(plan.table(with: []).overrides == good.overrides)
        #expect(plan.table(with: []).contexts == good.contexts)
        let all = plan.table(with: Set(plan.changes.indices))
        #expect(all.overrides.mapValues(\.value) == bad.overrides.mapValues(\.value))
        #expect(all.contexts.parts == bad.contexts.parts)
        let some = plan.table(with: [1, 4])
        #expect(some.overrides.mapValues(\.value) == ["same": "1", "a": "1"])
        #expect(some.contexts.parts == [country: #""FR""#, beta: "true"])
    }

    @Test func `undoing all changes of the bad state makes the good one`() {
        let plan = plan()
        let edits = plan.edits(undoing: Array(plan.changes.indices))
        let result = bad.applying(edits)
        #expect(result.overrides.mapValues(\.value) == good.overrides.mapValues(\.value))
        #expect(result.contexts.parts == good.contexts.parts)
    }

    @Test func `a search goes on from its log, and not from one of other changes`() {
        let plan = plan()
        var search = plan.search
        for _ in 0..<3 {
            guard case .test(let state, _) = search.step else { break }
            search.record(state.contains(3) ? .bad : .good, for: state)
        }
        for isIndented in [true, false] {
            let text = plan.json(search).text(indented: isIndented)
            #expect(plan.search(replaying: Array(text.utf8))?.step == search.step)
        }
        let text = plan.json(search).text()
        let other = BisectPlan(from: OverrideTable(), to: bad) { _ in [] }
        #expect(other.search(replaying: Array(text.utf8)) == nil)
        let numbers = ["9", "99999999999999999999", "null"].map { text.replacing("4\n", with: "\($0)\n") }
        for damaged in ["{}", "[]", text.replacing(#""good""#, with: #""well""#)] + numbers {
            #expect(plan.search(replaying: Array(damaged.utf8)) == nil, "\(damaged)")
        }
    }
}
