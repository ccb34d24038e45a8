public import FlagModel

/// Decodes the flags of a response.
///
/// A feature gate is a bool. Each dynamic config, experiment and layer is one JSON object with all its parameters, as
/// in the overrides of Statsig's SDKs (`OverrideAdapter.ts` of js-client-monorepo).
public enum StatsigFlags {
    /// The category of feature gates.
    public static let gates: FlagText = "Feature gates"
    /// The category of dynamic configs.
    public static let configs: FlagText = "Dynamic configs"
    /// The category of experiments, which the service sends among the dynamic configs.
    public static let experiments: FlagText = "Experiments"
    /// The category of layers.
    public static let layers: FlagText = "Layers"

    /// The document of a response.
    ///
    /// - Parameters:
    ///   - names: the names to read, in any order; empty for all.
    ///   - prefix: the prefix of the names to read.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(
        _ bytes: [UInt8], names: [String] = [], keyPrefix prefix: String = ""
    ) throws(DocumentError) -> RemoteDocument {
        guard let root = try StatsigResponse.root(of: bytes) else {
            throw .unknownShape("the response has no flags, because nothing has changed")
        }
        var reading = StatsigReading(names: StatsigNames(names), prefix: prefix)
        for (member, category) in [("feature_gates", gates), ("dynamic_configs", configs), ("layer_configs", layers)] {
            let entries = root[member].map { Array($0.members) } ?? []
            for (key, entry) in entries { reading.add(key, entry, category) }
        }
        for name in names { reading.requireKnown(FlagText(name)) }
        return RemoteDocument(reading.flags)
    }
}

/// Collects the flags of a response.
private struct StatsigReading {
    let names: StatsigNames
    let prefix: String
    var flags = EvaluatedFlags()
    /// The category of each flag that was found.
    private var categories: [FlagText: FlagText] = [:]

    init(names: StatsigNames, prefix: String) { (self.names, self.prefix) = (names, prefix) }

    mutating func add(_ key: FlagText, _ entry: JSONValue, _ category: FlagText) {
        guard let name = names.name(of: key) else { return }
        guard !name.isEmpty else { return flags.warn("a flag without a name in \"\(category)\" was left out") }
        guard name.isMeant(byPrefix: prefix) else { return }
        // A gate, a config and a layer may have the same name, but a key can have only one value.
        if let first = categories[name] {
            return flags.warn(
                "\(name.quoted) is the name of several flags: the one in \"\(first)\" is used, and the one in "
                    + "\"\(category)\" was left out")
        }
        categories[name] = category
        let evaluation = StatsigEvaluation(entry)
        guard name.string != RemoteDocument.catalogKey else { return addCatalog(evaluation, name, category) }
        if category == StatsigFlags.gates {
            addGate(evaluation, name)
        } else {
            addConfig(evaluation, name, category)
        }
    }

    private mutating func addGate(_ gate: StatsigEvaluation, _ name: FlagText) {
        guard let isOn = gate.bool else {
            return flags.warn("the gate \(name.quoted) was left out: its value is not true or false")
        }
        flags.add(
            FlagItem(key: name, options: FlagOption.booleans, declaredType: .bool),
            value: isOn ? "true" : "false", note: gate.note, category: StatsigFlags.gates)
    }

    private mutating func addConfig(_ config: StatsigEvaluation, _ name: FlagText, _ category: FlagText) {
        guard let value = config.object?.flagText else {
            return flags.warn("the config \(name.quoted) was left out: its value is not an object")
        }
        let isExperiment = category == StatsigFlags.configs && config.isExperiment
        flags.add(
            FlagItem(key: name, declaredType: .json), value: value, note: config.note,
            category: isExperiment ? StatsigFlags.experiments : category)
    }

    /// Adds the catalog. The value of a config is an object, so the catalog is the parameter with the same name.
    private mutating func addCatalog(_ config: StatsigEvaluation, _ name: FlagText, _ category: FlagText) {
        guard let catalog = config.object?[RemoteDocument.catalogKey]?.flagText else { return }
        flags.add(FlagItem(key: name), value: catalog, category: category)
    }

    /// Adds a warning if no flag has this name from the settings.
    mutating func requireKnown(_ name: FlagText) {
        guard categories[name] == nil, name.isMeant(byPrefix: prefix) else { return }
        flags.warn(
            "no gate, config, experiment or layer is named \(name.quoted), or the client key has no access to it")
    }
}
