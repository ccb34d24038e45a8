public import FlagModel
import FlagRemote

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

/// The evaluation of a gate, config, experiment or layer for the user (`EvaluationTypes.ts` of js-client-monorepo).
struct StatsigEvaluation {
    private let entry: JSONValue

    init(_ entry: JSONValue) { self.entry = entry }

    /// A text that is not empty.
    private func text(_ name: String) -> String? { entry[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }

    /// The value of a gate.
    var bool: Bool? { entry["value"]?.bool }

    /// The value of a config, an experiment or a layer.
    var object: JSONValue? { entry["value"].flatMap { $0.kind == .object ? $0 : nil } }

    /// Whether a config is an experiment. Only experiments have these members (`evaluation_types.rs` of
    /// statsig-server-core).
    var isExperiment: Bool { entry["is_experiment_active"] != nil || entry["is_user_in_experiment"] != nil }

    /// Why the flag has its value, such as `group Control, rule 2Ai2OVWKSewJZ3uuSUrc4P`.
    var note: FlagText? {
        let isActive = entry["is_experiment_active"]?.bool
        let isInside = entry["is_user_in_experiment"]?.bool
        let state: String? =
            isActive == false ? "not active" : isInside == false ? "user not in the experiment" : nil
        return FlagText(listing: [
            text("group_name").map { "group \($0)" }, text("rule_id").map { "rule \($0)" },
            // The type of the ID that Statsig has evaluated, such as `userID` or `stableID`.
            text("id_type").map { "by \($0)" }, state,
        ])
    }
}

/// The names of the flags in a response, which may be hashed.
struct StatsigNames {
    /// The names to read, each by its hash and by itself. `nil` to read all flags, whose names must not be hashed.
    private let names: [FlagText: FlagText]?

    /// - Parameter names: the names to read; empty for all.
    init(_ names: [String]) {
        guard !names.isEmpty else {
            self.names = nil
            return
        }
        var table: [FlagText: FlagText] = [:]
        // A response may contain a catalog even if it is not among the names.
        for name in names + [RemoteDocument.catalogKey] {
            table[FlagText(Self.djb2(name))] = FlagText(name)
            table[FlagText(name)] = FlagText(name)
        }
        self.names = table
    }

    /// The name of the flag that has this key in the response; `nil` if the settings do not list the name.
    func name(of key: FlagText) -> FlagText? { names == nil ? key : names?[key] }

    /// The hash `djb2` of a name: 32 bits over its UTF-16 code units, in decimal digits (`Hashing.ts` of
    /// js-client-monorepo).
    static func djb2(_ name: String) -> String {
        String(name.utf16.reduce(UInt32(0)) { hash, unit in hash &* 31 &+ UInt32(unit) })
    }
}

/// A response to `POST /initialize` (`InitializeResponse.ts` of js-client-monorepo).
struct StatsigResponse {
    /// The flags in the service's format. The user, which the service sends back, and exposures are left out, because
    /// they must not be cached.
    let bytes: [UInt8]
    /// The version of the values; `nil` if the service names none.
    let version: String?
    /// The fields that the service has derived from the request, such as the country and the IP address, as JSON; `nil`
    /// if there are none.
    let derivedFields: String?
    /// How names are hashed: `none`, `djb2` or `sha256`.
    let hash: String

    /// The members that are cached.
    private static let cached = ["has_updates", "hash_used", "feature_gates", "dynamic_configs", "layer_configs"]

    /// Parses a response.
    ///
    /// - Returns: `nil` if nothing has changed.
    /// - Throws: why the response is not valid.
    init?(parsing body: [UInt8]) throws(DocumentError) {
        guard let root = try Self.root(of: body) else { return nil }
        let members = root.members.filter { Self.cached.contains($0.key.string) }
        let object = JSONOutput.object(members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) })
        bytes = Array(object.text(indented: false).utf8)
        version = StatsigVersion(of: root)?.text
        derivedFields = root["derived_fields"].flatMap { $0.kind == .null ? nil : $0.compactJSON }
        hash = root["hash_used"]?.text?.string ?? "sha256"
    }

    /// The root object of a response with flags; `nil` if nothing has changed.
    static func root(of body: [UInt8]) throws(DocumentError) -> JSONValue? {
        let root = try JSONDocument(document: body).root
        guard let hasUpdates = root["has_updates"]?.bool else {
            throw .unknownShape("the response has no \"has_updates\"; is this the URL of Statsig's API for apps?")
        }
        guard hasUpdates else { return nil }
        // Statsig's SDKs never request this format (`Network.ts` of js-client-monorepo).
        guard root["response_format"]?.text?.string != "init-v2" else {
            throw .unknownShape("the response has the format init-v2, which is not supported")
        }
        for name in ["feature_gates", "dynamic_configs", "layer_configs"] where root[name]?.kind != .object {
            throw .unknownShape("the response has no object \"\(name)\"; is this the URL of Statsig's API for apps?")
        }
        return root
    }
}

/// The version of cached values: the time of the last change in the project, and a checksum. If a request has these
/// members, Statsig can respond that nothing has changed (`Network.ts` of js-client-monorepo).
struct StatsigVersion {
    /// The version as text: a JSON object of ``members``.
    let text: String
    /// The members of a request.
    let members: [(String, JSONOutput)]

    /// A version from its text; `nil` for any other text.
    init?(_ text: String) {
        guard let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root,
            let time = root["sinceTime"], Int(time.source) != nil
        else { return nil }
        self.text = text
        members = root.members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) }
    }

    /// The version of a response; `nil` if it names no time.
    init?(of root: JSONValue) {
        guard let time = root["time"], Int(time.source) != nil else { return nil }
        let names = [("time", "sinceTime"), ("full_checksum", "full_checksum")]
        let members = names.compactMap { name, requestName -> (String, JSONOutput)? in
            guard let value = root[name], value.kind != .null else { return nil }
            return (requestName, JSONOutput.raw(value.compactJSON))
        }
        self.members = members
        text = JSONOutput.object(members).text(indented: false)
    }
}
