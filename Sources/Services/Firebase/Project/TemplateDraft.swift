import FlagFormats
package import FlagModel

/// A template with unpublished changes. Unchanged parts keep their bytes, even parts that this library does not know.
package struct TemplateDraft: Sendable {
    /// Why a change cannot be made.
    package enum DraftError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The template has no such parameter.
        case unknownParameter(FlagText)
        /// The template has no such condition.
        case unknownCondition(FlagText)
        /// The service sent no ETag for the template.
        case unknownState

        /// The error as a sentence.
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
    /// The ETag of the current template.
    package let etag: String
    /// The text of the current template, before the changes.
    private let base: [UInt8]

    /// A draft from the current template, or from another one that replaces it.
    ///
    /// - Parameters:
    ///   - template: the current template.
    ///   - other: the text of the template that replaces it, such as an old version; `nil` for no replacement.
    ///   - details: the description of the new version.
    package init(
        _ template: TemplateResponse, replacedBy other: [UInt8]? = nil, details: String? = nil
    ) throws(DraftError) {
        guard let etag = template.etag else { throw .unknownState }
        self.etag = etag
        base = template.bytes
        let document = try? JSONDocument(parsing: other ?? template.bytes)
        var members = (document?.root.members).map { Array($0) } ?? []
        members.removeAll { ["version", "etag"].contains($0.key.string) }
        // Only the description of a version can be set; the service fills in the rest.
        var output = members.map { ($0.key.string, JSONOutput.raw($0.value.source)) }
        if let details { output.append(("version", .object([("description", .string(details))]))) }
        bytes = Array(JSONOutput.object(output).text(indented: false).utf8)
    }

    /// The differences of the draft from the current template.
    ///
    /// - Throws: an error if the draft or the current template is not a template.
    package func differences() throws(DocumentError) -> [TemplateDifference] {
        try TemplateDifference.between(base, bytes)
    }

    /// Sets the value of a parameter to a text. This replaces even a rollout or another value that Firebase evaluates;
    /// ``differences()`` shows such a replacement. A value that already has the text keeps its bytes.
    ///
    /// - Parameter condition: the condition of the value; `nil` for the default value.
    /// - Throws: an error if the template has no such parameter or condition; the draft is then unchanged.
    package mutating func set(_ key: FlagText, to text: FlagText, under condition: FlagText? = nil) throws(DraftError) {
        guard let document = try? JSONDocument(parsing: bytes), let template = try? FirebaseTemplate(document),
            let parameter = template.parameters.first(where: { $0.key == key })
        else { throw .unknownParameter(key) }
        if let condition, !template.conditionNames.contains(condition) { throw .unknownCondition(condition) }
        guard parameter.value(under: condition).text != text else { return }
        let value = JSONOutput.object([("value", .string(text.string))])
        var path: [FlagText] = parameter.group.map { ["parameterGroups", $0] } ?? []
        path += ["parameters", key]
        path += condition.map { ["conditionalValues", $0] } ?? ["defaultValue"]
        bytes = Array(document.root.replacing(path[...], by: value).text(indented: false).utf8)
    }
}

extension JSONValue {
    /// A copy with a new value at a path of keys; missing objects in the path are created.
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
