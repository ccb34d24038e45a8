/// The flags that a service has evaluated, collected from a response in the service's own format.
///
/// Invalid flags are left out with a sentence; the rest is in use.
public struct EvaluatedFlags: Sendable {
    /// More sentences than this are of no use.
    private static let problemLimit = 100

    private(set) var values = ValueTable()
    private(set) var types: [FlagText: FlagType] = [:]
    private(set) var notes: [FlagText: FlagText] = [:]
    private(set) var chains: [FlagText: [FlagText]] = [:]
    /// The conditions of values, in order of precedence.
    public var conditions: [RemoteCondition] = []
    /// Whether the values depend on a context; `nil` if that is not known here.
    public var takesContext: Bool?
    /// The descriptions of categories, by name, if they have any.
    package var categoryDetails: [FlagText: FlagText] = [:]
    private(set) var catalogText: FlagText?
    private var listed: [DocumentProblem] = []
    private var omitted = 0
    private var sections: [(name: FlagText, items: [FlagItem])] = []
    private var places: [FlagText: Int] = [:]
    private var known: Set<FlagText> = []

    /// No flags yet.
    public init() {}

    /// No flags yet, of a document that was not completely read.
    package init(problems: [DocumentProblem]) { listed = problems }

    /// Adds a flag.
    ///
    /// - Parameters:
    ///   - item: its key, type, options, and description.
    ///   - value: its value; `nil` if the service leaves it to the app, so that this layer has none.
    ///   - note: why it has that value, in a few words such as `variant B, TARGETING_MATCH`.
    ///   - conditions: the names of those of ``conditions`` that it has values for, in order of evaluation.
    ///   - category: its category in a menu; services without categories use one name for all.
    public mutating func add(
        _ item: FlagItem, value: FlagText?, note: FlagText? = nil, conditions: [FlagText] = [], category: FlagText
    ) {
        if item.key.isWord(RemoteDocument.catalogWord) {
            catalogText = value
            return
        }
        guard known.insert(item.key).inserted else {
            return leaveOut("duplicate flag \(item.key.quoted); the first is used")
        }
        if let value { values.append(value, for: item.key, hash: item.key.keyHash) }
        if let type = item.declaredType { types[item.key] = type }
        if let note, !note.isEmpty { notes[item.key] = note }
        if !conditions.isEmpty { chains[item.key] = conditions }
        let place = places[category] ?? sections.count
        if place == sections.count {
            places[category] = place
            sections.append((category, []))
        }
        sections[place].items.append(item)
    }

    /// Records that something was left out, and why.
    public mutating func leaveOut(_ sentence: String) {
        guard listed.count < Self.problemLimit else {
            omitted += 1
            return
        }
        listed.append(DocumentProblem(sentence: sentence))
    }

    var problems: [DocumentProblem] {
        guard omitted > 0 else { return listed }
        let words = omitted.counted("more warning of this kind is", "more warnings of this kind are")
        return listed + [DocumentProblem(sentence: "\(words) not listed")]
    }

    var described: Catalog {
        var catalog = Catalog()
        for (name, items) in sections {
            catalog.beginCategory(name, details: categoryDetails[name])
            for item in items { catalog.append(item) }
        }
        return catalog
    }
}

extension FlagText {
    /// Whether a prefix filter includes this key: the catalog is always included.
    package func isMeant(byPrefix prefix: String) -> Bool {
        string.hasPrefix(prefix) || string == RemoteDocument.catalogKey
    }
}
