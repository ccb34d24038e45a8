public import FlagModel

/// Decodes the treatments of a response.
///
/// The value of a flag `demo` is its treatment, a text: a flag can have more treatments than `on` and `off`, and the
/// evaluator sends only the one that applies. Apps can read `on` and `off` as a bool. The configuration of the treatment is a separate flag, `demo.config`.
public enum SplitFlags {
    /// The document of a response, with a category for each traffic type.
    ///
    /// - Parameters:
    ///   - trafficType: the traffic type of the flags, if the response is for one key and therefore does not name it;
    ///     `nil` for a response for all flags.
    ///   - prefix: the prefix of the names to read.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(
        _ bytes: [UInt8], trafficType: String? = nil, keyPrefix prefix: String = ""
    ) throws(DocumentError) -> RemoteDocument {
        let root = try JSONDocument(document: bytes).root
        let groups = trafficType.map { [(key: FlagText($0), value: root)] } ?? Array(root.members)
        let isValid = groups.allSatisfy { _, group in
            group.kind == .object && group.members.allSatisfy { $0.value["treatment"]?.text != nil }
        }
        guard root.kind == .object, isValid else {
            throw .unknownShape("the response has no treatments; is this the URL of a Split evaluator?")
        }
        let names = Set(groups.flatMap { $0.value.members.map(\.key) })
        var flags = EvaluatedFlags()
        var knowsAny = false
        for (trafficType, group) in groups {
            for (name, entry) in group.members {
                if let treatment = entry["treatment"]?.text, treatment != "control" {
                    knowsAny = true
                    guard name.isMeant(byPrefix: prefix) else { continue }
                    add(name, treatment, entry["config"]?.text, of: trafficType, besides: names, to: &flags)
                } else {
                    flags.warn("the flag \(name.quoted) was left out: the evaluator has no such flag (\"control\")")
                }
            }
        }
        // Unknown flags have the treatment "control". If all flags have it, the evaluator has not loaded any flags yet.
        guard knowsAny || names.isEmpty else {
            throw .unknownShape(
                "the evaluator returns \"control\" for every flag: it has no flags yet, or none of these; check its log"
            )
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ name: FlagText, _ treatment: FlagText, _ config: FlagText?, of trafficType: FlagText,
        besides names: Set<FlagText>, to flags: inout EvaluatedFlags
    ) {
        guard name.string != RemoteDocument.catalogKey else {
            // The configuration of this flag is the catalog; the treatment does not matter.
            if let config { flags.add(FlagItem(key: name), value: config, category: trafficType) }
            return
        }
        let isOnOff = treatment == "on" || treatment == "off"
        let booleans = ["on", "off"].map { FlagOption(value: $0) }
        flags.add(
            FlagItem(key: name, options: isOnOff ? booleans : [], declaredType: .string),
            value: treatment, note: FlagText("treatment \(treatment.string)"), category: trafficType)
        guard let config else { return }
        let item = FlagItem(
            key: FlagText("\(name.string).config"), declaredType: .inferred(from: [], value: config.string))
        flags.add(
            part: item, value: config, note: FlagText("configuration of treatment \(treatment.string)"),
            category: trafficType, called: "configuration", besides: names)
    }
}
