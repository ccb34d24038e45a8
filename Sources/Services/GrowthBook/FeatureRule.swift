import FlagModel

/// A rule of a feature, evaluated for attributes (`evalFeature` and `runExperiment` in `packages/sdk-js/src/core.ts`).
///
/// The evaluation does not know a user's earlier variation of an experiment, as in an app without sticky bucketing.
struct FeatureRule {
    let rule: JSONValue
    /// The key of the feature.
    let featureKey: String
    let attributes: JSONValue?

    /// The value of a rule that applies, and the experiment that chose the value.
    typealias Outcome = (value: JSONValue, experiment: String?)

    /// The outcome of the rule; `nil` if the rule does not apply.
    ///
    /// - Throws: an ``UnknownRule`` if it is unknown whether the rule applies.
    func outcome() throws -> Outcome? {
        guard rule.kind == .object else { throw UnknownRule(reason: "is not an object") }
        if let parents = try member("parentConditions", { $0 }), parents.kind != .array || parents.count > 0 {
            throw UnknownRule(reason: "has prerequisites, which are not supported")
        }
        if let condition = try member("condition", { $0 }) {
            guard try FeatureCondition.applies(condition, to: attributes) else { return nil }
        }
        let isIncluded = try member("filters", \.list)?.allSatisfy { try isWithin($0) } ?? true
        guard isIncluded else { return nil }
        if let force = rule["force"] { return try isForced() ? (force, nil) : nil }
        return try experiment()
    }

    private func isWithin(_ filter: JSONValue) throws -> Bool {
        let filter = FeatureRule(rule: filter, featureKey: featureKey, attributes: attributes)
        guard let ranges = try filter.member("ranges", \.ranges) else { throw unexpected("filters") }
        let number = try filter.hash(seed: try filter.text("seed") ?? "", "attribute", defaultVersion: 2)
        return number.map { number in ranges.contains { Bucketing.contains($0, number) } } ?? false
    }

    private func isForced() throws -> Bool {
        let (range, coverage) = (try member("range", \.range), try member("coverage", \.safeNumber))
        guard range != nil || coverage != nil else { return true }
        if range == nil, coverage == 0 { return false }
        let number = try hash(seed: try text("seed") ?? featureKey, "hashAttribute", defaultVersion: 1)
        guard let number else { return false }
        return range.map { Bucketing.contains($0, number) } ?? (number <= coverage ?? 0)
    }

    private func experiment() throws -> Outcome? {
        guard try member("contextualVariations", { $0 }) == nil, try member("contextualBanditRef", { $0 }) == nil else {
            throw UnknownRule(reason: "is a contextual bandit, which is not supported")
        }
        let key = try text("key") ?? featureKey
        let seed = try text("seed") ?? key
        let coverage = try member("coverage", \.safeNumber) ?? 1
        guard let variations = try member("variations", \.list), variations.count >= 2,
            let number = try hash(seed: seed, "hashAttribute", defaultVersion: 1), try isWithinNamespace()
        else { return nil }
        let weights = try member("weights", \.numbers)
        let ranges =
            try member("ranges", \.ranges)
            ?? Bucketing.ranges(variations.count, coverage: coverage, weights: weights)
        guard let index = ranges.firstIndex(where: { Bucketing.contains($0, number) }), index < variations.count else {
            return nil
        }
        let meta = try member("meta", \.list) ?? []
        let description = meta.indices.contains(index) ? meta[index] : nil
        // In a holdout, the next rule is evaluated.
        guard description?["passthrough"]?.bool != true else { return nil }
        let names = [description?["name"], description?["key"]].compactMap { $0?.text?.string }
        let name = names.first { !$0.isEmpty } ?? "\(index)"
        return (variations[index], "experiment \(key), variation \(name)")
    }

    /// Whether the user is in the rule's part of a namespace. Filters replace a namespace.
    private func isWithinNamespace() throws -> Bool {
        guard let namespace = try member("namespace", \.list), try member("filters", \.list) == nil else { return true }
        guard namespace.count == 3, let name = namespace[0].text?.string, let start = namespace[1].safeNumber,
            let end = namespace[2].safeNumber, let value = try hashedText("hashAttribute"),
            let number = Bucketing.hash(seed: "__\(name)", value: value, version: 1)
        else { throw unexpected("namespace") }
        return Bucketing.contains((start, end), number)
    }

    /// The hash of an attribute of the user; `nil` if the user has no such attribute, or the version of the hash is
    /// unknown.
    ///
    /// - Parameter name: the member that contains the attribute's name; if the rule has no such member, the attribute
    ///   is `id`.
    private func hash(seed: String, _ name: String, defaultVersion: Int) throws -> Double? {
        let version = try member("hashVersion", \.safeNumber) ?? 0
        guard let value = try hashedText(name), version == version.rounded() else { return nil }
        return Bucketing.hash(seed: seed, value: value, version: version == 0 ? defaultVersion : Int(version))
    }

    /// The text to hash for an attribute of the user; `nil` if the attribute is missing, empty, 0 or `false`.
    private func hashedText(_ name: String) throws -> String? {
        let attribute = try text(name) ?? "id"
        guard let value = attributes?[attribute], Optional(value).isTrue else { return nil }
        if let text = Optional(value).scriptText { return text }
        let quoted = JSONOutput.quoted(attribute, limit: 60)
        throw UnknownRule(reason: "uses the attribute \(quoted), which is a list or an object")
    }

    /// A member that is a text; `nil` if it is missing or empty.
    private func text(_ name: String) throws -> String? {
        try member(name, \.text).flatMap { $0.isEmpty ? nil : $0.string }
    }

    /// A member; `nil` if it is missing or `null`.
    private func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value? {
        guard let value = rule[name], value.kind != .null else { return nil }
        guard let result = read(value) else { throw unexpected(name) }
        return result
    }

    private func unexpected(_ name: String) -> UnknownRule { UnknownRule(reason: "has \"\(name)\" in an unknown form") }
}

/// Why a rule cannot be evaluated, as the end of a sentence that begins with the name of the rule.
struct UnknownRule: Error {
    let reason: String

    static func unsupported(_ words: String) -> UnknownRule { UnknownRule(reason: "\(words), which is not supported") }
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

    fileprivate var list: [JSONValue]? { kind == .array ? Array(elements) : nil }

    fileprivate var numbers: [Double]? { list?.all(\.safeNumber) }

    fileprivate var range: (start: Double, end: Double)? {
        numbers.flatMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
    }

    fileprivate var ranges: [(start: Double, end: Double)]? { list?.all(\.range) }
}

extension [JSONValue] {
    /// All elements, converted by `read`; `nil` if one of them is not valid.
    fileprivate func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        let values = compactMap(read)
        return values.count == count ? values : nil
    }
}
