import FlagModel
import FlagQueries

/// How the runs of a command with the rows of a matrix ended.
struct MatrixReport {
    /// The run of one row.
    struct Run {
        let result: CommandResult
        let milliseconds: Int
        /// The end of what the command has printed; empty unless it has failed.
        let output: String

        /// How long the run took, in seconds.
        var seconds: String { "\(milliseconds / 1_000).\((milliseconds % 1_000).padded(to: 3))" }
    }

    let matrix: FlagMatrix
    /// The runs, in the order of the matrix's rows.
    var runs: [Run] = []

    func count(of outcome: BisectSearch.Outcome) -> Int {
        runs.count { $0.result.outcome == outcome }
    }

    /// What all failing rows have, and no passing row: single values or, if there are none, pairs of values. Empty if no
    /// row has failed, or none has passed.
    var shared: [[Int]] {
        func values(_ outcome: BisectSearch.Outcome) -> [Set<Int>] {
            zip(matrix.rows, runs).filter { $1.result.outcome == outcome }.map { Set(matrix.allValues(in: $0.0)) }
        }
        let (failing, passing) = (values(.bad), values(.good))
        guard let first = failing.first, !passing.isEmpty else { return [] }
        let common = failing.reduce(first) { $0.intersection($1) }.sorted()
        let pairs = common.enumerated().flatMap { place, first in common[(place + 1)...].map { [first, $0] } }
        let groups = [common.map { [$0] }, pairs].map { groups in
            groups.filter { group in !passing.contains { $0.isSuperset(of: group) } }
        }
        return groups.first { !$0.isEmpty } ?? []
    }

    /// The result in sentences: the number of rows, the failing ones, and what these share.
    var summary: [String] {
        let counts = [BisectSearch.Outcome.bad, .skip].filter { count(of: $0) > 0 }.map {
            "\(count(of: $0)) \($0.word)"
        }
        let failing = runs.indices.filter { runs[$0].result.outcome == .bad }
        let shared = shared.map { matrix.words(of: $0) }
        return ["\(([runs.count.counted("row")] + counts).joined(separator: ", "))."]
            + failing.map { "  row \($0 + 1): \(matrix.words(of: matrix.rows[$0]))" }
            + (shared.isEmpty ? [] : ["All failing rows have, and no passing row: \(shared.joined(separator: "; "))."])
    }

    /// The method, the rows with their runs if there are any, what is left out, and what failing rows share.
    var json: JSONOutput {
        func object(_ numbers: [Int?]) -> JSONOutput {
            .object(matrix.pairs(numbers).map { ($0.key, .string($0.text)) })
        }
        let rows = matrix.rows.enumerated().map { index, row in
            let run = runs.isEmpty ? nil : runs[index]
            return JSONOutput.object(present: [
                ("row", .integer(index + 1)), ("values", object(row)),
                ("result", run.map { .string($0.result.outcome.word) }),
                ("exitCode", run.map { .integer(Int($0.result.code)) }),
                ("milliseconds", run.map { .integer($0.milliseconds) }),
            ])
        }
        return .object([
            ("method", .string(matrix.method.rawValue)), ("rows", .array(rows)),
            ("leftOut", .array(matrix.leftOut.map(object))), ("shared", .array(shared.map(object))),
        ])
    }

    /// The runs in JUnit's format, which systems for continuous integration read.
    var junit: String {
        let cases = runs.enumerated().map { index, run in
            let name = "row \(index + 1): \(matrix.words(of: matrix.rows[index]))"
            let message = [("message", run.result.words)]
            let content =
                switch run.result.outcome {
                case .good: ""
                case .bad: Self.element("failure", message, Self.escaped(run.output))
                case .skip: Self.element("skipped", message)
                }
            return "\n  "
                + Self.element(
                    "testcase", [("classname", "flagmenu matrix"), ("name", name), ("time", run.seconds)], content)
        }
        let counts = [("tests", runs.count), ("failures", count(of: .bad)), ("skipped", count(of: .skip))]
        let suite = [("name", "flagmenu matrix")] + counts.map { ($0, "\($1)") }
        return #"<?xml version="1.0" encoding="UTF-8"?>\#n"# + Self.element("testsuite", suite, cases.joined()) + "\n"
    }

    private static func element(_ name: String, _ attributes: [(String, String)], _ content: String = "") -> String {
        let attributes = attributes.map { #" \#($0)="\#(escaped($1))""# }.joined()
        return "<\(name)\(attributes)>\(content)</\(name)>"
    }

    /// The text of an element or an attribute. XML 1.0 has no way to write most control characters.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&", "<", ">", "\"", "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension BisectSearch.Outcome {
    /// The outcome of a row.
    var word: String {
        switch self {
        case .good: "ok"
        case .bad: "failed"
        case .skip: "skipped"
        }
    }
}
