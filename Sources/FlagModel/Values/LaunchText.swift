/// Parses launch values in an environment variable: `KEY=VALUE`, separated by line breaks or commas, or a JSON object.
public enum LaunchText {
    /// The values of a text.
    ///
    /// - Throws: a sentence about the invalid part, to follow the name of the variable or option.
    public static func values(in text: String) throws(InvalidText) -> FlagTable<String> {
        if text.first == "{" { return try object(text) }
        var values: FlagTable<String> = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            for text in pairs(in: line) {
                let (key, value) = try pair(text)
                values[key] = value
            }
        }
        return values
    }

    /// The key and the value of `KEY=VALUE`.
    ///
    /// - Throws: a sentence, to follow a name, if the text has another form.
    public static func pair(_ text: String) throws(InvalidText) -> (key: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw InvalidText(sentence: "takes KEY=VALUE, not \(JSONOutput.quoted(text, limit: 60))")
        }
        let key = String(text[..<equals].trimmingPrefix { $0 == " " })
        return (key, String(text[text.index(after: equals)...]))
    }

    /// Splits at commas that are followed by another `KEY=`, so that a value may contain commas.
    private static func pairs(in line: Substring) -> [String] {
        var pairs: [String] = []
        for piece in line.split(separator: ",", omittingEmptySubsequences: false) {
            if pairs.isEmpty || startsPair(piece) {
                pairs.append(String(piece))
            } else {
                pairs[pairs.count - 1] += "," + piece
            }
        }
        return pairs
    }

    private static func startsPair(_ text: Substring) -> Bool {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return false }
        return text[..<equals].allSatisfy { $0.isLetter || $0.isNumber || "_-. ".contains($0) }
    }

    private static func object(_ text: String) throws(InvalidText) -> FlagTable<String> {
        do throws(JSONError) {
            var values: FlagTable<String> = [:]
            for (key, value) in try JSONDocument(parsing: FlagText(text)).root.members {
                values[key.string] = value.flagText?.string
            }
            return values
        } catch {
            throw InvalidText(sentence: "is not valid JSON: \(error)")
        }
    }
}
