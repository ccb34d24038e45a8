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
    struct Outcome {
        let value: JSONValue
        var experiment: String?
    }

    /// The outcome of the rule; `nil` if the rule does not apply.
    ///
    /// - Throws: why it is unknown whether the rule applies.
    func outcome() throws(UnknownRule) -> Outcome? {
        guard rule.kind == .object else { throw UnknownRule(reason: "is not an object") }
        if let parents = member("parentConditions"), parents.kind != .array || parents.count > 0 {
            throw UnknownRule(reason: "has prerequisites, which are not supported")
        }
        if let condition = member("condition") {
            guard try FeatureCondition.applies(condition, to: attributes) else { return nil }
        }
        guard try isWithinFilters() else { return nil }
        if let force = rule["force"] { return try forced(force) }
        return try experiment()
    }

    private func isWithinFilters() throws(UnknownRule) -> Bool {
        guard let filters = try list("filters") else { return true }
        for members in filters {
            let filter = FeatureRule(rule: members, featureKey: featureKey, attributes: attributes)
            guard let ranges = try filter.pairs("ranges") else { throw unexpected("filters") }
            let seed = try filter.text("seed") ?? ""
            let number = try filter.hash(seed: seed, "attribute", defaultVersion: 2)
            guard let number, ranges.contains(where: { Bucketing.contains($0, number) }) else { return false }
        }
        return true
    }

    private func forced(_ value: JSONValue) throws(UnknownRule) -> Outcome? {
        let range = try pair(member("range"))
        let coverage = try self.number("coverage")
        let seed = try text("seed") ?? featureKey
        guard range != nil || coverage != nil else { return Outcome(value: value) }
        if range == nil, coverage == 0 { return nil }
        guard let number = try hash(seed: seed, "hashAttribute", defaultVersion: 1) else { return nil }
        let isIncluded = range.map { Bucketing.contains($0, number) } ?? (number <= coverage ?? 0)
        return isIncluded ? Outcome(value: value) : nil
    }

    private func experiment() throws(UnknownRule) -> Outcome? {
        guard member("contextualVariations") == nil, member("contextualBanditRef") == nil else {
            throw UnknownRule(reason: "is a contextual bandit, which is not supported")
        }
        let key = try text("key") ?? featureKey
        let seed = try text("seed") ?? key
        let coverage = try self.number("coverage") ?? 1
        guard let variations = try list("variations"), variations.count >= 2,
            let number = try hash(seed: seed, "hashAttribute", defaultVersion: 1), try isWithinNamespace()
        else { return nil }
        let weights = try numbers("weights")
        let ranges =
            try pairs("ranges") ?? Bucketing.ranges(variations.count, coverage: coverage, weights: weights)
        guard let index = ranges.firstIndex(where: { Bucketing.contains($0, number) }), index < variations.count else {
            return nil
        }
        return try variation(index, variations[index], of: key)
    }

    /// The outcome of a variation; `nil` for a holdout, so that the next rule is evaluated.
    private func variation(_ index: Int, _ value: JSONValue, of key: String) throws(UnknownRule) -> Outcome? {
        let meta = try list("meta") ?? []
        let description = meta.indices.contains(index) ? meta[index] : nil
        guard description?["passthrough"]?.bool != true else { return nil }
        let names = [description?["name"], description?["key"]].compactMap { $0?.text?.string }
        let name = names.first { !$0.isEmpty } ?? "\(index)"
        return Outcome(value: value, experiment: "experiment \(key), variation \(name)")
    }

    /// Whether the user is in the rule's part of a namespace. Filters replace a namespace.
    private func isWithinNamespace() throws(UnknownRule) -> Bool {
        guard let namespace = try list("namespace"), try list("filters") == nil else { return true }
        guard namespace.count == 3, let name = namespace[0].text?.string, let start = namespace[1].safeNumber,
            let end = namespace[2].safeNumber, let value = try hashedText("hashAttribute"),
            let number = Bucketing.hash(seed: "__\(name)", value: value, version: 1)
        else { throw unexpected("namespace") }
        return Bucketing.contains((start, end), number)
    }
}

/// Why a rule cannot be evaluated, as the end of a sentence that begins with the name of the rule.
struct UnknownRule: Error {
    let reason: String

    static func unsupported(_ words: String) -> UnknownRule { UnknownRule(reason: "\(words), which is not supported") }
}
