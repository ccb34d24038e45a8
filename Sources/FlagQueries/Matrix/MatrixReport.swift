package import FlagModel

/// How the runs of a command with the rows of a matrix ended.
package struct MatrixReport: Sendable {
    /// How one run ended.
    package struct Run: Sendable {
        package enum Result: String, Sendable {
            case ok, failed, skipped
        }

        package let result: Result
        /// The exit code; 128 and the number of the signal that ended the command.
        package let exitCode: Int32
        package let milliseconds: Int
        /// What the command has printed; empty unless it has failed.
        package let output: String

        package init(_ result: Result, exitCode: Int32, milliseconds: Int, output: String = "") {
            (self.result, self.exitCode) = (result, exitCode)
            (self.milliseconds, self.output) = (milliseconds, output)
        }
    }

    package let matrix: FlagMatrix
    /// The runs, in the order of the matrix's rows.
    package var runs: [Run] = []

    package init(_ matrix: FlagMatrix) { self.matrix = matrix }

    /// The number of runs that ended in a way.
    package func count(of result: Run.Result) -> Int { runs.count { $0.result == result } }

    /// What all failing rows have, and no passing row: single values or, if there are none, pairs of values. Empty if no
    /// row has failed, or none has passed.
    package var shared: [[FlagMatrix.Choice]] {
        func choices(_ result: Run.Result) -> [Set<FlagMatrix.Choice>] {
            zip(matrix.rows, runs).filter { $1.result == result }.map { Set(matrix.choices(in: $0.0)) }
        }
        let (failing, passing) = (choices(.failed), choices(.ok))
        guard let first = failing.first, !passing.isEmpty else { return [] }
        let common = failing.dropFirst().reduce(first) { $0.intersection($1) }
            .sorted { ($0.column, $0.value) < ($1.column, $1.value) }
        let singles = common.filter { choice in !passing.contains { $0.contains(choice) } }
        guard singles.isEmpty else { return singles.map { [$0] } }
        return common.indices.flatMap { place in
            common[(place + 1)...].map { [common[place], $0] }.filter { pair in
                !passing.contains { $0.isSuperset(of: pair) }
            }
        }
    }

    /// The result in sentences: the number of rows, the failing ones, and what these share.
    package var summary: [String] {
        let (failed, skipped) = (count(of: .failed), count(of: .skipped))
        guard failed > 0 else {
            let tail = skipped == 0 ? "" : " \(skipped.counted("row was", "rows were")) skipped."
            return ["\(count(of: .ok)) of \(runs.count.counted("row")) passed.\(tail)"]
        }
        let failing = runs.indices.filter { runs[$0].result == .failed }.map { index in
            "  row \(index + 1): \(matrix.words(ofRow: index))"
        }
        let shared = shared.prefix(Self.shownLimit).map { matrix.words(of: $0) }
        return ["\(failed) of \(runs.count.counted("row")) failed:"] + failing.prefix(Self.shownLimit)
            + (failing.count > Self.shownLimit ? ["  and \(failing.count - Self.shownLimit) more"] : [])
            + (shared.isEmpty ? [] : ["Only the failing rows have, all of them: \(shared.joined(separator: "; "))."])
    }

    /// How many failing rows, or values and pairs, a summary lists.
    package static let shownLimit = 20

    /// The method, the rows with their runs as far as there are any, what is left out, and what failing rows share.
    package var json: JSONOutput {
        func object(_ choices: [FlagMatrix.Choice]) -> JSONOutput {
            .object(choices.map { (matrix.columns[$0.column].key, .string(matrix.value(of: $0))) })
        }
        let rows = matrix.rows.indices.map { index in
            let run = runs.indices.contains(index) ? runs[index] : nil
            return JSONOutput.object(present: [
                ("row", .integer(index + 1)), ("values", object(matrix.setChoices(in: matrix.rows[index]))),
                ("result", run.map { .string($0.result.rawValue) }),
                ("exitCode", run.map { .integer(Int($0.exitCode)) }),
                ("milliseconds", run.map { .integer($0.milliseconds) }),
            ])
        }
        return .object(present: [
            ("method", .string(matrix.method.rawValue)), ("rows", .array(rows)),
            ("leftOut", .array(matrix.leftOut.map(object))),
            ("shared", runs.isEmpty ? nil : .array(shared.map(object))),
        ])
    }

    /// The runs in JUnit's format, which systems for continuous integration read.
    package var junit: String {
        let cases = runs.enumerated().map { index, run in
            let name = "row \(index + 1): \(matrix.words(ofRow: index))"
            let attributes = [
                ("classname", "flagmenu.matrix"), ("name", name), ("time", Self.seconds(run.milliseconds)),
            ]
            let message = [("message", "exited with \(run.exitCode)")]
            let content =
                switch run.result {
                case .ok: ""
                case .failed: Self.element("failure", message, Self.escaped(run.output))
                case .skipped: Self.element("skipped", message)
                }
            return "  " + Self.element("testcase", attributes, content) + "\n"
        }
        let attributes = [
            ("name", "flagmenu matrix"), ("tests", "\(runs.count)"), ("failures", "\(count(of: .failed))"),
            ("errors", "0"), ("skipped", "\(count(of: .skipped))"),
            ("time", Self.seconds(runs.reduce(0) { $0 + $1.milliseconds })),
        ]
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            + Self.element("testsuite", attributes, "\n\(cases.joined())") + "\n"
    }

    private static func element(_ name: String, _ attributes: [(String, String)], _ content: String = "") -> String {
        let attributes = attributes.map { #" \#($0.0)="\#(escaped($0.1))""# }.joined()
        return content.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
    }

    private static func seconds(_ milliseconds: Int) -> String {
        "\(milliseconds / 1_000).\((milliseconds % 1_000).padded(to: 3))"
    }

    /// The text of an element or an attribute. XML 1.0 has no way to write most control characters.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar.value {
            case 0x26: result += "&amp;"
            case 0x3C: result += "&lt;"
            case 0x3E: result += "&gt;"
            case 0x22: result += "&quot;"
            // As they are, attributes would have spaces instead.
            case 0x09, 0x0A, 0x0D: result += "&#\(scalar.value);"
            case 0..<0x20, 0x7F, 0xFFFE, 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension FlagMatrix {
    /// The values that a row sets.
    package func setChoices(in row: [Int?]) -> [Choice] {
        columns.indices.compactMap { column in row[column].map { Choice(column: column, value: $0) } }
    }

    /// The values that flags have in a row, also of those that it leaves as they are.
    func choices(in row: [Int?]) -> [Choice] {
        columns.indices.compactMap { column in
            (row[column] ?? columns[column].current).map { Choice(column: column, value: $0) }
        }
    }

    package func value(of choice: Choice) -> String { columns[choice.column].values[choice.value] }

    /// Values in words: `a=true with b=false`.
    package func words(of choices: [Choice]) -> String {
        choices.map { "\(columns[$0.column].key)=\(value(of: $0).orQuotes)" }.joined(separator: " with ")
    }

    /// The values that a row sets in words: `a=true, b=false`.
    package func words(ofRow index: Int) -> String {
        let words = setChoices(in: rows[index]).map { self.words(of: [$0]) }
        return words.isEmpty ? "all flags as they are" : words.joined(separator: ", ")
    }

    /// The overrides for a row: those of the tester, and the values that the row sets.
    package func changes(ofRow index: Int, over table: OverrideTable) -> OverrideTable {
        var table = table
        table.overrides = table.overrides.applying(
            setChoices(in: rows[index]).map { .set(key: columns[$0.column].key, value: value(of: $0)) })
        return table
    }
}
