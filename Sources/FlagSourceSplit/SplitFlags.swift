public import FlagModel

/// Decodes the treatments of a response.
///
/// A flag `demo` has its treatment as its value: `on` and `off`, Split's words for true and false, are a bool, and all
/// others are texts. A configuration is a flag `demo.config` of its own.
public enum SplitFlags {
    /// The document of a response, with a category for each traffic type.
    ///
    /// - Parameters:
    ///   - trafficType: the traffic type of the flags if the response is for one key, which does not name it; `nil` for a
    ///     response for all flags, which does.
    ///   - prefix: the prefix that names must have.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a sentence.
    public static func document(
        _ bytes: [UInt8], trafficType: String? = nil, keyPrefix prefix: String = ""
    ) throws(DocumentError) -> RemoteDocument {
        let root = try JSONDocument(document: bytes).root
        let groups = trafficType.map { [(key: FlagText($0), value: root)] } ?? Array(root.members)
        let isMeant = groups.allSatisfy { _, group in
            group.kind == .object && group.members.allSatisfy { $0.value["treatment"]?.text != nil }
        }
        guard root.kind == .object, isMeant else {
            throw .unknownShape("the response has no treatments; is this the URL of a Split evaluator?")
        }
        let names = groups.flatMap { $0.value.members.map(\.key) }
        var reading = SplitReading(prefix: prefix, names: Set(names))
        for group in groups {
            for (name, entry) in group.value.members { reading.add(name, entry, of: group.key) }
        }
        // The treatment of unknown names is "control"; so are all, while the evaluator has no flags itself.
        guard !reading.isUnderControl else {
            throw .unknownShape(
                "the evaluator returns \"control\" for every flag: it has no flags yet, or none of these; check its log"
            )
        }
        return RemoteDocument(reading.flags)
    }
}

/// Collects the flags of a response.
private struct SplitReading {
    let prefix: String
    let names: Set<FlagText>
    var flags = EvaluatedFlags()
    var known = 0
    var unknown = 0

    /// Whether the response has flags, and the evaluator knows none of them.
    var isUnderControl: Bool { unknown > 0 && known == 0 }

    mutating func add(_ name: FlagText, _ entry: JSONValue, of trafficType: FlagText) {
        guard let treatment = entry["treatment"]?.text, treatment != "control" else {
            unknown += 1
            let quoted = JSONOutput.quoted(name.string, limit: 60)
            return flags.leaveOut("the flag \(quoted) was left out: the evaluator has no such flag (\"control\")")
        }
        known += 1
        let config = entry["config"]?.text
        if name.string == RemoteDocument.catalogKey {
            // The configuration of such a flag is the catalog; its treatment does not matter.
            if let config { flags.add(FlagItem(key: name), value: config, category: trafficType) }
            return
        }
        guard name.string.hasPrefix(prefix) else { return }
        let isBool = treatment == "on" || treatment == "off"
        let sides = ["on", "off"].map { FlagOption(value: $0) }
        flags.add(
            FlagItem(key: name, options: isBool ? sides : [], declaredType: isBool ? .bool : .string),
            value: treatment, note: FlagText("treatment \(treatment.string)"), category: trafficType)
        guard let config else { return }
        let key = FlagText("\(name.string).config")
        guard !names.contains(key) else {
            let quoted = JSONOutput.quoted(key.string, limit: 60)
            return flags.leaveOut("\(quoted) is a flag of its own, which is used; the configuration was left out")
        }
        flags.add(
            FlagItem(key: key, declaredType: .inferred(from: [], value: config.string)), value: config,
            note: FlagText("configuration of treatment \(treatment.string)"), category: trafficType)
    }
}
