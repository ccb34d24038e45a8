import FlagModel
import FlagQueries
import TestSupport
import Testing

/// Rows of combinations: every pair of values that flags may have together, in few rows.
@Suite struct FlagMatrixTests {
    /// A flag of a catalog.
    struct Item {
        let key: String
        var options = ["true", "false"]
        var requires: [String] = []
    }

    /// Makes a matrix of the flags; `others` are flags that it does not change. Every flag has its last option.
    private func matrix(
        _ method: FlagMatrix.Method, _ items: [Item], others: [Item] = []
    ) throws -> FlagMatrix? {
        let all = items + others
        let catalog = all.map { item in
            let required = item.requires.map { #""\#($0)""# }.joined(separator: ", ")
            return
                #"{"key": "\#(item.key)", "value": "\#(item.options.joined(separator: "|"))", "requires": [\#(required)]}"#
        }
        let values = all.map { #""\#($0.key)": "\#($0.options.last ?? "")""# }
        let text = """
            {\(values.joined(separator: ", ")),
             "config_categories": [{"category": "C", "items": [\(catalog.joined(separator: ", "))]}]}
            """
        let document = try RemoteDocument(parsing: Array(text.utf8))
        let board = FlagBoard(snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: [:])
        return FlagMatrix(method, of: items.map { board.facts(of: FlagText($0.key)) }, on: board)
    }

    /// Flags `k0`, `k1` and so on with numbers of options; two options make a bool.
    private func items(_ counts: [Int]) -> [Item] {
        counts.enumerated().map { index, count in
            Item(key: "k\(index)", options: count == 2 ? ["true", "false"] : (0..<count).map { "v\($0)" })
        }
    }

    /// Every two values of two flags in words.
    private func allPairs(_ items: [Item]) -> Set<String> {
        Set(
            items.indices.flatMap { first in
                items[(first + 1)...].flatMap { second in
                    items[first].options.flatMap { value in
                        second.options.map { "\(items[first].key)=\(value), \(second.key)=\($0)" }
                    }
                }
            })
    }

    /// Every two values of two flags that some row has, in words.
    private func pairs(in matrix: FlagMatrix) -> Set<String> {
        Set(
            matrix.rows.flatMap { row in
                let values = matrix.allValues(in: row)
                return values.indices.flatMap { first in
                    values[(first + 1)...].map { matrix.words(of: [values[first], $0]) }
                }
            })
    }

    private func words(_ matrix: FlagMatrix) -> [String] { matrix.rows.map { matrix.words(of: $0) } }

    /// The number of subsets of ⌈N/2⌉ of N-1 elements, from Pascal's triangle.
    private func mostFlags(inRows count: Int) -> Int {
        var row = [1]
        for _ in 1..<count { row = zip([0] + row, row + [0]).map(+) }
        return row[(count + 1) / 2]
    }

    @Test(.slow, arguments: 2...60) func `the pairs of bools are in the fewest rows`(count: Int) throws {
        let items = items(Array(repeating: 2, count: count))
        let matrix = try #require(try matrix(.pairwise, items))
        #expect(pairs(in: matrix) == allPairs(items) && matrix.leftOut.isEmpty)
        #expect(mostFlags(inRows: matrix.rows.count) >= count)
        #expect(mostFlags(inRows: matrix.rows.count - 1) < count)
        #expect(matrix.pairs(matrix.rows[0]).allSatisfy { $0.text == "false" })
        #expect(Set(matrix.rows).count == matrix.rows.count)
    }

    @Test func `two options of any kind count as a bool`() throws {
        let items = (0..<35).map { Item(key: "k\($0)", options: $0 % 2 == 0 ? ["dark", "light"] : ["1", "2"]) }
        let matrix = try #require(try matrix(.pairwise, items))
        #expect(matrix.rows.count == 8 && pairs(in: matrix) == allPairs(items))
    }

    @Test(
        .slow,
        arguments: [
            ([3], 3), ([5, 4], 20), ([3, 3, 3, 3], 9), (Array(repeating: 4, count: 10), 31),
            (Array(repeating: 2, count: 20) + Array(repeating: 3, count: 8) + [5, 5], 32),
        ])
    func `the pairs of mixed options are in few rows`(counts: [Int], most: Int) throws {
        let items = items(counts)
        let matrix = try #require(try matrix(.pairwise, items))
        #expect(pairs(in: matrix) == allPairs(items) && matrix.leftOut.isEmpty)
        #expect(matrix.rows.count <= most)
        #expect(try self.matrix(.pairwise, items) == matrix, "the rows differ between two runs")
    }

    @Test func `one at a time has a row for each other value, and one for what is used now`() throws {
        let matrix = try #require(
            try matrix(.each, [Item(key: "a"), Item(key: "theme", options: ["dark", "high", "light"])]))
        #expect(words(matrix) == ["all flags as they are", "a=true", "theme=dark", "theme=high"])
        let mixed = items(Array(repeating: 2, count: 20) + Array(repeating: 3, count: 8) + [5, 5])
        #expect(try self.matrix(.each, mixed)?.rows.count == 45)
    }

    @Test func `all combinations are in the order of the options`() throws {
        let matrix = try #require(
            try matrix(.all, [Item(key: "a"), Item(key: "theme", options: ["dark", "light"])]))
        #expect(
            words(matrix) == [
                "a=true, theme=dark", "a=true, theme=light", "a=false, theme=dark", "a=false, theme=light",
            ])
        #expect(try self.matrix(.all, items(Array(repeating: 2, count: 16)))?.rows.count == 65_536)
    }

    @Test func `too many values or combinations make no matrix`() throws {
        #expect(try matrix(.all, items(Array(repeating: 2, count: 17))) == nil)
        #expect(try matrix(.all, items(Array(repeating: 2, count: 100))) == nil)
        #expect(try matrix(.each, items(Array(repeating: 2, count: 1_001))) == nil)
        #expect(try matrix(.pairwise, items(Array(repeating: 2, count: 1_000)))?.rows.count == 14)
    }

    @Test func `rows that break what a flag requires are left out, and their pairs named`() throws {
        let (map, pins) = (Item(key: "map"), Item(key: "pins", requires: ["map"]))
        let matrix = try #require(try matrix(.all, [map, pins]))
        #expect(words(matrix) == ["map=true, pins=true", "map=true, pins=false", "map=false, pins=false"])
        #expect(matrix.leftOut.map(matrix.words(of:)) == ["map=false, pins=true"])
        // In a row of one flag, the other is as it is now: off.
        let each = try #require(try self.matrix(.each, [map, pins]))
        #expect(words(each).contains("map=true") && !words(each).contains { $0.contains("pins=true") })
        #expect(each.leftOut.map(each.words(of:)) == ["pins=true"])
        let alone = try #require(try self.matrix(.pairwise, [pins, Item(key: "other")], others: [map]))
        #expect(alone.leftOut.map(alone.words(of:)) == ["pins=true"])
    }

    @Test func `a flag without off is as it is if a flag that it requires is off`() throws {
        let theme = Item(key: "theme", options: ["dark", "high", "light"], requires: ["map"])
        let matrix = try #require(try matrix(.pairwise, [Item(key: "map"), theme]))
        #expect(words(matrix).count == 4 && words(matrix).contains("map=false"))
        #expect(
            matrix.leftOut.map(matrix.words(of:)) == ["map=false, theme=dark", "map=false, theme=high"])
    }

    /// Chains, trees and cycles of required flags among mixed options.
    @Test(arguments: 0..<60) func `every pair that a row can have is in a row, whatever flags require`(seed: Int) throws
    {
        var generator = SeededGenerator(seed: UInt64(seed))
        let counts = (0..<Int.random(in: 2...8, using: &generator)).map { _ in
            [2, 2, 2, 3].randomElement(using: &generator) ?? 2
        }
        var items = items(counts)
        for index in items.indices where Bool.random(using: &generator) {
            items[index].requires = [(items.map(\.key) + ["off", "on"]).randomElement(using: &generator) ?? "on"]
        }
        let others = [Item(key: "off"), Item(key: "on", options: ["false", "true"])]
        let pairwise = try #require(try matrix(.pairwise, items, others: others))
        let all = try #require(try matrix(.all, items, others: others))
        #expect(pairs(in: pairwise) == pairs(in: all) && pairwise.leftOut == all.leftOut)
        #expect(Set(pairwise.rows).isSubset(of: all.rows))
        #expect(pairwise.rows.count <= all.rows.count)
    }
}
