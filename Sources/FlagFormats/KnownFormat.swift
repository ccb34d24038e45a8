import FlagModel

/// A known format of documents: its name, how it is recognised, and how it is handled.
///
/// A document is recognised by the first row of ``all`` that matches. An object that no row matches is a map of keys and
/// values; it must never be one only because its format is unknown here, as it would often have a single key, `flags`.
struct KnownFormat: Sendable {
    /// How a document is handled.
    enum Handling: Sendable {
        /// Its flags are decoded.
        case flags(@Sendable (_ root: JSONValue) -> EvaluatedFlags)
        /// It is a template of Firebase Remote Config.
        case template
        /// It is a catalog.
        case catalog
        /// It cannot be used; the text says what to do instead.
        case rejected(String)
    }

    /// The name, with an article.
    let name: String
    let handling: Handling
    /// Whether a document with this root, and the root's member `flags`, has the format.
    private let matches: @Sendable (_ root: JSONValue, _ flags: JSONValue?) -> Bool

    private init(
        _ name: String, _ handling: Handling, _ matches: @escaping @Sendable (JSONValue, JSONValue?) -> Bool
    ) {
        (self.name, self.handling, self.matches) = (name, handling, matches)
    }

    /// The format of a document's content; `nil` for a map of keys and values, and for an unknown array.
    init?(of root: JSONValue) {
        let flags = root.member("flags")
        guard let format = Self.all.first(where: { $0.matches(root, flags) }) else { return nil }
        self = format
    }

    /// What to do with a format that is not supported, although a source may read its service.
    private static func unsupported(source: String? = nil) -> Handling {
        let service = source.map { "name the service itself as the source, as in \($0), or " } ?? ""
        return .rejected(", which is not supported; \(service)save a JSON object of keys and values")
    }

    /// Whether an array of these elements can be a catalog.
    private static func isCategory(_ element: JSONValue) -> Bool {
        element.has("items", .array)
            && (element.has("category") || element.hasOnly(["items", "description", "title"]))
    }

    private static let all = [
        KnownFormat("a template of Firebase Remote Config", .template) { root, _ in FirebaseTemplate.isTemplate(root) },
        KnownFormat("the parameters of a Firebase template", .template) { root, _ in
            FirebaseTemplate.isParameters(root)
        },
        KnownFormat(
            "a custom resource of flagd",
            .flags { FlagDefinitions.variants($0["spec"]?["flagSpec"]?["flags"], of: "flagd") }
        ) { root, _ in
            root.member("kind")?.text == "FeatureFlag" || root.member("spec")?.has("flagSpec", .object) == true
        },
        KnownFormat(
            "a config map of Kubernetes", .rejected(", which is read from files only; save it as a file")
        ) { root, _ in
            root.has("data", .object)
                && (root.member("kind").map { $0.text == "ConfigMap" }
                    ?? (root.has("apiVersion") && root.has("metadata")))
        },
        KnownFormat("a resource of Kubernetes", .rejected(" without data of flags; name another file")) { root, _ in
            let isNamed = ["ConfigMap", "List", "Secret"].contains(root.member("kind")?.text)
            return root.has("kind", .string)
                && [isNamed, root.has("apiVersion", .string), root.has("metadata", .object)].count { $0 } > 1
        },
        KnownFormat("a flag file of Flipt", .flags { FlagDefinitions.flipt($0["flags"]) }) { root, flags in
            flags?.kind == .array
                && (root.has("namespace")
                    || flags.has {
                        $0.member("variants").has { $0.has("key") } || $0.has("rollouts")
                            || $0.member("type")?.text?.string.hasSuffix("_FLAG_TYPE") == true
                    })
        },
        KnownFormat("a flag file of flagd", .flags { FlagDefinitions.variants($0["flags"], of: "flagd") }) {
            root, flags in
            flags.has {
                $0.has("variants", .object) || $0.has("defaultVariant")
                    || ["ENABLED", "DISABLED"].contains($0.member("state")?.text)
            } || flags.usesSchema("flagd.dev", in: root)
        },
        KnownFormat("a flag manifest of OpenFeature", .flags { FlagDefinitions.manifest($0["flags"]) }) { root, flags in
            flags.has {
                $0.has("flagType")
                    || FlagDefinitions.type($0.member("type")?.text) != nil
                        && ($0.has("defaultValue") || $0.has("key") && !$0.has("value") && !$0.has("enabled"))
            } || flags.usesSchema("flag-manifest", in: root)
        },
        KnownFormat("flags in memory of OpenFeature", .flags { FlagDefinitions.variants($0, of: "flagd") }) { root, _ in
            Optional(root).has {
                ($0.has("variants", .object) || $0.has("defaultVariant"))
                    && $0.hasOnly(["variants", "defaultVariant", "disabled", "flagMetadata"])
            }
        },
        KnownFormat(
            "a flag file of GO Feature Flag", .flags { FlagDefinitions.variants($0, of: "GO Feature Flag") }
        ) { root, _ in
            Optional(root).has { $0.has("variations", .object) || $0.has("defaultRule", .object) }
        },
        KnownFormat("flag values of LaunchDarkly", .flags { FlagDefinitions.flagValues($0) }) { root, _ in
            root.has("flagValues", .object) && root.hasOnly(["flags", "flagValues", "segments"] + SimpleFlags.metadata)
        },
        KnownFormat("flag data of LaunchDarkly", unsupported(source: "launchdarkly:ENV")) { root, _ in
            root.hasList("flags", with: ["segments"]) {
                $0.has("variations", .array) || $0.has("fallthrough") && $0.has("offVariation")
            }
                || root.hasList("items", with: ["totalCount", "_links"]) {
                    $0.has("variations", .array) || $0.has("environments", .object)
                }
                || Optional(root).has { $0.has("flagVersion") && $0.has("value") }
        },
        KnownFormat("flag data of Unleash", unsupported(source: "unleash:URL")) { root, _ in
            root.has("featureStrategies", .array)
                || root.member("query")?.kind != .string
                    && root.hasList("features", with: ["version", "query", "meta"]) { $0.has("strategies") }
                || root.member("toggles").has { $0.has("name") && $0.has("variant", .object) }
        },
        KnownFormat("flag definitions of Split", unsupported(source: "split:URL")) { root, _ in
            root.has("splits", .array) && (root.has("since") || root.has("till"))
                || (root.has("splits") || root.member("since")?.source == "-1")
                    && root.hasList("splits", with: ["since", "till"]) { $0.has("trafficTypeName") }
                || root.member("ff")?.hasList("d", with: ["s", "t"]) { $0.has("trafficTypeName") } == true
        },
        KnownFormat("flag data of PostHog", unsupported(source: "posthog:URL")) { root, _ in
            let isFlag: (JSONValue) -> Bool = { $0.has("key") && $0.has("filters", .object) }
            return root.has("errorsWhileComputingFlags")
                || root.hasList("flags", with: ["cohorts", "group_type_mapping"], isFlag)
                || !root.has("next", .number)
                    && root.hasList("results", with: ["count", "next", "previous"]) {
                        isFlag($0) || $0.has("key") && root.has("count")
                    }
        },
        KnownFormat("flag data of Flagsmith", unsupported(source: "flagsmith:URL")) { root, flags in
            root.has("feature_states", .array)
                || (root.kind == .array ? root : flags).has { $0.has("feature", .object) && $0.has("enabled") }
        },
        KnownFormat("flag data of Statsig", unsupported(source: "statsig:")) { root, _ in
            ["feature_gates", "dynamic_configs", "layer_configs"].count { root.has($0) } > 1
        },
        KnownFormat("a response of an OFREP server", unsupported(source: "ofrep:URL")) { _, flags in
            flags?.kind == .array
                && flags.has { flag in
                    ["errorCode", "reason", "variant"].contains { flag.has($0) }
                        && flag.hasOnly(["errorCode", "errorDetails", "key", "metadata", "reason", "value", "variant"])
                }
        },
        KnownFormat("an export of overrides, for flagmenu import", unsupported()) { root, _ in
            root.has("overrides", .object)
                && (root.has("exportedAt", .string) || root.count > 1 && root.hasOnly(["app", "overrides", "source"]))
        },
        KnownFormat("flag data of GrowthBook", unsupported(source: "growthbook:URL")) { root, _ in
            root.has("encryptedFeatures", .string)
                || root.member("features")?.kind != .array && !root.has("status", .string)
                    && root.hasList("features", with: ["status", "dateUpdated"]) {
                        $0.kind == .object && $0.hasOnly(["defaultValue", "rules", "id", "project", "metadata"])
                    }
        },
        KnownFormat("flag data of ConfigCat", unsupported()) { root, _ in
            root.member("p")?.isContainer != false
                && root.hasList("f", with: ["p", "s"]) { $0.has("t") || $0.has("v", .object) }
                || root.hasOnly(["p", "s", "f"]) && root.member("p")?.has("u") == true
        },
        KnownFormat("a file of flags", .flags { SimpleFlags.flags(in: $0) }) { root, _ in SimpleFlags.isWrapper(root) },

        KnownFormat("a catalog", .catalog) { root, _ in
            root.kind == .array && (root.count == 0 || root.elements.prefix(memberLimit).contains(where: isCategory))
        },
        KnownFormat("a list of flags", .flags { SimpleFlags.flags(in: $0) }) { root, _ in SimpleFlags.isList(root) },
    ]

    /// An object with more members than this is not searched, so that detection is as fast for a large document as for a
    /// small one.
    static let memberLimit = 64
    /// The number of containers at the start of a document that must look like flags of the format.
    fileprivate static let sampleSize = 3
}

extension JSONValue {
    /// The member with that key; always `nil` for an object with more than `memberLimit` members.
    func member(_ key: String) -> JSONValue? { count <= KnownFormat.memberLimit ? self[key] : nil }

    func has(_ key: String, _ kind: Kind? = nil) -> Bool {
        guard let value = member(key) else { return false }
        return kind == nil || kind == value.kind
    }

    func hasOnly(_ keys: [FlagText]) -> Bool {
        count <= KnownFormat.memberLimit && members.allSatisfy { keys.contains($0.key) }
    }

    /// Whether a member has flags of a format. If it is empty, the members beside it must be those of the format, and
    /// there must be one; if it is missing, they must all be there.
    fileprivate func hasList(_ key: String, with others: [FlagText], _ isFlag: (JSONValue) -> Bool) -> Bool {
        guard let list = member(key) else {
            return others.count > 1 && kind == .object && count == others.count && hasOnly(others)
        }
        guard list.isContainer else { return false }
        guard list.count == 0 else { return Optional(list).has(isFlag) }
        return count > 1 && hasOnly([FlagText(key)] + others)
    }
}

extension JSONValue? {
    /// Whether one of the first containers in it is a flag, and all of them are flags or empty. As many other values may
    /// be among them; null is ignored. A list may also have objects that are flags of no format.
    func has(_ isFlag: (JSONValue) -> Bool) -> Bool {
        // A catalog is an object only as a parameter.
        guard let self, self.count > 0, [nil, .object].contains(self.member(RemoteDocument.catalogKey)?.kind) else {
            return false
        }
        var values = Array(self.elements.prefix(KnownFormat.memberLimit))
        for (key, value) in self.members where key != "$schema" {
            if values.count == KnownFormat.memberLimit { break }
            values.append(value)
        }
        let sample = values.filter { $0.kind != .null }.prefix(2 * KnownFormat.sampleSize)
        let containers = sample.filter(\.isContainer)
        return containers.count * 2 >= sample.count && containers.contains(where: isFlag)
            && containers.prefix(KnownFormat.sampleSize).allSatisfy {
                $0.count == 0 || isFlag($0) || self.kind == .array && !SimpleFlags.isFlagOfList($0)
            }
    }

    /// Whether this is an object, an array or missing, and `root` has a `$schema` that contains `schema`.
    fileprivate func usesSchema(_ schema: String, in root: JSONValue) -> Bool {
        self?.isContainer != false && root.member("$schema")?.text?.string.contains(schema) == true
    }
}
