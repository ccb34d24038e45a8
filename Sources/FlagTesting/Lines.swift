package import FlagModel
package import FlagRemote

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

extension SourceRequest {
    /// All that is sent: the method and the URL, the headers sorted by name, and the body if there is one.
    package var lines: [String] {
        let fields = headers.fields.map { "\($0.name): \($0.value)\($0.isSecret ? " (secret)" : "")" }
        return ["\(method.rawValue) \(url.text)"] + fields.sorted()
            + (body.isEmpty ? [] : [String(decoding: body, as: UTF8.self)])
    }
}
