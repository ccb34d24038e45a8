package import FlagModel

extension RemoteDocument {
    /// All that a reader says about the flags, a line each: category, key, type, value, options, details and note. Then
    /// the issues. A part that is missing is `-`.
    package var lines: [String] {
        let flags = (catalog?.categories ?? []).flatMap { category in
            (catalog?.items[category.items] ?? []).map { item in
                let options = item.options.map(\.value).joined(separator: "/")
                let parts = [
                    category.name.string, item.key.string, item.declaredType?.rawValue, values[item.key]?.string,
                    options.isEmpty ? nil : options, item.details?.string, notes[item.key]?.string,
                ]
                return parts.map { $0 ?? "-" }.joined(separator: " | ")
            }
        }
        return flags + issues.map(\.description)
    }
}
