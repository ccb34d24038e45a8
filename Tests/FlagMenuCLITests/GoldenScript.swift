import Foundation

/// The commands that read and change a document.
///
/// `{bool}`, `{choice}`, `{number}` and `{text}` are keys of the document's flags, `{keys}` all of these. A command is
/// left out if the document has no such flag.
enum GoldenScript {
    /// The commands for every document, even if it cannot be read.
    static let reading = [
        "list", "list --source -", "FLAGMENU_SOURCE= list --defaults {document}", "get nosuch", "explain nosuch",
        "status", "doctor", "context", "diff {document} {work}/other.json",
        "diff {work}/other.json {document} --json", "generate swift", "set nosuch 1",
    ]

    /// The commands for a document that has flags.
    static let readingFlags = [
        "list --order changed", "list --order name", "list --order prefix", "list --matching is:off",
        "list --category {category}", "LC_ALL=C list", "LANG=xx_XX.UTF-8 LC_ALL= list", "get {keys}",
        "get {keys} --json", "FLAGMENU_SOURCE= get {keys}", "explain {bool}", "explain {choice}",
        "explain {choice} --json", "explain {number}", "explain {text}", "explain {text} --json", "status --json",
        "status --files",
    ]

    /// The commands that change flags, and those that show the changes.
    static let changing = [
        "FLAGMENU_SOURCE= set {bool} on --defaults {document}", "FLAGMENU_SOURCE= get {bool} --defaults {document}",
        "set {bool} on", "set {bool} false", "toggle {bool}", "set {choice} {option}", "toggle {choice}",
        "set {choice} nosuch", "set {choice} nosuch --any", "set {number} 10.5", "set {number} ten", "set {text} [{",
        "set {text} {odd}", "toggle {text}", "set brand_new 1 --new", "reset {bool}", "set {bool} true --quiet",
        "list", "list --overridden --json", "list --stale", "list --order changed", "explain {bool}",
        "explain {choice}", "explain {number} --json", "history", "status", "prompt",
        "doctor", "export {work}/out.json", "diff {document} {work}/out.json", "undo", "redo", "redo",
        "undo --json", "undo", "list --overridden", "history --limit 3 --json", "context plan=pro version=2.2",
    ]

    /// The commands for a document that has conditions.
    static let evaluating = [
        "context --condition {condition}=on", "context", "context --json", "list", "status",
        "context --condition {condition}=off --json", "context --condition {condition}=maybe", "list --json",
        "context --reset", "list",
    ]

    /// The commands that take the changes back, and move them to another store.
    static let moving = [
        "reset --category {category} --yes", "reset --all --yes", "undo", "export",
        "import {work}/out.json --store {work}/second", "import {work}/out.json --store {work}/second --new --any",
        "list --store {work}/second", "export --store {work}/second",
    ]

    /// The commands for a fixture that has flags, a part of the ones above: their differences show with the documents
    /// that the suite writes, and the number of commands decides how long the check of a change takes.
    static let fixture = [
        "list --matching is:off", "list --category {category}", "get {keys} --json", "FLAGMENU_SOURCE= get {keys}",
        "explain {bool}", "explain {choice} --json", "explain {number}", "explain {text}", "status --json",
        "set {bool} on", "set {choice} {option}", "set {number} 10.5", "set {text} {odd}", "toggle {bool}",
        "list --overridden --json", "export {work}/out.json", "diff {document} {work}/out.json", "undo", "redo",
        "undo", "undo", "list --overridden", "import {work}/out.json --store {work}/second",
        "list --store {work}/second",
    ]

    /// The commands without a document. The flags are those of the built-in sample.
    static let sample = [
        "list", "list --json", "list --matching type:bool --json", "status", "doctor", "doctor --json", "context",
        "status --files", "status --files --json", "status --files --defaults defaults.plist", "apps", "apps --json",
        "firebase versions", "firebase versions --source values.json", "generate swift", "export", "export --catalog",
        "history",
        "history --json", "prompt", "reset --all --yes", "set brand_new 1 --new", "prompt", "prompt --json",
        "prompt --format [%n,%a]", "undo", "undo", "--version",
    ]
}

/// The words of a document for the placeholders of ``GoldenScript``.
struct GoldenWords {
    private var keys: [String: [String]] = [:]
    private var values: [String: String]

    var areFlagsKnown: Bool { !keys.isEmpty }
    var areConditionsKnown: Bool { values["condition"] != nil }

    /// - Parameters:
    ///   - document: the file name of the document.
    ///   - folder: the folder for files of commands.
    ///   - flags: what `list --json` writes.
    ///   - evaluations: what `context --json` writes.
    init(document: String, folder: String, flags: [UInt8], evaluations: [UInt8]) {
        values = ["document": document, "work": folder, "odd": "two  words \"ü\" 日本\t|"]
        let sources = Self.json(evaluations, as: [String: Any].self)?["sources"] as? [[String: Any]]
        let conditions = sources?.first?["conditions"] as? [[String: Any]]
        values["condition"] = conditions?.lazy.compactMap { $0["name"] as? String }.first
        // In the order of their keys, so that another order of the list changes no other command.
        let flags = (Self.json(flags, as: [[String: Any]].self) ?? []).map(Flag.init).filter { !$0.key.isEmpty }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let choice = flags.first { $0.type != "bool" && !$0.options.isEmpty }
        let chosen = [
            ("bool", flags.first { $0.type == "bool" }), ("choice", choice),
            ("number", flags.first { $0.options.isEmpty && ["int", "double"].contains($0.type) }),
            ("text", flags.first { $0.options.isEmpty && ["string", "json"].contains($0.type) }),
        ]
        for case (let name, let flag?) in chosen { keys[name] = [flag.key] }
        if !keys.isEmpty { keys["keys"] = chosen.compactMap { $0.1?.key } }
        values["option"] = choice.flatMap { choice in choice.options.last { $0 != choice.value } }
        values["category"] = flags.lazy.compactMap(\.category).first
    }

    /// The words of a line with those of the document, and the line for a digest, which has the document's keys but
    /// none of its values; `nil` if the document has no word for a placeholder.
    func fill(_ line: String) -> (words: [String], label: String)? {
        var (words, labels): ([String], [String]) = ([], [])
        for word in line.split(separator: " ").map(String.init) {
            guard let name = word.firstMatch(of: #/\{(\w+)\}/#)?.1 else {
                words.append(word)
                labels.append(word)
                continue
            }
            if let keys = keys[String(name)] {
                words += keys
                labels += keys
            } else if let value = values[String(name)] {
                words.append(word.replacing("{\(name)}", with: value))
                labels.append(word)
            } else {
                return nil
            }
        }
        return (words, labels.joined(separator: " "))
    }

    private static func json<Value>(_ bytes: [UInt8], as type: Value.Type) -> Value? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? Value
    }

    /// A flag as `list --json` describes it.
    private struct Flag {
        let key, type: String
        let value, category: String?
        let options: [String]

        init(_ json: [String: Any]) {
            key = json["key"] as? String ?? ""
            type = json["type"] as? String ?? ""
            value = json["value"] as? String
            category = json["category"] as? String
            options = (json["options"] as? [[String: Any]] ?? []).compactMap { $0["value"] as? String }
        }
    }
}
