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
        var reading = StatsigReading(names, prefix: prefix)
        for (member, category) in [("feature_gates", gates), ("dynamic_configs", configs), ("layer_configs", layers)] {
            root[member]?.members.forEach { reading.add($0.key, $0.value, category) }
        }
        for name in names.map({ FlagText($0) }) where reading.categories[name] == nil && name.isMeant(byPrefix: prefix)
        {
            reading.flags.warn(
                "no gate, config, experiment or layer is named \(name.quoted), or the client key has no access to it")
        }
        return RemoteDocument(reading.flags)
    }
}

/// Collects the flags of a response.
private struct StatsigReading {
    /// The names to read, each by its hash and by itself. Empty to read all flags, whose names must not be hashed.
    private var names: [FlagText: FlagText] = [:]
    private let prefix: String
    var flags = EvaluatedFlags()
    /// The category of each flag that was found.
    private(set) var categories: [FlagText: FlagText] = [:]

    /// - Parameter names: the names to read; empty for all.
    init(_ names: [String], prefix: String) {
        self.prefix = prefix
        // A response may contain a catalog even if it is not among the names.
        for name in names.isEmpty ? [] : names + [RemoteDocument.catalogKey] {
            for key in [name, Self.djb2(name)] { self.names[FlagText(key)] = FlagText(name) }
        }
    }

    /// The hash `djb2` of a name: 32 bits over its UTF-16 code units, in decimal digits (`Hashing.ts` of
    /// js-client-monorepo).
    private static func djb2(_ name: String) -> String {
        String(name.utf16.reduce(UInt32(0)) { hash, unit in hash &* 31 &+ UInt32(unit) })
    }

    mutating func add(_ key: FlagText, _ entry: JSONValue, _ category: FlagText) {
        guard let name = names.isEmpty ? key : names[key] else { return }
        guard !name.isEmpty else { return flags.warn("a flag without a name in \"\(category)\" was left out") }
        guard name.isMeant(byPrefix: prefix) else { return }
        // A gate, a config and a layer may have the same name, but a key can have only one value.
        if let first = categories[name] {
            return flags.warn(
                "\(name.quoted) is the name of several flags: the one in \"\(first)\" is used, and the one in "
                    + "\"\(category)\" was left out")
        }
        categories[name] = category
        let value = entry["value"]
        if name.string == RemoteDocument.catalogKey {
            // The value of a config is an object, so the catalog is the parameter with the same name.
            guard let catalog = value?[RemoteDocument.catalogKey]?.flagText else { return }
            flags.add(FlagItem(key: name), value: catalog, category: category)
        } else if category == StatsigFlags.gates {
            guard let isOn = value?.bool else {
                return flags.warn("the gate \(name.quoted) was left out: its value is not true or false")
            }
            flags.add(
                FlagItem(key: name, options: FlagOption.booleans, declaredType: .bool),
                value: isOn ? "true" : "false", note: Self.note(entry), category: category)
        } else {
            guard let value, value.kind == .object else {
                return flags.warn("the config \(name.quoted) was left out: its value is not an object")
            }
            // Only experiments have these members (`evaluation_types.rs` of statsig-server-core).
            let isExperiment = entry["is_experiment_active"] != nil || entry["is_user_in_experiment"] != nil
            flags.add(
                FlagItem(key: name, declaredType: .json), value: value.flagText, note: Self.note(entry),
                category: category == StatsigFlags.configs && isExperiment ? StatsigFlags.experiments : category)
        }
    }

    /// Why the flag has its value, such as `group Control, rule 2Ai2OVWKSewJZ3uuSUrc4P` (`EvaluationTypes.ts` of
    /// js-client-monorepo).
    private static func note(_ entry: JSONValue) -> FlagText? {
        func words(_ before: String, _ name: String) -> String? {
            entry[name]?.text.flatMap { $0.isEmpty ? nil : "\(before) \($0.string)" }
        }
        let isActive = entry["is_experiment_active"]?.bool
        let isInside = entry["is_user_in_experiment"]?.bool
        let state: String? = isActive == false ? "not active" : isInside == false ? "user not in the experiment" : nil
        // The type of the ID that Statsig has evaluated, such as `userID` or `stableID`.
        let idType = words("by", "id_type")
        return FlagText(listing: [words("group", "group_name"), words("rule", "rule_id"), idType, state])
    }
}

/// A response to `POST /initialize` (`InitializeResponse.ts` of js-client-monorepo).
struct StatsigResponse {
    /// The flags in the service's format. The user, which the service sends back, and exposures are left out, because
    /// they must not be cached.
    let bytes: [UInt8]
    /// The version of the values, for later requests: a JSON object of the time of the last change in the project, and a
    /// checksum. `nil` if the service names none.
    let version: String?
    /// The fields that the service has derived from the request, such as the country and the IP address, as JSON; `nil`
    /// if there are none.
    let derivedFields: String?
    /// How names are hashed: `none`, `djb2` or `sha256`.
    let hash: String

    private static let flagMembers = ["feature_gates", "dynamic_configs", "layer_configs"]

    /// Parses a response.
    ///
    /// - Returns: `nil` if nothing has changed.
    /// - Throws: why the response is not valid.
    init?(parsing body: [UInt8]) throws(DocumentError) {
        guard let root = try Self.root(of: body) else { return nil }
        let cached = ["has_updates", "hash_used"] + Self.flagMembers
        bytes = root.members { cached.contains($0.string) }.bytes
        let members = [("sinceTime", root["time"]), ("full_checksum", root["full_checksum"])].compactMap {
            name, value in
            value.flatMap { $0.kind == .null ? nil : (name, JSONOutput.raw($0.compactJSON)) }
        }
        version = root["time"]?.wholeNumber == nil ? nil : JSONOutput.object(members).text(indented: false)
        derivedFields = root["derived_fields"].flatMap { $0.kind == .null ? nil : $0.compactJSON }
        hash = root["hash_used"]?.text?.string ?? "sha256"
    }

    /// The members of a request for a version; `nil` for any other text. If a request has these members, Statsig can
    /// respond that nothing has changed (`Network.ts` of js-client-monorepo).
    static func members(of version: String) -> [(String, JSONOutput)]? {
        guard let root = (try? JSONDocument(parsing: Array(version.utf8)))?.root,
            root["sinceTime"]?.wholeNumber != nil
        else { return nil }
        return root.members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) }
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
        for name in flagMembers where root[name]?.kind != .object {
            throw .unknownShape("the response has no object \"\(name)\"; is this the URL of Statsig's API for apps?")
        }
        return root
    }
}
