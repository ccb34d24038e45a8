import FlagModel
import FlagRemote
import FlagStorage

/// The last good answers of sources on disk, for each one:
/// - `<id>.active`, what is in use;
/// - `<id>.fetched`, while that waits for its activation;
/// - `<id>.catalog`, an older answer whose catalog is in use while that of the active one is malformed;
/// - `<id>.throttled`, while the source wants to be left alone;
/// - `<id>.used`, where the values of a context were used long after they had come.
///
/// Each file says in its first line whose answer it is, from when, and what the source called it, so that it is whole or of
/// no use. It can be fetched again, so a power cut may take it.
struct KeptValues: Sendable {
    /// An answer with its circumstances.
    struct Answer: Sendable, Hashable {
        var bytes: [UInt8]
        var version: String?
        var fetchedAt: Timestamp
    }

    enum Role: String, CaseIterable {
        case active, fetched, catalog, throttled, used
    }

    /// `nil` where nothing is kept.
    let folder: String?
    /// The identities of the sources in use, whose values stay however old they are.
    var inUse: Set<String> = []

    /// How long a source wants to be left alone, and how often it was asked in vain.
    struct Throttling: Sendable, Hashable {
        var failures: Int
        var notBefore: Timestamp
    }

    /// What was kept; a damaged file, or one of another source, is the same as none.
    func read(_ role: Role, of identity: String) -> Answer? {
        guard let (header, bytes) = parts(role, of: identity), let fetchedAt = Self.time("fetchedAt", in: header) else {
            return nil
        }
        return Answer(bytes: bytes, version: header["version"]?.text?.string, fetchedAt: fetchedAt)
    }

    /// The same for the wish of a source to be left alone.
    func readThrottling(of identity: String) -> Throttling? {
        guard let (header, _) = parts(.throttled, of: identity), let notBefore = Self.time("notBefore", in: header),
            let failures = (header["failures"]?.source).flatMap({ Int($0) })
        else { return nil }
        return Throttling(failures: failures, notBefore: notBefore)
    }

    private func parts(_ role: Role, of identity: String) -> (header: JSONValue, bytes: [UInt8])? {
        guard let path = path(role, of: identity), let parts = Self.parts(path),
            parts.header["source"]?.text?.string == identity
        else { return nil }
        return (parts.header, Array(parts.rest))
    }

    private static func parts(_ path: String) -> (header: JSONValue, rest: ArraySlice<UInt8>)? {
        guard let file = try? DurableFile.read(path, limit: SourceFileBytes.sizeLimit),
            let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let header = try? JSONDocument(parsing: Array(file[..<end])).root
        else { return nil }
        return (header, file[(end + 1)...])
    }

    private static func time(_ name: String, in header: JSONValue) -> Timestamp? {
        header[name]?.text.flatMap { Timestamp(rfc3339: $0) }
    }

    /// Keeps an answer.
    func write(_ answer: Answer, _ role: Role, of identity: String) throws(StorageError) {
        let facts: [(String, JSONOutput)] = [
            ("fetchedAt", .string(answer.fetchedAt.rfc3339)),
            ("version", answer.version.map(JSONOutput.string) ?? .null),
        ]
        let isNew = role == .active && path(role, of: identity).map { (try? DurableFile.exists($0)) != true } == true
        try write(facts, followedBy: answer.bytes, role, of: identity)
        // Only then are there more than before. What cannot be removed takes room and does no harm.
        if isNew { try? removeOldContexts(besides: inUse.union([identity]), now: answer.fetchedAt) }
    }

    /// Removes the values of contexts that are not kept any longer, as ``KeptContexts`` says.
    private func removeOldContexts(besides inUse: Set<String>, now: Timestamp) throws(StorageError) {
        guard let folder, inUse.contains(where: { KeptContexts.service(of: $0) != nil }) else { return }
        var known: [String: Timestamp?] = [:]
        // In a folder that cannot be listed nothing is too old.
        for name in (try? DurableFile.names(in: folder)) ?? [] {
            guard Role.allCases.contains(where: { name.hasSuffix(".\($0.rawValue)") }),
                let (header, _) = Self.parts("\(folder)/\(name)"), let identity = header["source"]?.text?.string,
                name.hasPrefix("\(StableHash.text(identity)).")
            else { continue }
            let moments = ["fetchedAt", "notBefore", "usedAt"].map { Self.time($0, in: header) }
            known[identity] = (moments + [known[identity] ?? nil]).compactMap { $0 }.max()
        }
        for identity in KeptContexts.outdated(known, besides: inUse, now: now) {
            for role in Role.allCases { try remove(role, of: identity) }
        }
    }

    /// Notes that an answer is used, where that was not noted for a day or so: what nobody uses is forgotten in the end, however
    /// often the service cannot be reached.
    func noteUse(of answer: Answer, of identity: String, now: Timestamp) throws(StorageError) {
        let noted = parts(.used, of: identity).flatMap { Self.time("usedAt", in: $0.header) }
        let last = max(answer.fetchedAt, noted ?? answer.fetchedAt)
        guard KeptContexts.isUseToBeNoted(of: identity, last: last, now: now) else { return }
        try write([("usedAt", .string(now.rfc3339))], followedBy: [], .used, of: identity)
    }

    /// Keeps how long a source wants to be left alone.
    func write(_ throttling: Throttling, of identity: String) throws(StorageError) {
        let facts: [(String, JSONOutput)] = [
            ("failures", .integer(throttling.failures)), ("notBefore", .string(throttling.notBefore.rfc3339)),
        ]
        try write(facts, followedBy: [], .throttled, of: identity)
    }

    private func write(
        _ facts: [(String, JSONOutput)], followedBy bytes: [UInt8], _ role: Role, of identity: String
    ) throws(StorageError) {
        guard let path = path(role, of: identity) else { return }
        let header = JSONOutput.object([("format", .integer(1)), ("source", .string(identity))] + facts)
        let line = Array("\(header.text(indented: false))\n".utf8)
        try DurableFile.replace(path, with: line + bytes, durability: .atomicOnly)
    }

    /// Forgets an answer; one that is not there is no error.
    func remove(_ role: Role, of identity: String) throws(StorageError) {
        guard let path = path(role, of: identity) else { return }
        try DurableFile.remove(path)
    }

    private func path(_ role: Role, of identity: String) -> String? {
        folder.map { "\($0)/\(StableHash.text(identity)).\(role.rawValue)" }
    }
}
