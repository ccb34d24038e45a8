/// Finds which changes make a state bad, with as few tested states as possible.
///
/// The changes are numbered so that each follows what it requires. The shortest prefix that is bad ends with a guilty
/// change; with that change kept, the next one is searched before it, until the found ones alone are bad. For k guilty
/// changes of n, at most 2 + k(⌈log2 n⌉ + 1) + k states are tested, and none twice, unless one change hides another.
package struct BisectSearch: Sendable {
    package enum Outcome: String, Sendable {
        case good, bad
        /// The state cannot be judged.
        case skip
    }

    /// Changes that are bad together, and of which none can be left out.
    package struct GuiltySet: Sendable, Equatable {
        package let changes: [Int]
        /// Whether all of them are needed. If not, states were skipped, so that innocent ones may be among them.
        package let isExact: Bool
    }

    package enum Step: Sendable, Equatable {
        /// Test the state that has exactly these changes; `left` is about the number of states that are left to test.
        case test(Set<Int>, left: Int)
        /// Each of these sets is bad.
        case found([GuiltySet])
        /// The state without the changes is not good.
        case goodIsNotGood
        /// The state with all changes is not bad.
        case badIsNotBad
        /// The state with these changes was good and bad.
        case flaky(Set<Int>)
    }

    /// Ends a search that lacks an outcome.
    private struct Stop: Error {
        let step: Step
    }

    /// Each change with all that it requires, directly or not.
    private let closures: [Set<Int>]
    /// The outcomes, in order.
    package private(set) var log: [(state: Set<Int>, outcome: Outcome)] = []
    private var outcomes: [Set<Int>: Set<Outcome>] = [:]
    /// States to be tested again.
    private var rechecks: [Set<Int>] = []

    /// After how many skipped splits of a range the whole range counts as guilty.
    private static let splitLimit = 5

    /// - Parameter requires: the numbers of the changes that each change requires.
    package init(requires: [[Int]]) {
        closures = requires.indices.map { index in
            var (closure, open) = (Set<Int>(), [index])
            while let change = open.popLast() {
                if closure.insert(change).inserted { open += requires[change] }
            }
            return closure
        }
    }

    /// Records the outcome for a state.
    package mutating func record(_ outcome: Outcome, for state: Set<Int>) {
        let isRecheck = rechecks.contains(state)
        rechecks.removeAll { $0 == state }
        log.append((state, outcome))
        outcomes[state, default: []].insert(outcome)
        guard !isRecheck, outcome != .skip else { return }
        // If a set is bad and a larger one is good, one change hides another, or the outcomes vary. The same outcomes in
        // a second test mean the former.
        let opposite = outcome == .bad ? Outcome.good : .bad
        for earlier in log where earlier.outcome == opposite {
            let (bad, good) = outcome == .bad ? (state, earlier.state) : (earlier.state, state)
            guard bad.isStrictSubset(of: good) else { continue }
            return rechecks = [good, bad].filter { state in log.count { $0.state == state } == 1 }
        }
    }

    /// What to do next.
    package var step: Step {
        if let flaky = log.first(where: { outcomes[$0.state]?.isSuperset(of: [.good, .bad]) == true }) {
            return .flaky(flaky.state)
        }
        if let state = rechecks.first { return .test(state, left: rechecks.count + 1) }
        do throws(Stop) {
            return .found(try guiltySets())
        } catch {
            return error.step
        }
    }

    /// The changes among which the next guilty one is.
    package var suspects: Set<Int> {
        let bad = log.last { $0.outcome == .bad }?.state ?? Set(closures.indices)
        let good = log.filter { $0.outcome == .good && $0.state.isStrictSubset(of: bad) }.map(\.state)
        return bad.subtracting(good.max { $0.count < $1.count } ?? [])
    }

    private func guiltySets() throws(Stop) -> [GuiltySet] {
        var candidates = Array(closures.indices)
        let left = Self.halvings(of: candidates.count) + 2
        guard try isBad([], left: left + 2) == false else { throw Stop(step: .goodIsNotGood) }
        guard try isBad(candidates, left: left + 1) == true else { throw Stop(step: .badIsNotBad) }
        var sets: [GuiltySet] = []
        repeat {
            let set = try guiltySet(among: candidates)
            sets.append(set)
            candidates.removeAll { !closures[$0].isDisjoint(with: set.changes) }
        } while try isBad(candidates, left: 1) == true
        return sets
    }

    /// A guilty set among candidates that are bad together.
    private func guiltySet(among given: [Int]) throws(Stop) -> GuiltySet {
        var candidates = given
        // Found last to first, each a change, or several of which only some are guilty.
        var parts: [[Int]] = []
        var isExact = true
        // The prefix of this length, with the found parts, is bad.
        var high = candidates.count
        while high > 0 {
            // The prefix of this length, with the found parts, is good; -1 as long as it is not known of any.
            var low = parts.isEmpty ? 0 : -1
            var skips = 0
            while high - low > 1, skips < Self.splitLimit {
                // The found parts alone are tested first.
                let isAlone = low < 0 && skips == 0
                let point = isAlone ? 0 : (max(0, low) + high) / 2
                if skips > 0 { candidates[max(0, low)..<high].reorder(skips, by: closures) }
                let left = parts.count + (isAlone ? 1 : Self.halvings(of: high - max(0, low)) + 2)
                switch try isBad(parts.joined() + candidates[..<point], left: left) {
                case true?: (high, skips) = (point, 0)
                case false?: (low, skips) = (point, 0)
                case nil: skips += 1
                }
            }
            if high - low > 1 { isExact = false }
            // If the found parts alone were skipped, but are bad with one other change, that one counts as innocent.
            if low < 0, high <= 1 { break }
            // If other states were skipped, too, all changes before the found ones may be needed.
            parts.append(Array(candidates[max(0, low)..<high]))
            high = low
        }
        for index in parts.indices where parts.count > 1 {
            let others = (parts[..<index] + parts[(index + 1)...]).joined().sorted()
            if try isBad(others, left: parts.count - index + 1) == true {
                // This part only ended the effect of another one, which hid that of the others.
                let set = try guiltySet(among: others)
                return GuiltySet(changes: set.changes, isExact: set.isExact && isExact)
            }
        }
        return GuiltySet(changes: parts.joined().sorted(), isExact: isExact)
    }

    /// Whether the state with some changes, and what these require, is bad; `nil` if it was skipped.
    private func isBad(_ changes: some Sequence<Int>, left: Int) throws(Stop) -> Bool? {
        let state = changes.reduce(into: Set<Int>()) { $0.formUnion(closures[$1]) }
        guard let given = outcomes[state] else { throw Stop(step: .test(state, left: left)) }
        return given.contains(.bad) ? true : given.contains(.good) ? false : nil
    }

    /// How often a range of states is halved until one is left.
    private static func halvings(of count: Int) -> Int { Int.bitWidth - max(0, count - 1).leadingZeroBitCount }
}

extension ArraySlice<Int> {
    /// Puts changes in another order, in which each still follows those that it requires.
    fileprivate mutating func reorder(_ number: Int, by closures: [Set<Int>]) {
        let width = number / 2 + 1
        let columns = (0..<width).flatMap { column in enumerated().filter { $0.offset % width == column } }
        let mixed = columns.map(\.element)
        self = ArraySlice(
            BisectSearch.ordered(number % 2 == 0 ? mixed : mixed.reversed()) { closures[$0].sorted() })
    }
}

extension BisectSearch {
    /// Keys in an order in which each follows those that it requires, as far as that is possible.
    package static func ordered<Key: Hashable>(_ keys: [Key], requires: (Key) -> [Key]) -> [Key] {
        let known = Set(keys)
        var (ordered, seen) = ([Key](), Set<Key>())
        func add(_ key: Key) {
            guard known.contains(key), seen.insert(key).inserted else { return }
            requires(key).forEach(add)
            ordered.append(key)
        }
        keys.forEach(add)
        return ordered
    }
}
