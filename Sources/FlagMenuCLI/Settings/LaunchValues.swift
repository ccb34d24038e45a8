import FlagModel

/// Values of one run, from `--launch KEY=VALUE` and `FLAGMENU_LAUNCH`; they win over everything and are never saved.
enum LaunchValues {
    /// Reads both; an argument wins over the environment.
    static func read(arguments: [String], variable: String?) throws(CommandFailure) -> [String: String] {
        var values = try variable.map(read(variable:)) ?? [:]
        for argument in arguments {
            let (key, value) = try pair(argument, of: "--launch")
            values[key] = value
        }
        return values
    }

    /// One `KEY=VALUE` a line, or several divided by commas, or a JSON object.
    private static func read(variable text: String) throws(CommandFailure) -> [String: String] {
        if text.first == "{" { return try object(text) }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            for part in parts(of: line) {
                let (key, value) = try pair(part, of: "FLAGMENU_LAUNCH")
                values[key] = value
            }
        }
        return values
    }

    /// Divides at commas that another `KEY=` follows, so that a value may hold commas of its own.
    private static func parts(of line: Substring) -> [String] {
        var parts: [String] = []
        for piece in line.split(separator: ",", omittingEmptySubsequences: false) {
            if parts.isEmpty || startsPair(piece) {
                parts.append(String(piece))
            } else {
                parts[parts.count - 1] += "," + piece
            }
        }
        return parts
    }

    private static func startsPair(_ text: Substring) -> Bool {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return false }
        return text[..<equals].allSatisfy { $0.isLetter || $0.isNumber || "_-. ".contains($0) }
    }

    private static func pair(_ text: String, of origin: String) throws(CommandFailure) -> (String, String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw CommandFailure(.usage, "\(origin) takes KEY=VALUE, not \(JSONOutput.quoted(text, limit: 60)).")
        }
        let key = String(text[..<equals].trimmingPrefix { $0 == " " })
        return (key, String(text[text.index(after: equals)...]))
    }

    private static func object(_ text: String) throws(CommandFailure) -> [String: String] {
        do throws(JSONError) {
            var values: [String: String] = [:]
            for (key, value) in try JSONDocument(parsing: FlagText(text)).root.members {
                values[key.string] = value.flagText?.string
            }
            return values
        } catch {
            throw CommandFailure(.usage, "FLAGMENU_LAUNCH is not valid JSON: \(error).")
        }
    }
}
