import FlagModel
import FlagRemote

/// A response of the front-end API. It lists only toggles that are on.
enum UnleashAnswer {
    /// The toggles of a response.
    static func toggles(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let toggles = root["toggles"], toggles.kind == .array else {
            throw .unknownShape(
                "the response has no list \"toggles\"; is this the URL of an Unleash server with its front-end API?")
        }
        return toggles
    }
}

/// The known toggles: the cached ones, and those that were on at some time of this run.
///
/// The service leaves out what is off, and its own clients treat what is missing as off. So a toggle that was reported
/// as on is reported as off, too: the value is `false`, and the toggle stays in the list. One that has been missing for
/// as long as unused contexts are cached is forgotten: it was removed by then.
struct ToggleMemory {
    /// Since when each is missing; `nil` for one that is on.
    private var absences: [FlagText: Timestamp?] = [:]

    /// Records the toggles of a response, such as a cached one: a run that begins with it may get only 304 for a long
    /// time.
    mutating func learn(_ toggles: JSONValue) {
        for toggle in toggles.elements {
            guard let name = Self.name(of: toggle) else { continue }
            let since = toggle[Self.absence]?.text.flatMap { Timestamp(rfc3339: $0.string) }
            // Of several responses, the one that missed it first counts.
            let known = absences[name] ?? nil
            absences[name] = .some([known, since].compactMap { $0 }.min())
        }
    }

    /// The member of a toggle in cached responses that no server sends.
    private static let absence = "absentSince"

    private static func name(of toggle: JSONValue) -> FlagText? {
        toggle["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A response, with the toggles that are off by now at its end.
    mutating func completing(_ body: [UInt8], at now: Timestamp) throws(DocumentError) -> [UInt8] {
        let toggles = try UnleashAnswer.toggles(of: body)
        let present = Set(toggles.elements.compactMap { Self.name(of: $0) })
        absences = absences.filter { name, since in
            !present.contains(name) && since.map { now.seconds - $0.seconds <= CacheEviction.life } ?? true
        }.mapValues { $0 ?? now }
        let absent = absences.sorted { $0.key < $1.key }
        for name in present { absences[name] = .some(nil) }
        guard !absent.isEmpty else { return body }
        let all =
            toggles.elements.compactMap { $0.flagText.map { JSONOutput.raw($0.string) } }
            + absent.map { name, since in
                .object([
                    ("name", .string(name.string)), ("enabled", .bool(false)),
                    (Self.absence, .string((since ?? now).rfc3339)),
                ])
            }
        return Array(JSONOutput.object([("toggles", .array(all))]).text(indented: false).utf8)
    }
}
