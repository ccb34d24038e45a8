import DeveloperMenu
import FlagModel
import FlagSourceSupport
import FlagStorage

/// A `flagmenu.json` that is not written yet.
struct ProjectDraft {
    /// A source with its settings.
    struct Entry {
        /// As it is to stand in the file.
        var name: String
        var settings: [(name: String, value: JSONOutput)] = []

        fileprivate var json: JSONOutput {
            settings.isEmpty
                ? .string(name)
                : .object([("source", .string(name))] + settings.map { ($0.name, $0.value) })
        }
    }

    var app: String?
    var sources: [Entry] = []
    var defaults: String?
    var store: String?

    /// The file's text.
    var text: String {
        var members: [(String, JSONOutput)] = []
        if let app { members.append(("app", .string(app))) }
        if let first = sources.first {
            members.append(
                sources.count == 1 ? ("source", first.json) : ("sources", .array(sources.map(\.json))))
        }
        if let defaults { members.append(("defaults", .string(defaults))) }
        if let store { members.append(("store", .string(store))) }
        return JSONOutput.object(members).text() + "\n"
    }

    /// The file as it will be read.
    ///
    /// - Throws: why it would be refused.
    func project(at path: String) throws(CommandFailure) -> ProjectFile {
        try ProjectFile(Array(text.utf8), path: path)
    }
}

extension ProjectDraft.Entry {
    /// Takes a setting as it is typed, `NAME=VALUE`, in the form that it has to have.
    ///
    /// - Throws: that there is none of that name, or that the text is no value of it.
    mutating func add(_ typed: String) throws(CommandFailure) {
        guard let equals = typed.firstIndex(of: "=") else {
            throw CommandFailure(
                .usage, "A setting is NAME=VALUE, such as tokenVariable=SHOP_TOKEN. Nothing was written.")
        }
        let (member, text) = (String(typed[..<equals]), String(typed[typed.index(after: equals)...]))
        guard let form = SourceMembers.all.first(where: { $0.name == member })?.form, member != "source" else {
            throw CommandFailure(.usage, "\(SourceMembers.unknown(member)) Nothing was written.")
        }
        switch form {
        case .text, .choice: settings.append((member, .string(text)))
        case .number, .object:
            guard (try? JSONDocument(parsing: Array(text.utf8))) != nil else {
                throw CommandFailure(.usage, "The setting \(member) takes JSON. Nothing was written.")
            }
            settings.append((member, .raw(text)))
        }
    }
}
