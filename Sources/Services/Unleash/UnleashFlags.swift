import FlagModel
import FlagRemote

/// Decodes the toggles of a response.
///
/// A toggle `demo` becomes a flag `demo`. The name of the variant that the service has chosen becomes a flag
/// `demo.variant`, and the variant's payload a flag `demo.payload` with the type that the service names.
enum UnleashFlags {
    /// The document of a response.
    ///
    /// - Parameters:
    ///   - prefix: the prefix of the names to read.
    ///   - warning: a warning about the requests, which is added to the document.
    /// - Returns: the document; a single unusable toggle is left out with a warning.
    static func document(_ toggles: JSONValue, keyPrefix prefix: String, warning: String?) -> RemoteDocument {
        let names = Set(toggles.elements.compactMap { $0["name"]?.text })
        var flags = EvaluatedFlags()
        if let warning { flags.warn(warning) }
        for (index, toggle) in toggles.elements.enumerated() {
            guard let name = toggle["name"]?.text, !name.isEmpty else {
                flags.warn("toggle \(index + 1) of the response has no string \"name\" and was left out")
                continue
            }
            // For a toggle without a variant, the service sends a variant `disabled` that is not enabled.
            let variant = toggle["variant"].flatMap { $0["enabled"]?.bool == true ? $0 : nil }
            if name.string == RemoteDocument.catalogKey {
                // The payload of this toggle is the catalog; whether the toggle is on does not matter.
                guard let payload = variant?["payload"]?["value"]?.text else { continue }
                flags.add(FlagItem(key: name), value: payload)
            } else if name.string.hasPrefix(prefix) {
                add(toggle, name, variant, besides: names, to: &flags)
            }
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ toggle: JSONValue, _ name: FlagText, _ variant: JSONValue?, besides names: Set<FlagText>,
        to flags: inout EvaluatedFlags
    ) {
        guard let isOn = toggle["enabled"]?.bool else {
            return flags.warn("the toggle \(name.quoted) was left out: its \"enabled\" is not true or false")
        }
        let variantName = variant?["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        flags.add(
            FlagItem(key: name, options: FlagOption.booleans, declaredType: .bool), value: isOn ? "true" : "false",
            note: isOn ? variantName.map { FlagText("variant \($0.string)") } : "not among the toggles that are on")
        guard let variantName else { return }
        func addPart(_ end: String, _ type: FlagType, _ value: FlagText, _ note: FlagText? = nil) {
            flags.add(
                part: FlagItem(key: FlagText("\(name.string).\(end)"), declaredType: type), value: value, note: note,
                called: "variant's value", besides: names)
        }
        addPart("variant", .string, variantName)
        guard let payload = variant?["payload"], let value = payload["value"]?.text else { return }
        addPart(
            "payload", type(payload["type"]?.text?.string, of: value.string), value,
            FlagText("payload of variant \(variantName.string)"))
    }

    /// The type with the name that the service sends, if the text is valid for this type; else `string`. The payload is
    /// a text even if its type is a number or JSON.
    private static func type(_ word: String?, of text: String) -> FlagType {
        let types: [String: [FlagType]] = ["json": [.json], "number": [.int, .double]]
        return types[word ?? "string"]?.first { $0.accepts(text) } ?? .string
    }
}

/// A response of the front-end API. It lists only toggles that are on.
enum UnleashResponse {
    /// The names of all toggles in a response to a backend token.
    static func names(of body: [UInt8]) throws(DocumentError) -> [FlagText] {
        let features = try list(
            "features", in: JSONDocument(document: body).root,
            "the response to the backend token has no list \"features\"")
        return features.elements.compactMap { $0["name"]?.text }.filter { !$0.isEmpty }
    }

    /// The list of toggles in a response.
    static func toggles(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        try toggles(in: JSONDocument(document: body).root)
    }

    static func toggles(in root: JSONValue) throws(DocumentError) -> JSONValue {
        try list(
            "toggles", in: root,
            "the response has no list \"toggles\"; is this the URL of an Unleash server with its front-end API?")
    }

    private static func list(
        _ name: String, in root: JSONValue, _ sentence: String
    ) throws(DocumentError) -> JSONValue {
        guard let list = root[name], list.kind == .array else {
            throw .unknownShape(sentence)
        }
        return list
    }
}

/// The state of a source in a run: the known toggles, those in the cache, and those that were on at some time.
///
/// The service sends only toggles that are on, and its own clients treat missing toggles as off. Therefore a known
/// toggle that is missing from a response stays in the list, with the value `false`. A toggle that has been missing for
/// longer than ``CacheEviction/life`` counts as deleted and is forgotten.
struct ToggleMemory {
    private var known: Set<FlagText> = []
    /// Since when a known toggle is missing.
    private var absentSince: [FlagText: FlagTimestamp] = [:]
    /// The names of all toggles; `nil` if they were never read with a backend token.
    var allNames: [FlagText]?
    /// The ETag of ``allNames``.
    var namesVersion: String?
    /// Why the names could not be read the last time; `nil` if they were read.
    var warning: String?
    /// The member of a completed response with the warning, so that responses that differ only in it are different.
    static let warningName = "flagmenuWarning"

    /// Records the toggles of a response, which may be a cached one: the service may respond 304 for a long time after
    /// a start.
    mutating func learn(_ toggles: JSONValue) {
        for toggle in toggles.elements {
            guard let name = Self.name(of: toggle) else { continue }
            known.insert(name)
            guard let since = toggle.timestamp(Self.absence) else { continue }
            // If several responses lack the toggle, the earliest time is used.
            absentSince[name] = min(absentSince[name] ?? since, since)
        }
    }

    /// The member with the time since when a toggle is missing. Only cached responses have this member.
    private static let absence = "absentSince"

    private static func name(of toggle: JSONValue) -> FlagText? {
        toggle["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Appends the known toggles that are missing from a response, as off.
    mutating func completing(_ body: [UInt8], at now: FlagTimestamp) throws(DocumentError) -> [UInt8] {
        let toggles = try UnleashResponse.toggles(of: body)
        let present = Set(toggles.elements.compactMap { Self.name(of: $0) })
        let absentNames = (allNames.map { Set($0) } ?? known).subtracting(present)
        var absent = Dictionary(uniqueKeysWithValues: absentNames.map { ($0, absentSince[$0] ?? now) })
        if allNames == nil { absent = absent.filter { now.seconds - $0.value.seconds <= CacheEviction.life } }
        (absentSince, known) = (absent, present.union(absent.keys))
        guard !absent.isEmpty || warning != nil else { return body }
        let all =
            toggles.elements.compactMap { $0.flagText.map { JSONOutput.raw($0.string) } }
            + absent.sorted { $0.key < $1.key }.map { name, since in
                .object([
                    ("name", .string(name.string)), ("enabled", .bool(false)), (Self.absence, .string(since.rfc3339)),
                ])
            }
        let members = [("toggles", JSONOutput.array(all))] + (warning.map { [(Self.warningName, .string($0))] } ?? [])
        return JSONOutput.object(members).bytes
    }
}
