#if Network
package import FlagModel

/// The suite that every reader of a service's responses passes: which responses it accepts, and what a prefix and a
/// catalog change.
package struct ResponseConformanceSuite: Sendable {
    /// A catalog as JSON, for the service's value of `config_categories`: it gives `shop.a` the title `Places`.
    package static let catalog = #"[{"category": "Location", "items": [{"key": "shop.a", "title": "Places"}]}]"#
    /// The catalog as a JSON string, for a service whose values are texts.
    package static let quotedCatalog = JSONOutput.string(catalog).text()

    /// Reads a response. With a prefix, only flags whose keys have the prefix.
    package var read: @Sendable (_ body: [UInt8], _ keyPrefix: String) throws -> RemoteDocument
    /// Responses of other services, or in other formats. The suite adds those that are not JSON.
    package var rejected: [String]
    /// Responses that must be rejected with words that say why, by response.
    package var explained: [String: String]
    /// Responses without flags, which are valid.
    package var empty: [String]
    /// A response with the catalog, the flag `shop.a`, and other flags whose keys have no such prefix.
    package var full: String
    /// A response with a flag that has the key of a part of another flag, such as `f.payload`, that key, and the flag's
    /// value; `nil` if flags have no parts.
    package var conflict: (response: String, key: String, value: String)?

    /// A suite for one reader.
    package init(
        rejected: [String], explained: [String: String] = [:], empty: [String], full: String,
        conflict: (response: String, key: String, value: String)? = nil,
        read: @escaping @Sendable (_ body: [UInt8], _ keyPrefix: String) throws -> RemoteDocument
    ) {
        (self.rejected, self.explained, self.empty, self.full) = (rejected, explained, empty, full)
        (self.conflict, self.read) = (conflict, read)
    }

    /// Runs the suite.
    ///
    /// - Throws: a ``ConformanceError`` with all findings.
    package func run() throws {
        var findings: [String] = []
        func require(_ condition: Bool, _ sentence: String) { if !condition { findings.append(sentence) } }
        let others = ["", "3", "<html>", String(full.dropLast())] + rejected
        for (text, words) in others.map({ ($0, "") }) + explained.map({ ($0.key, $0.value) }) {
            do {
                _ = try read(Array(text.utf8), "")
                require(false, "The response \(text) is accepted.")
            } catch {
                let isExplained = error is DocumentError && (words.isEmpty || "\(error)".contains(words))
                require(isExplained, "The error for the response \(text) does not say \"\(words)\": \(error)")
            }
        }
        for text in empty {
            let document = try read(Array(text.utf8), "")
            require(document.values.isEmpty && document.issues.isEmpty, "The response \(text) has flags or issues.")
        }
        let document = try read(Array(full.utf8), "")
        let all = RemoteSnapshot(documents: [document])
        require(all.catalog.item("shop.a")?.title == "Places", "The catalog does not describe shop.a.")
        let names = all.catalog.categories.map(\.name.string)
        require(names == ["Location", "Other"], "The catalog does not arrange all flags, but has \(names).")
        require(document.types["shop.a"] == all.type(of: "shop.a"), "The catalog hides the type of shop.a.")
        require(all.values["config_categories"] == nil, "The catalog is read as a flag.")
        let some = try read(Array(full.utf8), "shop.")
        let keys = some.values.keys.map(\.string)
        require(keys == ["shop.a"] && some.issues.isEmpty, "The prefix shop. gives \(keys) and \(some.issues).")
        require(some.catalog?.item("shop.a")?.title == "Places", "The catalog is not read because of the prefix.")
        if let (text, key, value) = conflict {
            let document = try read(Array(text.utf8), "")
            let issues = document.issues.map(\.description)
            require(
                document.values[key]?.string == value && issues.count == 1
                    && issues[0].contains("\"\(key)\" is a flag of its own"),
                "The flag \(key) does not win over a part of another flag: \(document.values), \(issues)")
        }
        if !findings.isEmpty { throw ConformanceError(findings: findings) }
    }
}
#endif
