import FlagModel

/// An answer of the front-end API. It lists only toggles that are on.
enum UnleashAnswer {
    /// The toggles of an answer.
    static func toggles(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let toggles = root["toggles"], toggles.kind == .array else {
            throw .unknownShape(
                "the answer has no list \"toggles\"; is this the address of an Unleash server with its front-end API?")
        }
        return toggles
    }
}

/// The toggles that are known: those of what was kept, and those that were on at some time of this run.
///
/// The service leaves out what is off, and its own clients take what is missing for off. So whoever has been told that a
/// toggle is on is told that it is off, too: the value is `false`, and the toggle stays in the list.
struct ToggleMemory {
    private var names: Set<FlagText> = []

    /// Learns the toggles of an answer, such as one that was kept: a run that begins with it may be told for a long time
    /// that nothing has changed.
    mutating func learn(_ toggles: JSONValue) { names.formUnion(Self.names(of: toggles)) }

    private static func names(of toggles: JSONValue) -> Set<FlagText> {
        Set(toggles.elements.compactMap { $0["name"]?.text }.filter { !$0.isEmpty })
    }

    /// An answer, with the toggles at its end that are off by now.
    mutating func completing(_ body: [UInt8]) throws(DocumentError) -> [UInt8] {
        let toggles = try UnleashAnswer.toggles(of: body)
        let present = Self.names(of: toggles)
        let absent = names.subtracting(present).sorted()
        names.formUnion(present)
        guard !absent.isEmpty else { return body }
        let all =
            toggles.elements.compactMap { $0.flagText.map { JSONOutput.raw($0.string) } }
            + absent.map { .object([("name", .string($0.string)), ("enabled", .bool(false))]) }
        return Array(JSONOutput.object([("toggles", .array(all))]).text(indented: false).utf8)
    }
}
