import FlagModel

/// An entry of `source` in `flagmenu.json` that is an object: which members it may have.
enum SourceMembers {
    private static let name: ServiceKind.Member = (
        "source", .text, "The service, such as ofrep:https://flags.example.com, the URL of a document, or a file."
    )

    /// For whom the flags of a template are evaluated, in a file or from Firebase.
    static let evaluation: [ServiceKind.Member] = [
        (
            "context", .object,
            "For whom flags are evaluated: signals with a randomization_id, or what the service takes."
        ),
        ("conditions", .object, "Conditions decided by hand: an object of names, each true or false."),
    ]

    /// All members of all kinds, each once.
    static let all: [ServiceKind.Member] = {
        let own = [name] + evaluation
        let members = ServiceKind.all.flatMap { kind in kind.allMembers.map { (kind.scheme, $0) } }
        var known = Set(own.map(\.name))
        return own
            + members.filter { known.insert($0.1.name).inserted }.map { _, member in
                let meanings = members.filter { $0.1.name == member.name }
                return (member.name, member.form, help(meanings.map { ($0.0, $0.1.help) }))
            }
    }()

    /// What a member means; where kinds differ in that, each meaning behind the names of its kinds.
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

    /// Why an entry cannot be taken, as a sentence with its place; `nil` when it can.
    static func objection(to entry: JSONValue) -> String? {
        for (key, value) in entry.members {
            guard let member = all.first(where: { $0.name == key.string }) else {
                return "\(JSONError(at: value, unknown(key.string)))"
            }
            if let words = objection(to: value, member.form) {
                return "\(JSONError(at: value, "\"\(member.name)\" must be \(words)."))"
            }
        }
        return nil
    }

    static func unknown(_ key: String) -> String {
        let credentials = ServiceKind.all.flatMap(\.credentials).map(\.name)
        let quoted = JSONOutput.quoted(key, limit: 60)
        if credentials.contains(key) {
            return "\(quoted) does not belong into a file that others read; name a variable with \"\(key)Variable\" "
                + "or a file with \"\(key)File\"."
        }
        return "\(quoted) is no setting of a source.\(NearestKeys.question(about: key, among: all.map(\.name)))"
    }

    /// What a value should be; `nil` when it is.
    static func objection(to value: JSONValue, _ form: ServiceKind.Form) -> String? {
        let fits =
            switch form {
            case .text: value.text != nil
            case .choice(let words): words.contains(value.text?.string ?? "")
            case .number(let least): value.kind == .number && Int(value.source).map { $0 >= least } == true
            case .object: value.kind == .object
            }
        return fits ? nil : words(form)
    }

    /// The values of a form, in words.
    static func words(_ form: ServiceKind.Form) -> String {
        switch form {
        case .text: "a string"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .number(let least): "a whole number from \(least) on"
        case .object: "an object"
        }
    }

    /// The schema of an entry.
    static var schema: JSONOutput {
        let properties = all.map { member in
            (member.name, JSONOutput.object([("description", .string(member.help))] + schema(of: member.form)))
        }
        return .object([
            (
                "anyOf",
                .array([
                    .object([("type", .string("string"))]),
                    .object([
                        ("type", .string("object")), ("required", .array([.string(name.name)])),
                        ("properties", .object(properties)), ("additionalProperties", .bool(false)),
                    ]),
                ])
            )
        ])
    }

    private static func schema(of form: ServiceKind.Form) -> [(String, JSONOutput)] {
        switch form {
        case .text: [("type", .string("string"))]
        case .choice(let words): [("enum", .array(words.map(JSONOutput.string)))]
        case .number(let least): [("type", .string("integer")), ("minimum", .integer(least))]
        case .object: [("type", .string("object"))]
        }
    }
}
