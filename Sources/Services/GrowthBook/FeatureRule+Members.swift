import FlagModel

// Members of a rule. A missing member is the same as `null`.
extension FeatureRule {
    func member(_ name: String) -> JSONValue? { rule[name].flatMap { $0.kind == .null ? nil : $0 } }

    func unexpected(_ name: String) -> UnknownRule { UnknownRule(reason: "has \"\(name)\" in an unknown form") }

    /// A text; `nil` if it is empty.
    func text(_ name: String) throws(UnknownRule) -> String? {
        guard let value = member(name) else { return nil }
        guard let text = value.text?.string else { throw unexpected(name) }
        return text.isEmpty ? nil : text
    }

    func number(_ name: String) throws(UnknownRule) -> Double? {
        guard let value = rule[name] else { return nil }
        guard let number = value.safeNumber else { throw unexpected(name) }
        return number
    }

    func list(_ name: String) throws(UnknownRule) -> [JSONValue]? {
        guard let value = member(name) else { return nil }
        guard value.kind == .array else { throw unexpected(name) }
        return Array(value.elements)
    }

    func numbers(_ name: String) throws(UnknownRule) -> [Double]? {
        guard let values = try list(name) else { return nil }
        let numbers = values.compactMap(\.safeNumber)
        guard numbers.count == values.count else { throw unexpected(name) }
        return numbers
    }

    func pairs(_ name: String) throws(UnknownRule) -> [(start: Double, end: Double)]? {
        guard let values = try list(name) else { return nil }
        var pairs: [(start: Double, end: Double)] = []
        for value in values {
            guard let pair = try pair(value) else { throw unexpected(name) }
            pairs.append(pair)
        }
        return pairs
    }

    func pair(_ value: JSONValue?) throws(UnknownRule) -> (start: Double, end: Double)? {
        guard let value else { return nil }
        let numbers = value.elements.compactMap(\.safeNumber)
        guard value.count == 2, numbers.count == 2 else { throw unexpected("range") }
        return (numbers[0], numbers[1])
    }

    /// The hash of an attribute of the user; `nil` if the user has no such attribute, or the version of the hash is
    /// unknown.
    ///
    /// - Parameter name: the member that contains the attribute's name; if the rule has no such member, the attribute
    ///   is `id`.
    func hash(seed: String, _ name: String, defaultVersion: Int) throws(UnknownRule) -> Double? {
        let version = try number("hashVersion") ?? 0
        guard let value = try hashedText(name), version == version.rounded() else { return nil }
        return Bucketing.hash(seed: seed, value: value, version: version == 0 ? defaultVersion : Int(version))
    }

    /// The text to hash for an attribute of the user; `nil` if the attribute is missing, empty, 0 or `false`.
    func hashedText(_ name: String) throws(UnknownRule) -> String? {
        let attribute = try text(name) ?? "id"
        guard let value = attributes?[attribute], Optional(value).isTrue else { return nil }
        if let text = Optional(value).scriptText { return text }
        let quoted = JSONOutput.quoted(attribute, limit: 60)
        throw UnknownRule(reason: "uses the attribute \(quoted), which is a list or an object")
    }
}

extension JSONValue {
    /// A number that every programming language reads as the same value. `nil` for a number that may not be exact, and
    /// for other values.
    var safeNumber: Double? {
        guard kind == .number, let number = FlagReading.double(source), abs(number) <= 9_007_199_254_740_992 else {
            return nil
        }
        return number
    }
}
