import FlagModel
import FlagRemote

/// An option of a kind of source: a member beside `source` in `flagmenu.json`.
package struct SourceOption: Sendable {
    /// The JSON values that an option accepts.
    enum Form: Sendable, Equatable {
        /// A string.
        case text
        /// The path of a file, relative to the folder of the project file.
        case path
        /// One of these strings.
        case choice([String])
        /// A whole number of at least `least`.
        case number(least: Int)
        case object
    }

    package let name: String
    /// The accepted values.
    let form: Form
    /// A description of its effect.
    package let help: String
    /// Whether every source has the option, so that it is described once.
    package let isCommon: Bool
    /// What is special about an evaluation context: the member that identifies the user or device, and names that users
    /// confuse with members or options, each with the correct name. `nil` for all other options.
    private(set) var context: (targetingMember: String, mistakes: [String: String])?
    /// A part of the evaluation context beside it, with its default; `nil` for all other options.
    private(set) var contextText: (name: String, standard: String?)?
    /// A credential, with the environment variable that usually contains it; `nil` for all other options.
    /// `flagmenu.json` never contains the credential, only its place: `tokenVariable` or `tokenFile` for `token`.
    ///
    /// Few users need a rare credential, so errors name it only if it is set.
    private(set) var credential: (name: String, variable: String, isRare: Bool)?
    /// The key file whose path this is; `nil` for all other options.
    let keyFile: (option: String, file: KeyFile)?

    init(_ name: String, _ form: Form, _ help: String, isCommon: Bool = false, keyFile: KeyFile? = nil) {
        (self.name, self.form, self.help, self.isCommon) = (name, form, help, isCommon)
        self.keyFile = keyFile.map { (name, $0) }
    }

    static func credential(_ name: String, variable: String, isRare: Bool = false) -> SourceOption {
        var option = SourceOption(name, .text, "")
        option.credential = (name, variable, isRare)
        return option
    }

    static func contextText(_ name: String, _ help: String, standard: String? = nil) -> SourceOption {
        var option = SourceOption(name, .text, help)
        option.contextText = (name, standard)
        return option
    }

    /// The environment variable that usually contains a credential; `nil` for all other options.
    package var variable: String? { credential?.variable }

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
            "The evaluation context: signals with a randomization_id, or what the service expects.",
            isCommon: true),
        conditions,
    ]
    /// The conditions of a template.
    static let conditions = SourceOption(
        "conditions", .object, "Conditions set by hand: an object of names, each true or false.", isCommon: true)

    /// The evaluation context.
    static func context(
        _ help: String = "The evaluation context.", named name: String = "context", targetingMember: String,
        mistakes: [String: String] = [:]
    ) -> SourceOption {
        var option = SourceOption(name, .object, help)
        option.context = (targetingMember, mistakes)
        return option
    }
    /// A prefix that keys must have.
    static let prefix = SourceOption("prefix", .text, "Reads only flags whose keys start with it.")
    /// The interval between two requests.
    static let pollSeconds = SourceOption(
        "pollSeconds", .number(least: 1), "Seconds between polls while the menu is open.")
    /// An address other than the service's own.
    static let url = SourceOption(
        "url", .text, "A URL instead of the service's own, such as a proxy's.")
    /// Whether credentials may be sent without encryption.
    static let allowHTTP = yesOrNo("allowHTTP", "Whether credentials may be sent over http: to another machine.")
    /// Whether the context is sent in the body.
    static let usePOST = yesOrNo("usePOST", "Whether the context is sent in the request body.")

    /// An option that is `yes` or `no`.
    static func yesOrNo(_ name: String, _ help: String) -> SourceOption {
        SourceOption(name, .choice(["yes", "no"]), help)
    }

    /// The option for how changes are detected. Its values are the raw values of an enumeration.
    static func changes<Way: RawRepresentable<String> & CaseIterable>(_ ways: Way.Type) -> SourceOption {
        SourceOption(
            "changes", .choice(ways.allCases.map(\.rawValue)), "How changes are detected while the menu is open.")
    }
}

package struct KeyFile: Sendable {
    /// A description of the file.
    package let title: String
    /// The environment variable that names the file if the option does not; `nil` for an option without a variable.
    package var variable: String?
    /// Whether a content is that of such a file.
    let hasContent: @Sendable (String) -> Bool
}

extension SourceOption.Form {
    /// Whether a value has this form.
    func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .text, .path: value.text != nil
        case .choice(let words): words.contains(value.text?.string ?? "")
        case .number(let least): value.kind == .number && Int(value.source).map { $0 >= least } == true
        case .object: value.kind == .object
        }
    }

    /// The accepted values in words.
    var summary: String {
        switch self {
        case .text, .path: "a string"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .number(let least): "a whole number of at least \(least)"
        case .object: "an object"
        }
    }

    /// The accepted values as members of a JSON Schema.
    var schema: [(String, JSONOutput)] {
        switch self {
        case .text, .path: [("type", .string("string"))]
        case .choice(let words): [("enum", .array(words.map(JSONOutput.string)))]
        case .number(let least): [("type", .string("integer")), ("minimum", .integer(least))]
        case .object: [("type", .string("object"))]
        }
    }
}
