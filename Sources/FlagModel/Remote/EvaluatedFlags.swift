/// The flags that a service has evaluated, gathered one by one from an answer in the service's own form.
///
/// What cannot be taken is left out with a sentence; the rest is in use.
public struct EvaluatedFlags: Sendable {
    /// More than this many sentences tell nobody anything new.
    private static let problemLimit = 100

    private(set) var values = ValueTable()
    private(set) var types: [FlagText: FlagType] = [:]
    private(set) var notes: [FlagText: FlagText] = [:]
    private(set) var chains: [FlagText: [FlagText]] = [:]
    /// The conditions that values depend on, in the order in which they decide.
    public var conditions: [RemoteCondition] = []
    /// Whether the values depend on a context; `nil` where that is for others to say.
    public var takesContext: Bool?
    /// What categories are about, by their names, where somebody has said so.
    package var categoryDetails: [FlagText: FlagText] = [:]
    private(set) var catalogText: FlagText?
    private var listed: [DocumentProblem] = []
    private var omitted = 0
    private var sections: [(name: FlagText, items: [FlagItem])] = []
    private var places: [FlagText: Int] = [:]
    private var known: Set<FlagText> = []

    /// No flags yet.
    public init() {}

    /// No flags yet, of a document that was not read completely.
    package init(problems: [DocumentProblem]) { listed = problems }

    /// Adds a flag.
    ///
    /// - Parameters:
    ///   - item: what it is: key, type, options, and what it does.
    ///   - value: its value; `nil` where the service leaves that to the app, so that this layer has none.
    ///   - note: why it has that value, in a few words such as `variant B, TARGETING_MATCH`.
    ///   - conditions: the names of those of ``conditions`` that it has values for, in the order in which they are asked.
    ///   - category: where a menu lists it; services without categories use one name for all.
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

    /// Notes that something could not be taken, and why.
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
    /// Whether whoever wants only keys with a prefix wants this one: the catalog belongs to all of them.
    package func isMeant(byPrefix prefix: String) -> Bool {
        string.hasPrefix(prefix) || string == RemoteDocument.catalogKey
    }
}
