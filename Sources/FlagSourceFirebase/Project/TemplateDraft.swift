public import FlagModel

/// A template with changes that nobody has published yet. What is not changed keeps its bytes, known here or not.
public struct TemplateDraft: Sendable {
    /// Why a change cannot be made.
    public enum Objection: Error, Hashable, Sendable, CustomStringConvertible {
        /// The template has no such parameter.
        case unknownParameter(FlagText)
        /// The template has no such condition.
        case unknownCondition(FlagText)
        /// The service named no state that the template was read in.
        case unknownState

        /// The objection as a sentence.
        public var description: String {
            switch self {
            case .unknownParameter(let key):
                "The template has no parameter \(key.quoted). Make it in Firebase's console first."
            case .unknownCondition(let name):
                "The template has no condition \(name.quoted). Make it in Firebase's console first."
            case .unknownState:
                "Firebase did not say which state of the template this is. Fetch it again, then publish."
            }
        }
    }

    /// One change.
    public struct Change: Sendable, Hashable {
        /// The parameter.
        public let key: FlagText
        /// The condition; `nil` for the default value.
        public let condition: FlagText?
        /// What the template says now.
        public let old: ParameterValue
        /// The text that it will say.
        public let new: FlagText

        /// A change.
        public init(key: FlagText, condition: FlagText?, old: ParameterValue, new: FlagText) {
            (self.key, self.condition, self.old, self.new) = (key, condition, old, new)
        }
    }

    /// The template's text with the changes.
    public private(set) var bytes: [UInt8]
    /// The state that the changes were made in.
    public let etag: String
    /// The changes, in order.
    public private(set) var changes: [Change] = []

    /// Begins with what the service has.
    ///
    /// - Parameter details: what the list of versions will say about it.
    public init(_ answer: TemplateAnswer, details: String? = nil) throws(Objection) {
        guard let etag = answer.etag, !answer.isTrial else { throw .unknownState }
        self.etag = etag
        let document = try? JSONDocument(parsing: answer.bytes)
        var members = (document?.root.members).map { Array($0) } ?? []
        members.removeAll { ["version", "etag"].contains($0.key.string) }
        // Of the version only the description can be said; the service fills in the rest.
        var output = members.map { ($0.key.string, JSONOutput.raw($0.value.source)) }
        if let details { output.append(("version", .object([("description", .string(details))]))) }
        bytes = Array(JSONOutput.object(output).text(indented: false).utf8)
    }

    /// Gives a parameter a text.
    ///
    /// - Parameter condition: the condition that it holds under; `nil` for the default value.
    /// - Throws: that the template has no such parameter or condition; the draft is then as it was.
    public mutating func set(_ key: FlagText, to text: FlagText, under condition: FlagText? = nil) throws(Objection) {
        guard let document = try? JSONDocument(parsing: bytes), let template = try? FirebaseTemplate(document),
            let parameter = template.parameters.first(where: { $0.key == key })
        else { throw .unknownParameter(key) }
        if let condition, !template.conditionNames.contains(condition) { throw .unknownCondition(condition) }
        let value = JSONOutput.object([("value", .string(text.string))])
        var place: [FlagText] = parameter.group.map { ["parameterGroups", $0] } ?? []
        place += ["parameters", key]
        place += condition.map { ["conditionalValues", $0] } ?? ["defaultValue"]
        let old = condition.map { name in
            parameter.conditionalValues.first { $0.condition == name }?.value ?? .absent
        }
        bytes = Array(document.root.replacing(place[...], by: value).text(indented: false).utf8)
        changes.append(Change(key: key, condition: condition, old: old ?? parameter.defaultValue, new: text))
    }
}

extension JSONValue {
    /// The value with another one at the end of a path of keys; objects on the way are made where they are missing.
    fileprivate func replacing(_ path: ArraySlice<FlagText>, by new: JSONOutput) -> JSONOutput {
        guard let key = path.first else { return new }
        var members = members.map { member in
            let value =
                member.key == key ? member.value.replacing(path.dropFirst(), by: new) : .raw(member.value.source)
            return (member.key.string, value)
        }
        if self[key.string] == nil {
            members.append((key.string, path.dropFirst().reversed().reduce(new) { .object([($1.string, $0)]) }))
        }
        return .object(members)
    }
}
