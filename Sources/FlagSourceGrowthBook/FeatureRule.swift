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
        let condition = member("condition").map { FeatureCondition.check($0, attributes) } ?? .applies
        guard condition != .doesNotApply, try isWithinFilters() else { return nil }
        let outcome: Outcome?
        if let force = rule["force"] { outcome = try forced(force) } else { outcome = try experiment() }
        if outcome != nil, case .unknown(let reason) = condition { throw UnknownRule(reason: reason) }
        return outcome
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
        guard value.kind != .null else {
            throw UnknownRule(reason: "forces null, which GrowthBook's SDKs treat differently")
        }
        guard range != nil || coverage != nil else { return Outcome(value: value) }
        if range == nil, coverage == 0 { return nil }
        guard let number = try hash(seed: seed, "hashAttribute", defaultVersion: 1) else {
            guard try text("fallbackAttribute") == nil else {
                throw UnknownRule(reason: "has a fallback attribute, which GrowthBook's SDKs use differently")
            }
            return nil
        }
        if let range { return Bucketing.contains(range, number) ? Outcome(value: value) : nil }
        guard number != coverage else {
            throw UnknownRule(
                reason: "has a coverage that ends exactly at this user, which GrowthBook's SDKs treat differently")
        }
        return number < coverage ?? 0 ? Outcome(value: value) : nil
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
        let ranges = try self.ranges(of: variations.count, coverage)
        guard let index = ranges.firstIndex(where: { Bucketing.contains($0, number) }), index < variations.count else {
            return nil
        }
        return try variation(index, variations[index], of: key)
    }

    /// The ranges of the variations. If the rule has none, they result from the weights.
    private func ranges(of count: Int, _ coverage: Double) throws(UnknownRule) -> [(start: Double, end: Double)] {
        let weights = try numbers("weights")
        guard weights?.contains(where: { $0 < 0 }) != true else {
            throw UnknownRule(reason: "has negative weights, which GrowthBook's SDKs treat differently")
        }
        guard let ranges = try pairs("ranges") else {
            return Bucketing.ranges(count, coverage: coverage, weights: weights)
        }
        guard !ranges.isEmpty else { throw unexpected("ranges") }
        return ranges
    }

    /// The outcome of a variation; `nil` for a holdout, so that the next rule is evaluated.
    private func variation(_ index: Int, _ value: JSONValue, of key: String) throws(UnknownRule) -> Outcome? {
        let meta = try list("meta")
        guard meta.map({ index < $0.count }) != false else {
            throw UnknownRule(reason: "has a variation without metadata")
        }
        let description = meta?[index]
        guard description?["passthrough"]?.bool != true else { return nil }
        let names = [description?["name"], description?["key"]].compactMap { $0?.text?.string }
        let name = names.first { !$0.isEmpty } ?? "\(index)"
        return Outcome(value: value, experiment: "experiment \(key), variation \(name)")
    }

    /// Whether the user is in the rule's part of a namespace. Filters replace a namespace.
    private func isWithinNamespace() throws(UnknownRule) -> Bool {
        guard let namespace = try list("namespace") else { return true }
        if let filters = try list("filters") {
            // If the list is empty, the Python SDK uses the namespace, and the JavaScript SDK does not.
            guard !filters.isEmpty else { throw unexpected("filters") }
            return true
        }
        guard namespace.count == 3, let name = namespace[0].text?.string, let start = namespace[1].safeNumber,
            let end = namespace[2].safeNumber, let value = try hashedText("hashAttribute"),
            let number = Bucketing.hash(seed: "__\(name)", value: value, version: 1)
        else { throw unexpected("namespace") }
        return Bucketing.contains((start, end), number)
    }
}
