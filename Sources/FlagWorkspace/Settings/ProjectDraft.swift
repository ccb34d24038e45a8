import FlagModel
import FlagRemote

/// The content of a `flagmenu.json` that is not written yet.
package struct ProjectDraft {
    package var app: String?
    /// The names of the sources.
    package var sources: [String]
    /// The settings of the first source.
    private var settings: [(name: String, value: JSONOutput)] = []
    private let defaults: String?
    private let store: String?

    /// The project that the options of a command describe.
    package init(_ options: RunOptions) {
        (app, sources, defaults, store) = (options.app, options.source, options.defaults, options.store)
    }

    package var text: String {
        var entries = sources.map(JSONOutput.string)
        if let first = entries.first, !settings.isEmpty { entries[0] = .object([("source", first)] + settings) }
        let root = JSONOutput.object(present: [
            ("app", app.map(JSONOutput.string)), ("source", entries.count == 1 ? entries[0] : nil),
            ("sources", entries.count > 1 ? .array(entries) : nil), ("defaults", defaults.map(JSONOutput.string)),
            ("store", store.map(JSONOutput.string)),
        ])
        return root.text() + "\n"
    }

    /// Sets a typed setting of the first source, `NAME=VALUE`, in its JSON form.
    ///
    /// - Parameter folder: the base folder of relative paths in the setting.
    /// - Throws: an error if there is no such setting, or the text is not valid or may be a credential. The error does
    ///   not contain a possible credential.
    package mutating func set(_ typed: String, in folder: String, _ registry: SourceRegistry) throws(CommandFailure) {
        guard !sources.isEmpty else {
            throw CommandFailure(.usage, "--setting belongs to a source; name it with --source.")
        }
        guard let equals = typed.firstIndex(of: "=") else {
            throw CommandFailure(.usage, "A setting is NAME=VALUE, such as tokenVariable=SHOP_TOKEN.")
        }
        let (name, text) = (String(typed[..<equals]), String(typed[typed.index(after: equals)...]))
        guard let form = registry.options.first(where: { $0.name == name })?.form, name != "source" else {
            // The user may have typed a credential that contains "=", so only a text that looks like a name is printed.
            let isName = name.utf8.count <= 30 && name.allSatisfy { $0.isASCII && $0.isLetter }
            throw CommandFailure(
                .usage, isName ? registry.unknownOptionError(name) : "That is not a setting of a source.")
        }
        if let sentence = Self.credentialError(to: text, of: name, in: folder) {
            throw CommandFailure(.usage, "\(sentence) A credential itself is never written.")
        }
        let source =
            switch form {
            case .text, .path, .choice: JSONOutput.quoted(text)
            case .number, .object: text
            }
        guard let value = try? JSONDocument(parsing: Array(source.utf8)).root, form.accepts(value) else {
            throw CommandFailure(.usage, "The setting \(name) must be \(form.summary).")
        }
        settings.removeAll { $0.name == name }
        settings.append((name, .raw(source)))
    }

    /// The error that a value is not the name of a variable or file, and may be a credential; `nil` if the value is
    /// valid.
    private static func credentialError(to text: String, of name: String, in folder: String) -> String? {
        if name.hasSuffix("Variable"), !VariableName.isOne(text) {
            return "The setting \(name) needs the name of a variable: capital letters, digits and _."
        }
        if name.hasSuffix("File"), CredentialFile.isCredentialInsteadOfPath(text, in: folder) {
            return "The setting \(name) needs the path of a file: no such file."
        }
        // Only URLs are checked: paths may contain the characters that `RedactedURL` cuts off.
        guard SourceURL(text) != nil || name.lowercased().hasSuffix("url") else { return nil }
        return secretError(in: RedactedURL.text(text), "the setting \(name)")
    }

    /// The error that an address contains a credential or a query, which others could read in the file; `nil` if it
    /// contains neither.
    ///
    /// - Parameter redacted: the address without secrets.
    package static func secretError(in redacted: String, _ place: String) -> String? {
        guard redacted.contains(Secret.mask) || redacted.contains("…") else { return nil }
        return "The address in \(place) contains a credential or a query, which does not belong in a file that others "
            + "read. Name a variable or a file for it."
    }
}
