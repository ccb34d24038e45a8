package import FlagModel
import FlagRemote

// The members of a source that is an object in `flagmenu.json`.
extension SourceRegistry {
    /// The members of all kinds; members with the same name are merged.
    var options: [SourceOption] {
        let common = [Self.source] + SourceOption.common
        let members = kinds.flatMap { kind in kind.options.flatMap(\.members).map { (kind.scheme, $0) } }
        var seenNames = Set(common.map(\.name))
        return common
            + members.filter { seenNames.insert($0.1.name).inserted }.map { _, member in
                let sameNamed = members.filter { $0.1.name == member.name }
                return SourceOption(member.name, member.form, Self.help(sameNamed.map { ($0.0, $0.1.help) }))
            }
    }

    private static let source = SourceOption(
        "source", .text, "The service, such as ofrep:https://flags.example.com, the URL of a document, or a file.")

    /// The help of a member. If the kinds have different texts, each text follows the names of its kinds.
    private static func help(_ texts: [(scheme: String, help: String)]) -> String {
        guard let first = texts.first, texts.contains(where: { $0.help != first.help }) else {
            return texts.first?.help ?? ""
        }
        var printed: Set<String> = []
        return texts.filter { printed.insert($0.help).inserted }.map { text in
            let schemes = texts.filter { $0.help == text.help }.map(\.scheme)
            return "\(schemes.joined(separator: ", ")): \(text.help)"
        }.joined(separator: " ")
    }

    /// The first error in an entry, as a sentence with the place in the file; `nil` if the entry is valid.
    package func error(in entry: JSONValue) -> String? {
        let options = options
        for (key, value) in entry.members {
            guard let option = options.first(where: { $0.name == key.string }) else {
                return "\(JSONError(at: value, unknownOptionError(key.string)))"
            }
            guard option.form.accepts(value) else {
                return "\(JSONError(at: value, "\"\(option.name)\" must be \(option.form.summary)."))"
            }
        }
        return nil
    }

    /// The error that no option is called `key`, as a sentence.
    func unknownOptionError(_ key: String) -> String {
        let quoted = JSONOutput.quoted(key, limit: 60)
        if kinds.contains(where: { $0.credentials.contains { $0.name == key } }) {
            return "\(quoted) does not belong in a file that others read; name a variable with \"\(key)Variable\" "
                + "or a file with \"\(key)File\"."
        }
        return
            "\(quoted) is not a setting of a source.\(NearestKeys.suggestion(about: key, among: options.map(\.name)))"
    }

    /// The schema of an entry.
    var schema: JSONOutput {
        let properties = options.map { option in
            (option.name, JSONOutput.object([("description", .string(option.help))] + option.form.schema))
        }
        return .object([
            (
                "anyOf",
                .array([
                    .object([("type", .string("string"))]),
                    .object([
                        ("type", .string("object")), ("required", .array([.string(Self.source.name)])),
                        ("properties", .object(properties)), ("additionalProperties", .bool(false)),
                    ]),
                ])
            )
        ])
    }
}
