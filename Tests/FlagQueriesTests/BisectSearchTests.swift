import TestSupport
import Testing

@testable import FlagQueries

/// Which changes make a state bad.
@Suite struct BisectSearchTests {
    /// Judges every state that a search tests, and returns the last one and the tested states.
    private func run(
        _ search: inout BisectSearch, judging judge: (Set<Int>) -> BisectSearch.Outcome
    ) -> (step: BisectSearch.Step, states: [Set<Int>]) {
        var states: [Set<Int>] = []
        while case .test(let state, _) = search.step, states.count < 1_000 {
            states.append(state)
            search.record(judge(state), for: state)
        }
        return (search.step, states)
    }

    private func search(among count: Int) -> BisectSearch {
        BisectSearch(requires: Array(repeating: [], count: count))
    }

    /// The states that are tested until a set of which all are needed is found.
    private func statesTested(among count: Int, guilty: Set<Int>) -> [Set<Int>] {
        var search = search(among: count)
        return run(&search) { $0.isSuperset(of: guilty) ? .bad : .good }.states
    }

    /// Random sets of guilty changes, and random requirements, of which none makes a guilty change require another one.
    private func randomCase(
        _ sizes: [Int], among count: Int, withRequirements: Bool, using generator: inout SeededGenerator
    ) -> (sets: [[Int]], requires: [[Int]]) {
        let requires = (0..<count).map { change -> [Int] in
            guard withRequirements, change > 0, Int.random(in: 0..<4, using: &generator) == 0 else { return [] }
            return (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                Int.random(in: 0..<change, using: &generator)
            }
        }
        func isRequired(_ guilty: Set<Int>, by change: Int) -> Bool {
            requires[change].contains { guilty.contains($0) || isRequired(guilty, by: $0) }
        }
        while true {
            var pool = Array(0..<count).shuffled(using: &generator)
            let sets = sizes.map { size -> [Int] in
                defer { pool.removeFirst(size) }
                return pool.prefix(size).sorted()
            }
            let guilty = Set(sets.joined())
            if !guilty.contains(where: { isRequired(guilty, by: $0) }) { return (sets, requires) }
        }
    }

    @Test(.slow, arguments: [50, 200], [false, true])
    func `it finds the guilty sets of random cases within the bound, and tests no state twice`(
        count: Int, withRequirements: Bool
    ) {
        var generator = SeededGenerator(seed: UInt64(count))
        let kinds = [[1], [2], [3], [1, 1], [2, 1]]
        for number in 0..<250 {
            let sizes = kinds[number % kinds.count]
            let (sets, requires) = randomCase(
                sizes, among: count, withRequirements: withRequirements, using: &generator)
            var search = BisectSearch(requires: requires)
            let (step, states) = run(&search) { state in
                sets.contains { state.isSuperset(of: $0) } ? .bad : .good
            }
            guard case .found(let found) = step else {
                Issue.record("case \(number): \(step)")
                continue
            }
            let ordered = found.map(\.changes).sorted { $0[0] < $1[0] }
            #expect(ordered == sets.sorted { $0[0] < $1[0] }, "case \(number)")
            #expect(!found.contains { !$0.isExact }, "case \(number)")
            let halvings = count == 50 ? 6 : 8
            let guilty = sizes.reduce(0, +)
            #expect(states.count <= 2 + guilty * (halvings + 1) + guilty, "case \(number)")
            #expect(Set(states).count == states.count, "case \(number)")
        }
    }

    @Test func `every tested state has what its changes require`() {
        let requires = [[], [0], [], [1, 2], [], [3]]
        var search = BisectSearch(requires: requires)
        let (step, states) = run(&search) { $0.contains(5) ? .bad : .good }
        #expect(step == .found([.init(changes: [5], isExact: true)]))
        for state in states {
            #expect(state.allSatisfy { state.isSuperset(of: requires[$0]) }, "\(state)")
        }
    }

    @Test func `both ends are tested first`() {
        #expect(Array(statesTested(among: 4, guilty: [2]).prefix(2)) == [[], [0, 1, 2, 3]])
        var search = search(among: 4)
        #expect(run(&search) { _ in .bad }.step == .goodIsNotGood)
        search = self.search(among: 4)
        #expect(run(&search) { _ in .good }.step == .badIsNotBad)
        search = self.search(among: 4)
        #expect(run(&search) { _ in .skip }.step == .goodIsNotGood)
    }

    @Test func `a single change needs only the ends`() {
        #expect(statesTested(among: 1, guilty: [0]) == [[], [0]])
    }

    @Test func `the number of states that are left falls to the end`() {
        var search = search(among: 50)
        var estimates: [Int] = []
        while case .test(let state, let left) = search.step {
            estimates.append(left)
            search.record(state.contains(17) ? .bad : .good, for: state)
        }
        #expect(estimates.first == 10)
        #expect(estimates.last == 1)
        #expect(zip(estimates, estimates.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func `a change that hides the effect of another one does not become guilty`() {
        var generator = SeededGenerator(seed: 7)
        for number in 0..<250 {
            let changes = Array(0..<50).shuffled(using: &generator)
            let (guilty, hiding, revealing) = (changes[0], changes[1], changes[2])
            var search = search(among: 50)
            let (step, _) = run(&search) { state in
                state.contains(guilty) && (!state.contains(hiding) || state.contains(revealing)) ? .bad : .good
            }
            #expect(step == .found([.init(changes: [guilty], isExact: true)]), "case \(number)")
        }
    }

    @Test func `a state that is good and then bad ends the search`() {
        var search = search(among: 8)
        var tests: [Set<Int>: Int] = [:]
        // Change 2 alone is guilty, but the first test of the changes 0 to 3 misses that.
        let (step, _) = run(&search) { state in
            tests[state, default: 0] += 1
            if state == [0, 1, 2, 3], tests[state] == 1 { return .good }
            return state.contains(2) ? .bad : .good
        }
        #expect(step == .flaky([0, 1, 2, 3]))
    }

    @Test func `skipped states are avoided, and leave few suspects`() {
        var generator = SeededGenerator(seed: 11)
        var exactCount = 0
        for number in 0..<250 {
            let guilty = Int.random(in: 0..<50, using: &generator)
            var skipped: [Set<Int>: Bool] = [:]
            var search = search(among: 50)
            let (step, _) = run(&search) { state in
                let isEnd = state.isEmpty || state.count == 50
                let isSkipped = skipped[state] ?? (!isEnd && Int.random(in: 0..<5, using: &generator) == 0)
                skipped[state] = isSkipped
                return isSkipped ? .skip : state.contains(guilty) ? .bad : .good
            }
            guard case .found(let sets) = step, let set = sets.first else {
                Issue.record("case \(number): \(step)")
                continue
            }
            #expect(sets.count == 1 && set.changes.contains(guilty) && set.changes.count <= 6, "case \(number)")
            if set.changes == [guilty] { exactCount += 1 }
            if set.changes != [guilty] { #expect(!set.isExact, "case \(number)") }
        }
        #expect(exactCount > 200)
    }

    @Test func `if every state between the ends is skipped, all changes are suspects`() {
        var search = search(among: 6)
        let (step, states) = run(&search) { $0.isEmpty ? .good : $0.count == 6 ? .bad : .skip }
        #expect(step == .found([.init(changes: [0, 1, 2, 3, 4, 5], isExact: false)]))
        #expect(states.count == 7)
    }

    @Test func `if every state with a guilty change is skipped, the changes before it are suspects, too`() {
        var search = search(among: 8)
        let (step, _) = run(&search) { state in
            guard state.contains(5) else { return .good }
            return state.isSuperset(of: 0...5) ? .bad : .skip
        }
        #expect(step == .found([.init(changes: [0, 1, 2, 3, 4, 5], isExact: false)]))
    }

    @Test func `the guilty change is always among the suspects, which become fewer`() {
        var search = search(among: 50)
        var counts: [Int] = []
        while case .test(let state, _) = search.step {
            #expect(search.suspects.contains(17))
            counts.append(search.suspects.count)
            search.record(state.contains(17) ? .bad : .good, for: state)
        }
        #expect(Array(counts.prefix(2)) == [50, 50] && counts.last == 1)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func `a search goes on from recorded outcomes`() {
        var first = search(among: 50)
        for _ in 0..<4 {
            guard case .test(let state, _) = first.step else { return }
            first.record(state.contains(30) ? .bad : .good, for: state)
        }
        var second = search(among: 50)
        for (state, outcome) in first.log { second.record(outcome, for: state) }
        #expect(second.step == first.step)
    }

    @Test func `changes follow what they require`() {
        let requires = ["a": ["c", "x"], "c": ["b"], "d": ["d", "e"], "e": ["d"]]
        let ordered = BisectSearch.ordered(["a", "b", "c", "d", "e"]) { requires[$0] ?? [] }
        #expect(ordered == ["b", "c", "a", "e", "d"])
    }
}
