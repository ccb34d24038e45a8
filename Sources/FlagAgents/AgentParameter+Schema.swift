import FlagModel

extension AgentTool {
    /// The tool as `tools/list` describes it.
    var json: JSONOutput {
        .object([
            ("name", .string(rawValue)), ("description", .string(about)),
            (
                "inputSchema",
                .object([
                    ("type", .string("object")), ("properties", .object(parameters.map { ($0.name, $0.schema) })),
                    ("required", .array(parameters.filter(\.isRequired).map { .string($0.name) })),
                    ("additionalProperties", .bool(false)),
                ])
            ),
            (
                // An absent hint counts as that of a tool that may do anything.
                "annotations",
                .object([
                    ("readOnlyHint", .bool(!isWriting)), ("destructiveHint", .bool(isWriting && self != .addNote)),
                    ("idempotentHint", .bool(self != .undo)), ("openWorldHint", .bool(false)),
                ])
            ),
        ])
    }

    /// Why the tool cannot be called with some arguments, as a sentence; `nil` if it can.
    ///
    /// - Parameter arguments: an object; `nil` for none.
    func issue(with arguments: JSONValue?) -> String? {
        guard let arguments else { return missing(in: nil) }
        for (name, value) in arguments.members {
            guard let parameter = parameters.first(where: { $0.name == name.string }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                return "\(name.quoted) is not an argument of \(rawValue). "
                    + (names.isEmpty ? "It has none." : "It has: \(names).")
            }
            guard parameter.accepts(value) else { return "\"\(parameter.name)\" must be \(parameter.words)." }
        }
        return missing(in: arguments)
    }

    private func missing(in arguments: JSONValue?) -> String? {
        let first = parameters.first { $0.isRequired && arguments?[$0.name] == nil }
        return first.map { "\(rawValue) needs \"\($0.name)\": \($0.about)" }
    }
}

extension AgentParameter {
    fileprivate var schema: JSONOutput {
        var members: [(String, JSONOutput)] =
            switch kind {
            case .text, .value: [("type", .string("string"))]
            case .bool: [("type", .string("boolean"))]
            case .integer(let range):
                [("type", .string("integer")), ("minimum", .integer(range.lowerBound))]
                    + (range.upperBound == .max ? [] : [("maximum", .integer(range.upperBound))])
            case .texts:
                [("type", .string("array")), ("items", .object([("type", .string("string"))]))]
            }
        members.append(("description", .string(about)))
        return .object(members)
    }

    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch kind {
        case .text: value.text != nil
        case .bool: value.bool != nil
        case .integer(let range): value.wholeNumber.map(range.contains) ?? false
        case .texts: value.kind == .array && value.elements.allSatisfy { $0.text != nil }
        case .value: value.flagText != nil
        }
    }

    fileprivate var words: String {
        switch kind {
        case .text: "a text"
        case .bool: "true or false"
        case .integer(let range):
            "a whole number"
                + (range.upperBound == .max ? "" : " from \(range.lowerBound) to \(range.upperBound)")
        case .texts: "a list of texts"
        case .value: "a text, such as \"true\""
        }
    }
}
