package import FlagModel
import FlagRemote
import FlagStorage

/// The content of a `flagmenu.json` that is not written yet.
package struct ProjectDraft {
    /// A source with its settings.
    package struct Entry {
        /// The name of the source as written to the file.
        package var name: String
        package var settings: [(name: String, value: JSONOutput)] = []

        package init(name: String) { self.name = name }

        /// The entry as an object of the file, parsed; `nil` if a setting is not JSON.
        package var options: JSONValue? {
            try? JSONDocument(parsing: Array(object.text().utf8)).root
        }

        private var object: JSONOutput {
            .object([("source", .string(name))] + settings.map { ($0.name, $0.value) })
        }

        fileprivate var json: JSONOutput { settings.isEmpty ? .string(name) : object }
    }

    package var app: String?
    package var sources: [Entry] = []
    var defaults: String?
    package var store: String?

    /// The project that the options of a command describe.
    package init(_ options: RunOptions) {
        (app, sources) = (options.app, options.source.map(Entry.init))
        (defaults, store) = (options.defaults, options.store)
    }

    package var text: String {
        let source: (String, JSONOutput)? = sources.first.map { first in
            sources.count == 1 ? ("source", first.json) : ("sources", .array(sources.map(\.json)))
        }
        let members = [
            app.map { ("app", .string($0)) }, source, defaults.map { ("defaults", .string($0)) },
            store.map { ("store", .string($0)) },
        ]
        return JSONOutput.object(members.compactMap { $0 }).text() + "\n"
    }
}

extension ProjectDraft.Entry {
    /// Adds a typed setting, `NAME=VALUE`, in its JSON form.
    ///
    /// - Parameter folder: the base folder of relative paths in the setting.
    /// - Throws: an error if there is no such setting, or the text is not valid or may be a credential. The error does
    ///   not contain a possible credential.
    package mutating func add(
        _ typed: String, in folder: String, _ registry: SourceRegistry
    ) throws(CommandFailure) {
        guard let equals = typed.firstIndex(of: "=") else {
            throw CommandFailure(
                .usage, "A setting is NAME=VALUE, such as tokenVariable=SHOP_TOKEN. Nothing was written.")
        }
        let (member, text) = (String(typed[..<equals]), String(typed[typed.index(after: equals)...]))
        guard let form = registry.options.first(where: { $0.name == member })?.form, member != "source" else {
            // The user may have typed a credential that contains "=", so only a text that looks like a name is printed.
            let isName = member.utf8.count <= 30 && member.allSatisfy { $0.isASCII && $0.isLetter }
            let sentence = isName ? registry.unknownOptionError(member) : "That is not a setting of a source."
            throw CommandFailure(.usage, "\(sentence) Nothing was written.")
        }
        if let sentence = Self.credentialError(to: text, of: member, in: folder) {
            throw CommandFailure(.usage, "\(sentence) A credential itself is never written. Nothing was written.")
        }
        let source =
            switch form {
            case .text, .path, .choice: JSONOutput.quoted(text)
            case .number, .object: text
            }
        let value = try? JSONDocument(parsing: Array(source.utf8)).root
        guard let value, form.accepts(value) else {
            throw CommandFailure(
                .usage, "The setting \(member) must be \(form.summary). Nothing was written.")
        }
        settings.append((member, .raw(source)))
    }

    /// The error that a value is not the name of a variable or file, and may be a credential; `nil` if the value is
    /// valid.
    private static func credentialError(to text: String, of member: String, in folder: String) -> String? {
        if member.hasSuffix("Variable"), !VariableName.isOne(text) {
            return "The setting \(member) needs the name of a variable: capital letters, digits and _."
        }
        if member.hasSuffix("File"), CredentialFile.isCredentialInsteadOfPath(text, in: folder) {
            return "The setting \(member) needs the path of a file: no such file."
        }
        // Only URLs are checked: paths may contain the characters that `RedactedURL` cuts off.
        guard SourceURL(text) != nil || member.lowercased().hasSuffix("url") else { return nil }
        let shown = RedactedURL.text(text)
        guard shown.contains(Secret.mask) || shown.hasSuffix("…") else { return nil }
        return
            "The address in the setting \(member) contains a credential or a query; name a variable or "
            + "a file for it."
    }
}
