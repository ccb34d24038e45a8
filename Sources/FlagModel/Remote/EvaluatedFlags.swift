/// The flags that a service has evaluated, collected from a response in the service's own format.
///
/// Invalid flags are left out, each with an issue.
public struct EvaluatedFlags: Sendable {
    private(set) var values = ValueTable()
    private(set) var notes: [FlagText: FlagText] = [:]
    /// The names of the conditions that a flag has values for, in order of evaluation.
    private(set) var chains: [FlagText: [FlagText]] = [:]
    /// All conditions of the response, in order of precedence.
    public var conditions: [RemoteCondition] = []
    /// Whether the values depend on an evaluation context; `nil` if unknown.
    public var dependsOnContext: Bool?
    private(set) var catalogText: FlagText?
    private(set) var log = IssueLog()
    private(set) var sections = CatalogSections()
    private var keys: Set<FlagText> = []

    /// Creates an empty collection of flags.
    public init() {}

    /// Creates an empty collection of flags, with issues from reading their document, and descriptions by category name.
    package init(issues: [DocumentIssue], categoryDetails: [FlagText: FlagText]) {
        log = IssueLog(issues: issues)
        sections.details = categoryDetails
    }

    /// Adds a part of another flag, such as `demo.payload` beside `demo`. If the service has a flag with that key, the
    /// service's flag is used, and the part is left out with a warning.
    ///
    /// - Parameters:
    ///   - item: the part's key, type and options.
    ///   - value: the part's value.
    ///   - note: why the part has that value.
    ///   - category: the category in the menu; the default is for a service without categories.
    ///   - what: the part in words, such as `payload`.
    ///   - names: the keys of all flags of the service.
    public mutating func add(
        part item: FlagItem, value: FlagText, note: FlagText? = nil, category: FlagText = "Flags", called what: String,
        besides names: Set<FlagText>
    ) {
        guard !names.contains(item.key) else {
            return warn("\(item.key.quoted) is a flag of its own, which is used; the \(what) was left out")
        }
        add(item, value: value, note: note, category: category)
    }

    /// Adds a flag.
    ///
    /// - Parameters:
    ///   - item: the flag's key, type, options, and description.
    ///   - value: the flag's value; `nil` if the service leaves it to the app, so that the flag has no remote value.
    ///   - note: why the flag has that value, in a few words such as `variant B, TARGETING_MATCH`.
    ///   - conditions: the names of the conditions that the flag has values for, in order of evaluation.
    ///   - category: the flag's category in the menu; the default is for a service without categories.
    public mutating func add(
        _ item: FlagItem, value: FlagText?, note: FlagText? = nil, conditions: [FlagText] = [],
        category: FlagText = "Flags"
    ) {
        if item.key == RemoteDocument.catalogText {
            catalogText = value
            return
        }
        guard keys.insert(item.key).inserted else {
            return warn("duplicate flag \(item.key.quoted); the first is used")
        }
        if let value { values[item.key] = value }
        if let type = item.declaredType { values.types[item.key] = type }
        if item.declaredType == .double, let text = value?.string, FlagReading.isOutOfRange(text) {
            warn(item.key.sentence(onOutOfRange: text))
        }
        if let note, !note.isEmpty { notes[item.key] = note }
        if !conditions.isEmpty { chains[item.key] = conditions }
        sections.add(CollectionOfOne(item), to: category)
    }

    /// Records an issue; `sentence` says what was left out, and why.
    public mutating func warn(_ sentence: String) { log.add(sentence) }
}

extension FlagText {
    /// The warning about the value of this key, a number beyond the range of a double.
    func sentence(onOutOfRange number: String) -> String {
        "\(quoted) has no value: \(JSONOutput.quoted(number, limit: 60)) is out of the range of a double"
    }

    /// Whether a filter for keys with a prefix includes this key; the catalog's key is always included.
    package func isMeant(byPrefix prefix: String) -> Bool {
        string.hasPrefix(prefix) || string == RemoteDocument.catalogKey
    }
}
