import Flags

// The code of the article on servers, word for word. Its request and its page are those of any server.

struct Request: Sendable {
    var headers: [String: String]
    /// Whether the session belongs to a tester.
    var isFromTester: Bool
}

func page(_ flags: FlagStore) async -> String {
    // Other requests are handled meanwhile.
    await Task.yield()
    return flags[.multipleLocations] ? "Locations" : "Location"
}

func respond(to request: Request, with flags: FlagStore) async -> String {
    guard request.isFromTester, let header = request.headers["X-Flags"] else { return await page(flags) }
    let settings = header.split(separator: ",").compactMap { pair -> FlagSetting? in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? .set(parts[0], to: parts[1]) : nil
    }
    return await flags.withOverrides(settings) { await page(flags) }
}
