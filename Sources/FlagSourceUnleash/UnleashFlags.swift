public import FlagModel

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
