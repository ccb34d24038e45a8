package import FlagModel

/// A Firebase template that declares the flags of an app's code: a parameter with its default for each flag, and the
/// catalog in the parameter `config_categories`.
package struct DeclaredCatalog: Sendable {
    /// The template as JSON.
    package let text: String
    /// What Firebase does not accept or a catalog cannot express, a sentence each.
    package private(set) var warnings: [String] = []

    /// The template of flags. They are sorted by key, and their categories by name.
    package init(of flags: [DeclaredFlag]) {
        var warnings: [String] = []
        let flags = flags.filter { flag in
            let isKey = !flag.key.isEmpty && flag.key != RemoteDocument.catalogKey
            if !isKey {
                warnings.append("The flag \(JSONOutput.quoted(flag.key)) was left out: a catalog cannot list its key.")
            }
            return isKey
        }.sorted { FlagText($0.key) < FlagText($1.key) }
        let categories = Self.categories(of: flags, &warnings)
        let catalog = JSONOutput.array(categories).text(indented: false)
        let parameters = flags.map { flag in
            (flag.key, Self.parameter(flag.defaultValue, flag.facts.description, type: flag.type.firebaseName))
        }
        let catalogParameter = Self.parameter(catalog, "The flags that flagmenu lists, by category.", type: "JSON")
        let all = JSONOutput.object(parameters + [(RemoteDocument.catalogKey, catalogParameter)])
        text = JSONOutput.object([("parameters", all)]).text() + "\n"
        warnings += flags.filter { !Self.isFirebaseKey($0.key) }.map { flag in
            "Firebase does not accept the key \(JSONOutput.quoted(flag.key)): it needs letters, digits and _, and no digit "
                + "at the start."
        }
        self.warnings = warnings
    }

    private static func categories(of flags: [DeclaredFlag], _ warnings: inout [String]) -> [JSONOutput] {
        let other = Catalog.otherName.string
        let groups = Dictionary(grouping: flags) { flag in flag.facts.group.flatMap { $0.isEmpty ? nil : $0 } ?? other }
        let names = groups.keys.sorted { left, right in
            // The category without a name of its own comes last.
            (left == other ? 1 : 0, FlagText(left)) < (right == other ? 1 : 0, FlagText(right))
        }
        return names.map { name in
            let items = groups[name, default: []].map { item($0, &warnings) }
            return .object([("category", .string(name)), ("items", .array(items))])
        }
    }

    private static func item(_ flag: DeclaredFlag, _ warnings: inout [String]) -> JSONOutput {
        let options = flag.type == .bool ? ["true", "false"] : flag.facts.options
        let list = FlagOption.text(of: options)
        if list == nil {
            warnings.append(
                "The options of \(JSONOutput.quoted(flag.key)) were left out: one ends with a backslash, which a list "
                    + "cannot express.")
        }
        let facts = flag.facts
        return .object(present: [
            ("key", .string(flag.key)), ("value", list.flatMap { $0.isEmpty ? nil : .string($0) }),
            ("title", facts.title.map(JSONOutput.string)), ("description", facts.description.map(JSONOutput.string)),
            ("type", .string(flag.type.rawValue)), ("owner", facts.owner.map(JSONOutput.string)),
            ("expires", facts.expires.map(JSONOutput.string)), ("restart", facts.needsRestart ? .bool(true) : nil),
        ])
    }

    private static func parameter(_ value: String?, _ description: String?, type: String) -> JSONOutput {
        // A default that cannot be encoded is left to the app.
        let value = value.map { ("value", JSONOutput.string($0)) } ?? ("useInAppDefault", .bool(true))
        let details = description.map { [("description", JSONOutput.string($0))] } ?? []
        return .object([("defaultValue", .object([value]))] + details + [("valueType", .string(type))])
    }

    private static func isFirebaseKey(_ key: String) -> Bool {
        let isLetter = { (byte: UInt8) in byte == 0x5F || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
        guard let first = key.utf8.first, isLetter(first) else { return false }
        return key.utf8.count <= 256 && key.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 }
    }
}

extension FlagType {
    /// Firebase's name of the type.
    fileprivate var firebaseName: String {
        switch self {
        case .bool: "BOOLEAN"
        case .int, .double: "NUMBER"
        case .string: "STRING"
        case .json: "JSON"
        }
    }
}
