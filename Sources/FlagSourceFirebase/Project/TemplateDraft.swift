import FlagFormats
package import FlagModel

/// A template with changes that nobody has published yet. What is not changed keeps its bytes, known here or not.
package struct TemplateDraft: Sendable {
    /// Why a change cannot be made.
    package enum Objection: Error, Hashable, Sendable, CustomStringConvertible {
        /// The template has no such parameter.
        case unknownParameter(FlagText)
        /// The template has no such condition.
        case unknownCondition(FlagText)
        /// The service named no state that the template was read in.
        case unknownState

        /// The objection as a sentence.
        package var description: String {
            switch self {
            case .unknownParameter(let key):
                "The template has no parameter \(key.quoted). Create it in the Firebase console first."
            case .unknownCondition(let name):
                "The template has no condition \(name.quoted). Create it in the Firebase console first."
            case .unknownState:
                "Firebase sent no ETag for the template. Fetch it again, then publish."
            }
        }
    }

    /// The template's text with the changes.
    package private(set) var bytes: [UInt8]
    /// The state that the changes were made in.
    package let etag: String
    /// What the template that the changes were made in says.
    private let base: [UInt8]

    /// Begins with what the service has, or with what an old version says, to be published in its place.
    ///
    /// - Parameters:
    ///   - answer: what the service has.
    ///   - old: the old version; `nil` for none.
    ///   - details: what the list of versions will say about it.
    package init(
        _ answer: TemplateAnswer, bringingBack old: TemplateAnswer? = nil, details: String? = nil
    ) throws(Objection) {
        guard let etag = answer.etag, !answer.isTrial else { throw .unknownState }
        self.etag = etag
        base = answer.bytes
        let document = try? JSONDocument(parsing: (old ?? answer).bytes)
        var members = (document?.root.members).map { Array($0) } ?? []
        members.removeAll { ["version", "etag"].contains($0.key.string) }
        // Of the version only the description can be said; the service fills in the rest.
        var output = members.map { ($0.key.string, JSONOutput.raw($0.value.source)) }
        if let details { output.append(("version", .object([("description", .string(details))]))) }
        bytes = Array(JSONOutput.object(output).text(indented: false).utf8)
    }

    /// What the draft says otherwise than the template that the service has.
    ///
    /// - Throws: that one of them is no template.
    package func differences() throws(DocumentError) -> [TemplateDifference] {
        try TemplateDifference.between(base, bytes)
    }

    /// Gives a parameter a text, in the place of whatever it has there: ``differences()`` tell where that is a rollout or
    /// the like. A place that has the text already keeps its bytes.
    ///
    /// - Parameter condition: the condition that it holds under; `nil` for the default value.
    /// - Throws: that the template has no such parameter or condition; the draft is then as it was.
    package mutating func set(_ key: FlagText, to text: FlagText, under condition: FlagText? = nil) throws(Objection) {
        guard let document = try? JSONDocument(parsing: bytes), let template = try? FirebaseTemplate(document),
            let parameter = template.parameters.first(where: { $0.key == key })
        else { throw .unknownParameter(key) }
        if let condition, !template.conditionNames.contains(condition) { throw .unknownCondition(condition) }
        let old =
            condition.map { name in parameter.conditionalValues.first { $0.condition == name }?.value ?? .absent }
            ?? parameter.defaultValue
        guard old.text != text else { return }
        let value = JSONOutput.object([("value", .string(text.string))])
        var place: [FlagText] = parameter.group.map { ["parameterGroups", $0] } ?? []
        place += ["parameters", key]
        place += condition.map { ["conditionalValues", $0] } ?? ["defaultValue"]
        bytes = Array(document.root.replacing(place[...], by: value).text(indented: false).utf8)
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
