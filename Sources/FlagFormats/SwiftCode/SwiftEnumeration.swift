/// An enumeration of texts in generated code.
struct SwiftEnumeration {
    let name: String
    /// The protocols besides that of raw values.
    let protocols: String
    /// The cases with their raw values.
    let cases: [(name: String, text: String)]
}

extension SwiftEnumeration {
    /// An enumeration of the options of a flag.
    init(options: [String], name: String) {
        let names = SwiftName.distinct(
            options.map { $0.isEmpty ? "empty" : SwiftName.member($0, prefix: "option") },
            besides: SwiftName.takenMembers, suffix: "Option")
        self.init(name: name, protocols: "CaseIterable", cases: Array(zip(names, options)))
    }

    /// The declaration, line by line.
    var declaration: [String] {
        let lines = cases.map { name, text in
            let rawValue = name == text ? "" : " = \"\(SwiftExpression.escaped(text))\""
            return "    case \(SwiftName.escaped(name))\(rawValue)"
        }
        return ["nonisolated enum \(name): String, \(protocols) {"] + lines + ["}"]
    }

    /// The case for an option; `nil` if there is none.
    func expression(_ option: String) -> SwiftExpression? {
        cases.first { $0.text == option }.map { .literal(".\($0.name)") }
    }
}
