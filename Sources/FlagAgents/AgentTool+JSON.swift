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
        for (name, value) in arguments?.members.map({ $0 }) ?? [] {
            guard let parameter = parameters.first(where: { $0.name == name.string }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                return "\(name.quoted) is not an argument of \(rawValue). "
                    + (names.isEmpty ? "It has none." : "It has: \(names).")
            }
            guard parameter.kind.accepts(value) else {
                return "\"\(parameter.name)\" must be \(parameter.kind.words)."
            }
        }
        let missing = parameters.first { $0.isRequired && arguments?[$0.name] == nil }
        return missing.map { "\(rawValue) needs \"\($0.name)\": \($0.about)" }
    }
}
