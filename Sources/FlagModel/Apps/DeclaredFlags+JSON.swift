// The last declaration of a program as JSON. Readers ignore members that they do not know.
extension DeclaredFlags.Program {
    /// The text of the declaration.
    package func text(seenAt: FlagTimestamp) -> some Sequence<String> {
        AnnouncementText(
            [
                ("format", .integer(RunningApp.format)), ("name", .string(name)), ("seenAt", .string(seenAt.rfc3339)),
                ("hasSources", .bool(hasSources)),
            ],
            flags: flags.lazy.map { $0.json.text(indented: false) })
    }

    /// Reads a declaration.
    ///
    /// - Throws: why the text is not a declaration, as the end of a sentence.
    package init(parsing bytes: [UInt8]) throws(AnnouncementError) {
        let root = try JSONValue(announcement: bytes)
        guard let name = root["name"]?.text?.string,
            let seenAt = root["seenAt"]?.text.flatMap({ FlagTimestamp(rfc3339: $0.string) }),
            let flags = root["flags"], flags.kind == .array
        else { throw AnnouncementError(reason: "it lacks a name, a time or flags") }
        self.init(
            name: name, seenAt: seenAt, hasSources: root["hasSources"]?.bool ?? false,
            flags: flags.elements.compactMap(DeclaredFlag.init))
    }
}
