import FlagModel

/// A format of another feature flag tool, distinguished from a map of keys and values by its content.
///
/// Read as values, each such document would be one flag called `flags`. So a format is decoded, or rejected by name.
struct ForeignFormat: Sendable {
    private typealias Test = @Sendable (_ root: JSONValue, _ flags: JSONValue?) -> Bool

    /// Objects with more members are not searched, so that a large document is detected as fast as a small one.
    fileprivate static let memberLimit = 64
    /// How many flags must look like those of the format.
    fileprivate static let sampleSize = 3

    /// Decodes a document of the format; `nil` if it is rejected.
    let read: (@Sendable (_ root: JSONValue) -> EvaluatedFlags)?
    private let name: String
    private let source: String?
    private let matches: Test

    private init(
        _ name: String, read: (@Sendable (JSONValue) -> EvaluatedFlags)? = nil, source: String? = nil,
        _ matches: @escaping Test
    ) {
        (self.name, self.read, self.source, self.matches) = (name, read, source, matches)
    }

    /// The format of an object; `nil` for values.
    init?(of root: JSONValue) {
        let flags = root.member("flags")
        guard let format = Self.all.first(where: { $0.matches(root, flags) }) else { return nil }
        self = format
    }

    /// Why a document of this format is not supported, and what to do.
    var refusal: DocumentError {
        let service = source.map { "name the service itself as the source, as in \($0), or " } ?? ""
        return .unknownShape(
            "the document is \(name), which is not supported; \(service)save a JSON object of keys and values")
    }

    private static let all = [
        ForeignFormat("a flag file of flagd", read: FlagDefinitions.flagd) { root, flags in
            flags.has { $0.has("variants", .object) } || flags.follows("flagd.dev", in: root)
        },
        ForeignFormat("a flag manifest of OpenFeature", read: FlagDefinitions.manifest) { root, flags in
            flags.has { $0.has("flagType") } || flags.follows("flag-manifest", in: root)
        },
        ForeignFormat("a flag file of GO Feature Flag", source: "ofrep:URL") { root, _ in
            Optional(root).has { $0.has("variations", .object) }
        },
        ForeignFormat("flag data of LaunchDarkly", source: "launchdarkly:ENV") { root, flags in
            root.has("flagValues", .object) && root.isMade(of: ["flags", "flagValues", "segments"])
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
        ForeignFormat("a response of an OFREP server", source: "ofrep:URL") { _, flags in
            flags.has { $0.has("key") && ($0.has("value") || $0.has("errorCode")) }
        },
        ForeignFormat("an export of overrides, for flagmenu import") { root, _ in
            root.has("exportedAt", .string) && root.has("overrides", .object)
        },
        ForeignFormat("flag data of GrowthBook") { root, _ in
            root.has("features", .object) && root.member("features").has { $0.has("defaultValue") }
        },
        ForeignFormat("flag data of ConfigCat") { root, flags in
            root.member("f").has { $0.has("t") && $0.has("v") }
                || root.count == 1 && root.has("flags", .object) && flags.has { !$0.isContainer }
        },
    ]
}

extension JSONValue {
    /// The member with that key, unless finding it means searching a large object.
    fileprivate func member(_ key: String) -> JSONValue? { count <= ForeignFormat.memberLimit ? self[key] : nil }

    fileprivate func isMade(of keys: [FlagText]) -> Bool { members.allSatisfy { keys.contains($0.key) } }

    fileprivate func has(_ key: String, _ kind: Kind? = nil) -> Bool {
        guard let value = member(key) else { return false }
        return kind == nil || kind == value.kind
    }
}

extension JSONValue? {
    /// Whether the first few elements or members look like flags of a format, and there are any.
    fileprivate func has(_ isFlag: (JSONValue) -> Bool) -> Bool {
        guard let self, self.count > 0 else { return false }
        let size = ForeignFormat.sampleSize
        return self.kind == .array
            ? self.elements.prefix(size).allSatisfy(isFlag) : self.members.prefix(size).allSatisfy { isFlag($0.value) }
    }

    /// Whether these are the flags of a document with that schema.
    fileprivate func follows(_ schema: String, in root: JSONValue) -> Bool {
        self?.isContainer == true && root.member("$schema")?.text?.string.contains(schema) == true
    }
}
