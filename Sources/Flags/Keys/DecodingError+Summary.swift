extension DecodingError {
    /// Why a JSON text does not decode, with the path of the member, as the end of a sentence, such as `label.title is
    /// missing`.
    var summary: String {
        switch self {
        case .keyNotFound(let key, let context): return "\(Self.path(context.codingPath + [key])) is missing"
        case .valueNotFound(let type, let context): return "\(Self.path(context.codingPath)) is null, not a \(type)"
        case .typeMismatch(let type, let context): return "\(Self.path(context.codingPath)) is not a \(type)"
        case .dataCorrupted(let context):
            // The path is empty if the text is not JSON.
            return context.codingPath.isEmpty
                ? "it is not JSON that the app can read"
                : "\(Self.path(context.codingPath)) is not valid"
        @unknown default: return "\(self)"
        }
    }

    /// The path of a member: `screens[2].title`.
    private static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce(into: "") { path, key in
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path.isEmpty ? "the value" : path
    }
}
