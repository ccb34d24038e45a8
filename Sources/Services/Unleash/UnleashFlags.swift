public import FlagModel
import FlagRemote

/// Decodes the toggles of a response.
///
/// A toggle `demo` becomes a flag `demo`. The name of the variant that the service has chosen becomes a flag
/// `demo.variant`, and the variant's payload a flag `demo.payload` with the type that the service names.
public enum UnleashFlags {
    /// The category of all flags: the front-end API sends no projects.
    public static let category: FlagText = "Flags"

    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix of the names to read.
    /// - Throws: why the whole response cannot be used; a single unusable toggle is left out with a warning.
    public static func document(_ bytes: [UInt8], keyPrefix prefix: String = "") throws(DocumentError) -> RemoteDocument
    {
        document(try UnleashResponse.toggles(of: bytes), keyPrefix: prefix)
    }

    /// The document of a response's toggles.
    ///
    /// - Parameter warnings: warnings about the requests, which are added to the document.
    static func document(_ toggles: JSONValue, keyPrefix prefix: String, warnings: [String] = []) -> RemoteDocument {
        let names = Set(toggles.elements.compactMap { $0["name"]?.text })
        var flags = EvaluatedFlags()
        for warning in warnings { flags.warn(warning) }
        for (index, toggle) in toggles.elements.enumerated() {
            guard let name = toggle["name"]?.text, !name.isEmpty else {
                flags.warn("toggle \(index + 1) of the response has no string \"name\" and was left out")
                continue
            }
            let variant = UnleashVariant(toggle["variant"])
            if name == catalogKey {
                // The payload of this toggle is the catalog; whether the toggle is on does not matter.
                if let payload = variant?.payload { flags.add(FlagItem(key: name), value: payload, category: category) }
            } else if name.string.hasPrefix(prefix) {
                add(toggle, name, variant, besides: names, to: &flags)
            }
        }
        return RemoteDocument(flags)
    }

    private static let catalogKey = FlagText(RemoteDocument.catalogKey)

    private static func add(
        _ toggle: JSONValue, _ name: FlagText, _ variant: UnleashVariant?, besides names: Set<FlagText>,
        to flags: inout EvaluatedFlags
    ) {
        guard let isOn = toggle["enabled"]?.bool else {
            let quoted = name.quoted
            return flags.warn("the toggle \(quoted) was left out: its \"enabled\" is not true or false")
        }
        flags.add(
            FlagItem(key: name, options: FlagOption.booleans, declaredType: .bool), value: isOn ? "true" : "false",
            note: isOn ? variant.map { FlagText("variant \($0.name.string)") } : "not among the toggles that are on",
            category: category)
        guard let variant else { return }
        var variantFlags: [(key: String, FlagType, FlagText, note: FlagText?)] = [
            ("\(name.string).variant", .string, variant.name, nil)
        ]
        if let payload = variant.payload {
            let note = FlagText("payload of variant \(variant.name.string)")
            variantFlags.append(("\(name.string).payload", variant.payloadType, payload, note))
        }
        for (key, type, value, note) in variantFlags {
            flags.add(
                part: FlagItem(key: FlagText(key), declaredType: type), value: value, note: note, category: category,
                called: "variant's value", besides: names)
        }
    }
}

/// The variant of a toggle that the service has chosen.
struct UnleashVariant {
    let name: FlagText
    /// The payload as a text, even if its type is a number or JSON.
    let payload: FlagText?
    let payloadType: FlagType

    /// The variant of a toggle; `nil` if the toggle has none. For such a toggle the service sends a variant `disabled`
    /// that is not enabled.
    init?(_ value: JSONValue?) {
        guard let value, value["enabled"]?.bool == true, let name = value["name"]?.text, !name.isEmpty else {
            return nil
        }
        self.name = name
        payload = value["payload"]?["value"]?.text
        payloadType = Self.type(value["payload"]?["type"]?.text?.string, of: payload?.string ?? "")
    }

    /// The type with the name that the service sends, if the text is valid for this type; else `string`.
    private static func type(_ word: String?, of text: String) -> FlagType {
        let types: [FlagType] =
            switch word {
            case "json": [.json]
            case "number": [.int, .double]
            default: []  // string and csv
            }
        return types.first { $0.accepts(text) } ?? .string
    }
}

/// A response of the front-end API. It lists only toggles that are on.
enum UnleashResponse {
    /// The names of all toggles in a response to a backend token.
    static func names(of body: [UInt8]) throws(DocumentError) -> [FlagText] {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let features = root["features"], features.kind == .array else {
            throw .unknownShape("the response to the backend token has no list \"features\"")
        }
        return features.elements.compactMap { $0["name"]?.text }.filter { !$0.isEmpty }
    }

    /// The list of toggles in a response.
    static func toggles(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let toggles = root["toggles"], toggles.kind == .array else {
            throw .unknownShape(
                "the response has no list \"toggles\"; is this the URL of an Unleash server with its front-end API?")
        }
        return toggles
    }
}

/// The known toggles: those in the cache, and those that were on at some time in this run.
///
/// The service sends only toggles that are on, and its own clients treat missing toggles as off. Therefore a known
/// toggle that is missing from a response stays in the list, with the value `false`. A toggle that has been missing for
/// longer than ``CacheEviction/life`` counts as deleted and is forgotten.
struct ToggleMemory {
    /// Since when each known toggle is missing; `nil` for a toggle that is on.
    private var absences: [FlagText: FlagTimestamp?] = [:]

    /// Records the toggles of a response, which may be a cached one: the service may respond 304 for a long time after
    /// a start.
    mutating func learn(_ toggles: JSONValue) {
        for toggle in toggles.elements {
            guard let name = Self.name(of: toggle) else { continue }
            let since = toggle[Self.absence]?.text.flatMap { FlagTimestamp(rfc3339: $0.string) }
            // If several responses lack the toggle, the earliest time is used.
            let knownSince = absences[name] ?? nil
            absences[name] = .some([knownSince, since].compactMap { $0 }.min())
        }
    }

    /// The member with the time since when a toggle is missing. Only cached responses have this member.
    private static let absence = "absentSince"

    private static func name(of toggle: JSONValue) -> FlagText? {
        toggle["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Appends the known toggles that are missing from a response, as off.
    ///
    /// - Parameter names: the names of all toggles; `nil` if they are not known.
    mutating func completing(
        _ body: [UInt8], names: [FlagText]? = nil, at now: FlagTimestamp
    ) throws(DocumentError) -> [UInt8] {
        let toggles = try UnleashResponse.toggles(of: body)
        let present = Set(toggles.elements.compactMap { Self.name(of: $0) })
        if let names {
            absences = Dictionary(names.map { ($0, absences[$0] ?? nil) }) { first, _ in first }
                .filter { !present.contains($0.key) }
        } else {
            absences = absences.filter { name, since in
                !present.contains(name) && since.map { now.seconds - $0.seconds <= CacheEviction.life } ?? true
            }
        }
        absences = absences.mapValues { $0 ?? now }
        let absent = absences.sorted { $0.key < $1.key }
        for name in present { absences[name] = .some(nil) }
        guard !absent.isEmpty else { return body }
        let all =
            toggles.elements.compactMap { $0.flagText.map { JSONOutput.raw($0.string) } }
            + absent.map { name, since in
                .object([
                    ("name", .string(name.string)), ("enabled", .bool(false)),
                    (Self.absence, .string((since ?? now).rfc3339)),
                ])
            }
        return Array(JSONOutput.object([("toggles", .array(all))]).text(indented: false).utf8)
    }
}
