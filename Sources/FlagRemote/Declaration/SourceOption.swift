package import FlagModel

/// An option of a kind of source: a member beside `source` in `flagmenu.json`.
package struct SourceOption: Sendable {
    /// The JSON values that an option accepts.
    package enum Form: Sendable, Equatable {
        /// A string.
        case text
        /// The path of a file, relative to the folder of the project file.
        case path
        /// One of these strings.
        case choice([String])
        /// A whole number of at least `least`.
        case number(least: Int)
        /// An object.
        case object
    }

    /// The option's name.
    package let name: String
    /// The accepted values.
    package let form: Form
    /// A description of its effect.
    package let help: String
    /// For a credential, the environment variable that usually contains it; `nil` for all other options.
    package let variable: String?

    /// An option.
    package init(_ name: String, _ form: Form, _ help: String, variable: String? = nil) {
        (self.name, self.form, self.help, self.variable) = (name, form, help, variable)
    }

    /// A credential. `flagmenu.json` never contains the credential, only its place: `tokenVariable` or `tokenFile` for
    /// `token`.
    package static func credential(_ name: String, variable: String) -> SourceOption {
        SourceOption(name, .text, "", variable: variable)
    }

    /// The members of `flagmenu.json` that set this option.
    package var members: [SourceOption] {
        guard let variable else { return [self] }
        return [
            SourceOption(
                "\(name)Variable", .text,
                "The environment variable with the \(name); \(variable) by default."),
            SourceOption("\(name)File", .path, "The file with the \(name) and nothing else."),
        ]
    }
}

// Options that several kinds have.
extension SourceOption {
    /// The options of every source, including files: the evaluation context of a template.
    package static let common = [
        SourceOption(
            "context", .object,
            "The evaluation context: signals with a randomization_id, or what the service expects."),
        SourceOption("conditions", .object, "Conditions set by hand: an object of names, each true or false."),
    ]
    /// The evaluation context.
    package static let context = SourceOption("context", .object, "The evaluation context.")
    /// A prefix that keys must have.
    package static let prefix = SourceOption("prefix", .text, "Reads only flags whose keys start with it.")
    /// The interval between two requests.
    package static let pollSeconds = SourceOption(
        "pollSeconds", .number(least: 1), "Seconds between polls while the menu is open.")
    /// An address other than the service's own.
    package static let url = SourceOption(
        "url", .text, "A URL instead of the service's own, such as a proxy's.")
    /// Whether credentials may be sent without encryption.
    package static let allowHTTP = SourceOption(
        "allowHTTP", .choice(["yes", "no"]), "Whether credentials may be sent over http: to another machine.")
    /// Whether the context is sent in the body.
    package static let usePOST = SourceOption(
        "usePOST", .choice(["yes", "no"]), "Whether the context is sent in the request body.")

    /// The option for how changes are detected. Its values are the raw values of an enumeration.
    package static func changes<Way: RawRepresentable<String> & CaseIterable>(_ ways: Way.Type) -> SourceOption {
        SourceOption(
            "changes", .choice(ways.allCases.map(\.rawValue)), "How changes are detected while the menu is open.")
    }
}

extension SourceOption.Form {
    /// Whether a value has this form.
    package func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .text, .path: value.text != nil
        case .choice(let words): words.contains(value.text?.string ?? "")
        case .number(let least): value.kind == .number && Int(value.source).map { $0 >= least } == true
        case .object: value.kind == .object
        }
    }

    /// The accepted values in words.
    package var summary: String {
        switch self {
        case .text, .path: "a string"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .number(let least): "a whole number of at least \(least)"
        case .object: "an object"
        }
    }

    /// The accepted values as members of a JSON Schema.
    package var schema: [(String, JSONOutput)] {
        switch self {
        case .text, .path: [("type", .string("string"))]
        case .choice(let words): [("enum", .array(words.map(JSONOutput.string)))]
        case .number(let least): [("type", .string("integer")), ("minimum", .integer(least))]
        case .object: [("type", .string("object"))]
        }
    }
}
