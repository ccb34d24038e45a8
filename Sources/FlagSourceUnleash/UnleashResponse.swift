import FlagModel
import FlagRemote

/// A response of the front-end API. It lists only toggles that are on.
enum UnleashResponse {
    /// The names of all toggles in a response to a backend token.
    static func names(of body: [UInt8]) throws(DocumentError) -> [FlagText] {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let features = root["features"], features.kind == .array else {
            throw .unknownShape("the response to the backend token has no list \"features\"")
        }
        return features.elements.compactMap { $0["name"]?.text }.filter { !$0.isEmpty }
    }

    /// The list of toggles in a response.
    static func toggles(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let toggles = root["toggles"], toggles.kind == .array else {
            throw .unknownShape(
                "the response has no list \"toggles\"; is this the URL of an Unleash server with its front-end API?")
        }
        return toggles
    }
}

/// The known toggles: those in the cache, and those that were on at some time in this run.
///
/// The service sends only toggles that are on, and its own clients treat missing toggles as off. Therefore a known
/// toggle that is missing from a response stays in the list, with the value `false`. A toggle that has been missing for
/// longer than ``CacheEviction/life`` counts as deleted and is forgotten.
struct ToggleMemory {
    /// Since when each known toggle is missing; `nil` for a toggle that is on.
    private var absences: [FlagText: FlagTimestamp?] = [:]

    /// Records the toggles of a response, which may be a cached one: the service may respond 304 for a long time after
    /// a start.
    mutating func learn(_ toggles: JSONValue) {
        for toggle in toggles.elements {
            guard let name = Self.name(of: toggle) else { continue }
            let since = toggle[Self.absence]?.text.flatMap { FlagTimestamp(rfc3339: $0.string) }
            // If several responses lack the toggle, the earliest time is used.
            let knownSince = absences[name] ?? nil
            absences[name] = .some([knownSince, since].compactMap { $0 }.min())
        }
    }

    /// The member with the time since when a toggle is missing. Only cached responses have this member.
    private static let absence = "absentSince"

    private static func name(of toggle: JSONValue) -> FlagText? {
        toggle["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Appends the known toggles that are missing from a response, as off.
    ///
    /// - Parameter names: the names of all toggles; `nil` if they are not known.
    mutating func completing(
        _ body: [UInt8], names: [FlagText]? = nil, at now: FlagTimestamp
    ) throws(DocumentError) -> [UInt8] {
        let toggles = try UnleashResponse.toggles(of: body)
        let present = Set(toggles.elements.compactMap { Self.name(of: $0) })
        if let names {
            absences = Dictionary(names.map { ($0, absences[$0] ?? nil) }) { first, _ in first }
                .filter { !present.contains($0.key) }
        } else {
            absences = absences.filter { name, since in
                !present.contains(name) && since.map { now.seconds - $0.seconds <= CacheEviction.life } ?? true
            }
        }
        absences = absences.mapValues { $0 ?? now }
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
