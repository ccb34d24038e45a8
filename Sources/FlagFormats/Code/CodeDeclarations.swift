package import FlagModel

/// The flags of a snapshot as code can declare them, sorted by key.
package struct CodeDeclarations: Sendable {
    /// The flags. Each has a default that is valid for its type.
    package private(set) var flags: [DeclaredFlag] = []
    /// What was left out or replaced, a sentence each.
    package private(set) var warnings: [String] = []

    /// The flags of a snapshot. The default of a flag is the value compiled into the app, else the remote value.
    package init(of snapshot: RemoteSnapshot) {
        for item in snapshot.catalog.items.sorted(by: { $0.key < $1.key }) {
            if item.key.isEmpty {
                warnings.append("The flag with the empty key was left out: code cannot declare it.")
            } else {
                declare(item, of: snapshot)
            }
        }
    }

    /// The categories of flags without a group.
    private static let unnamedGroups: Set<FlagText> = ["", Catalog.otherName, DeclaredFlags.ungroupedName]

    private mutating func declare(_ item: FlagItem, of snapshot: RemoteSnapshot) {
        let type = snapshot.type(of: item)
        var options = Self.options(of: item, type)
        let value = value(of: item, type, besides: options, in: snapshot)
        // An enumeration must have a case for the default.
        if type == .string, !options.isEmpty, !options.contains(value) { options.append(value) }
        let group = snapshot.catalog.categories[item.category].name
        flags.append(
            DeclaredFlag(
                key: item.key.string, type: type, defaultValue: value,
                facts: DeclaredFlag.Facts(
                    title: item.title?.string, description: item.details?.string,
                    group: Self.unnamedGroups.contains(group) ? nil : group.string,
                    owner: item.owner?.string, expires: item.expires?.string,
                    needsRestart: item.needsRestart, options: options)))
    }

    /// The value of a flag, or one of its options or of its type if it has no valid value.
    private mutating func value(
        of item: FlagItem, _ type: FlagType, besides options: [String], in snapshot: RemoteSnapshot
    ) -> String {
        let standard = options.first ?? type.emptyText
        guard let text = (snapshot.defaults[item.key] ?? snapshot.values[item.key])?.string else { return standard }
        if let value = type.canonicalText(text) { return value }
        warnings.append(
            "The value \(JSONOutput.quoted(text, limit: 80)) of \(item.key.quoted) is not a valid \(type.rawValue); its "
                + "default in the code is \(standard.orQuotes). Fix the value in the source.")
        return standard
    }

    /// The options to declare; empty if other values are allowed, or the type has no list of options in code.
    private static func options(of item: FlagItem, _ type: FlagType) -> [String] {
        guard type != .bool, type != .json, item.isClosedList(of: type) else { return [] }
        var seen: Set<String> = []
        let options = item.options.compactMap { type.canonicalText($0.value) }.filter { seen.insert($0).inserted }
        return options.count > 1 ? options : []
    }
}

extension FlagType {
    /// The spelling of a value that code uses; `nil` if the text is not valid for the type.
    fileprivate func canonicalText(_ text: String) -> String? {
        switch self {
        case .bool: FlagReading.bool(text).map { $0 ? "true" : "false" }
        case .int: FlagReading.int(text).map(String.init)
        case .double: FlagReading.double(text).map { "\($0)" }
        case .string: text
        case .json: accepts(text) ? text : nil
        }
    }

    /// The value of a flag that has none in any source.
    fileprivate var emptyText: String {
        switch self {
        case .bool: "false"
        case .int: "0"
        case .double: "0.0"
        case .string: ""
        case .json: "{}"
        }
    }
}
