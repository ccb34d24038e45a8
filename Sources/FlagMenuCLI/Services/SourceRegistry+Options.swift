import FlagModel
import FlagRemote

// An entry of `source` in `flagmenu.json` that is an object: its allowed members.
extension SourceRegistry {
    /// All members of all kinds, without duplicates.
    var options: [SourceOption] {
        let own = [Self.source] + SourceOption.common
        let members = kinds.flatMap { kind in kind.options.flatMap(\.members).map { (kind.scheme, $0) } }
        var known = Set(own.map(\.name))
        return own
            + members.filter { known.insert($0.1.name).inserted }.map { _, member in
                let meanings = members.filter { $0.1.name == member.name }
                return SourceOption(member.name, member.form, Self.help(meanings.map { ($0.0, $0.1.help) }))
            }
    }

    private static let source = SourceOption(
        "source", .text, "The service, such as ofrep:https://flags.example.com, the URL of a document, or a file.")

    /// The help of a member; if it differs by kind, each text after the names of its kinds.
    private static func help(_ meanings: [(scheme: String, help: String)]) -> String {
        guard let first = meanings.first, meanings.contains(where: { $0.help != first.help }) else {
            return meanings.first?.help ?? ""
        }
        var said: Set<String> = []
        return meanings.filter { said.insert($0.help).inserted }.map { meaning in
            let schemes = meanings.filter { $0.help == meaning.help }.map(\.scheme)
            return "\(schemes.joined(separator: ", ")): \(meaning.help)"
        }.joined(separator: " ")
    }

    /// The error of an entry, as a sentence with its place; `nil` if there is none.
    func error(in entry: JSONValue) -> String? {
        let options = options
        for (key, value) in entry.members {
            guard let option = options.first(where: { $0.name == key.string }) else {
                return "\(JSONError(at: value, unknown(key.string)))"
            }
            guard option.form.accepts(value) else {
                return "\(JSONError(at: value, "\"\(option.name)\" must be \(option.form.words)."))"
            }
        }
        return nil
    }

    /// The error that there is no option with a name.
    func unknown(_ key: String) -> String {
        let quoted = JSONOutput.quoted(key, limit: 60)
        if kinds.contains(where: { $0.credentials.contains { $0.name == key } }) {
            return "\(quoted) does not belong in a file that others read; name a variable with \"\(key)Variable\" "
                + "or a file with \"\(key)File\"."
        }
        return "\(quoted) is not a setting of a source.\(NearestKeys.question(about: key, among: options.map(\.name)))"
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
