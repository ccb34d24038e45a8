import FlagModel

/// A response of the API for clients.
enum FlagsmithResponse {
    /// The list of flags: the whole response for an environment, or the member `flags` of the response for an identity.
    static func flags(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        let list = root.kind == .object ? root["flags"] : root
        // A list that has elements but no feature is the response of another service.
        guard let list, list.kind == .array,
            list.count == 0 || list.elements.contains(where: { $0["feature"]?.kind == .object })
        else {
            throw .unknownShape(
                "the response has no list of features; is this the URL of the API of a Flagsmith server?")
        }
        return list
    }

    /// The part of a response to cache: the list of flags. A response for an identity also repeats the identifier and
    /// the traits, which may be personal data.
    static func cached(_ body: [UInt8]) throws(DocumentError) -> [UInt8] {
        Array(try flags(of: body).compactJSON.utf8)
    }
}
