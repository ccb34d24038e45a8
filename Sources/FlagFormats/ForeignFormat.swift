import FlagModel

/// A format of another feature flag tool, distinguished from a map of keys and values by its content.
///
/// Such a document is decoded, or rejected with the name of its format. Otherwise it would be read as a map of keys and
/// values, often with a single key, `flags`.
struct ForeignFormat: Sendable {
    private typealias Test = @Sendable (_ root: JSONValue, _ flags: JSONValue?) -> Bool

    /// An object with more members than this is not searched, so that detection is as fast for a large document as for a
    /// small one.
    fileprivate static let memberLimit = 64
    /// The number of flags at the start of a document that must look like flags of the format.
    fileprivate static let sampleSize = 3

    /// Decodes a document of the format; `nil` if the format is rejected.
    let read: (@Sendable (_ root: JSONValue) -> EvaluatedFlags)?
    private let name: String
    /// The source that can read the flags from the tool's service; `nil` if there is none.
    private let source: String?
    private let matches: Test

    private init(
        _ name: String, read: (@Sendable (JSONValue) -> EvaluatedFlags)? = nil, source: String? = nil,
        _ matches: @escaping Test
    ) {
        (self.name, self.read, self.source, self.matches) = (name, read, source, matches)
    }

    /// The format of an object or a list; `nil` for a map of keys and values, and for a catalog.
    init?(of root: JSONValue) {
        let flags = root.member("flags")
        guard let format = Self.all.first(where: { $0.matches(root, flags) }) else { return nil }
        self = format
    }

    /// Why a document of this format is not supported, and what to do.
    var rejection: DocumentError {
        let service = source.map { "name the service itself as the source, as in \($0), or " } ?? ""
        return .unknownShape(
            "the document is \(name), which is not supported; \(service)save a JSON object of keys and values")
    }

    private static let all = [
        ForeignFormat("a flag file of flagd", read: FlagDefinitions.flagd) { root, flags in
            flags.has { $0.has("variants", .object) } || flags.usesSchema("flagd.dev", in: root)
        },
        ForeignFormat("a flag manifest of OpenFeature", read: FlagDefinitions.manifest) { root, flags in
            flags.has { $0.has("flagType") } || flags.usesSchema("flag-manifest", in: root)
        },
        ForeignFormat("a flag file of GO Feature Flag", source: "ofrep:URL") { root, _ in
            Optional(root).has { $0.has("variations", .object) }
        },
        ForeignFormat("flag data of LaunchDarkly", source: "launchdarkly:ENV") { root, flags in
            root.has("flagValues", .object) && root.hasOnly(["flags", "flagValues", "segments"])
                || flags.has { $0.has("variations", .array) }
                || root.member("items").has { $0.has("variations", .array) }
                || Optional(root).has { $0.has("flagVersion") && $0.has("value") }
        },
        ForeignFormat("flag data of Unleash", source: "unleash:URL") { root, _ in
            root.has("features", .array) && root.has("featureStrategies", .array)
                || root.member("features").has { $0.has("name") && $0.has("strategies") }
                || root.member("toggles").has { $0.has("name") && $0.has("enabled") }
        },
        ForeignFormat("flag definitions of Split", source: "split:URL") { root, _ in
            root.member("splits").has { $0.has("trafficTypeName") }
                || root.member("ff")?.member("d").has { $0.has("trafficTypeName") } == true
        },
        ForeignFormat("flag data of PostHog", source: "posthog:URL") { root, flags in
            root.has("errorsWhileComputingFlags") || flags.has { $0.has("key") && $0.has("filters", .object) }
                || root.member("results").has { $0.has("key") && $0.has("filters", .object) }
        },
        ForeignFormat("flag data of Flagsmith", source: "flagsmith:URL") { root, flags in
            root.member("feature_states").has { $0.has("feature", .object) }
                || (root.kind == .array ? root : flags).has { $0.has("feature", .object) && $0.has("enabled") }
        },
        ForeignFormat("flag data of Statsig", source: "statsig:") { root, _ in
            root.has("feature_gates") && root.has("dynamic_configs") && root.has("layer_configs")
        },
        ForeignFormat("a response of an OFREP server", source: "ofrep:URL") { _, flags in
            flags.has { $0.has("key") && ($0.has("value") || $0.has("errorCode")) }
        },
        ForeignFormat("an export of overrides, for flagmenu import") { root, _ in
            root.has("exportedAt", .string) && root.has("overrides", .object)
        },
        ForeignFormat("flag data of GrowthBook", source: "growthbook:URL") { root, _ in
            root.has("features", .object) && root.member("features").has { $0.has("defaultValue") }
        },
        ForeignFormat("flag data of ConfigCat") { root, flags in
            root.member("f").has { $0.has("t") && $0.has("v") }
                || root.count == 1 && root.has("flags", .object) && flags.has { !$0.isContainer }
        },
    ]
}

extension JSONValue {
    /// The member with that key; always `nil` for an object with more than `memberLimit` members.
    fileprivate func member(_ key: String) -> JSONValue? { count <= ForeignFormat.memberLimit ? self[key] : nil }

    fileprivate func hasOnly(_ keys: [FlagText]) -> Bool { members.allSatisfy { keys.contains($0.key) } }

    fileprivate func has(_ key: String, _ kind: Kind? = nil) -> Bool {
        guard let value = member(key) else { return false }
        return kind == nil || kind == value.kind
    }
}

extension JSONValue? {
    /// Whether there are elements or members, and `isFlag` returns `true` for the first `sampleSize` of them.
    fileprivate func has(_ isFlag: (JSONValue) -> Bool) -> Bool {
        guard let self, self.count > 0 else { return false }
        let size = ForeignFormat.sampleSize
        return self.kind == .array
            ? self.elements.prefix(size).allSatisfy(isFlag) : self.members.prefix(size).allSatisfy { isFlag($0.value) }
    }

    /// Whether this is an object or an array, and `root` has a `$schema` that contains `schema`.
    fileprivate func usesSchema(_ schema: String, in root: JSONValue) -> Bool {
        self?.isContainer == true && root.member("$schema")?.text?.string.contains(schema) == true
    }
}
