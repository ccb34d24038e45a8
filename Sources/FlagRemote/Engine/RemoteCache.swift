import FlagModel
import FlagStorage

/// The last good responses of sources on disk. For each source:
/// - `<id>.active`, the response in use;
/// - `<id>.fetched`, one that waits for activation;
/// - `<id>.catalog`, an older one whose catalog is in use while that of the active one is malformed;
/// - `<id>.state`, when it was confirmed, used, or failed, and the backoff.
///
/// Each file names its source in its first line, so that a file is either complete or ignored. Everything can be
/// fetched again, so losing it in a power cut is fine.
package struct RemoteCache: Sendable {
    /// A cached response.
    enum Role: String, CaseIterable {
        case active, fetched, catalog
    }

    /// A cached response without its content.
    struct Header: Sendable, Equatable {
        var version: String?
        var fetchedAt: Timestamp
        var digest: String
    }

    /// Times of a source.
    struct Times: Sendable, Equatable {
        /// How many times in a row it failed in a way that calls for backoff, and until when it is rate limited.
        var failures = 0
        var retryAfter: Timestamp?
        /// When the response with this digest was last confirmed.
        var confirmed: (digest: String, at: Timestamp)?
        /// When its values were last used, updated about once a day.
        var usedAt: Timestamp?
        /// When it failed although nothing was cached.
        var failedAt: Timestamp?

        static func == (left: Times, right: Times) -> Bool {
            left.failures == right.failures && left.retryAfter == right.retryAfter && left.usedAt == right.usedAt
                && left.failedAt == right.failedAt && left.confirmed?.digest == right.confirmed?.digest
                && left.confirmed?.at == right.confirmed?.at
        }
    }

    private static let format = 2
    private static let stateSuffix = "state"

    /// `nil` if nothing is cached.
    let folder: String?

    /// A cache in a folder; `nil` for no cache.
    package init(folder: String?) { self.folder = folder }

    /// Where a cached response is; `nil` if nothing is cached.
    package func path(ofActive identity: SourceIdentity) -> String? { path("active", identity) }

    /// A cached response; `nil` if the file is damaged or of another source.
    func read(_ role: Role, _ identity: SourceIdentity) -> (header: Header, bytes: [UInt8])? {
        guard let path = path(role.rawValue, identity), let parts = Self.parts(path, identity),
            let header = Header(parts.header)
        else { return nil }
        return (header, Array(parts.rest))
    }

    /// The header of a cached response, without reading all of it.
    func header(_ role: Role, _ identity: SourceIdentity) -> Header? {
        guard let path = path(role.rawValue, identity),
            let start = DurableFile.start(of: path, count: Self.headerLimit),
            let parts = Self.parts(start, identity)
        else { return nil }
        return Header(parts.header)
    }

    /// In bytes: the version of a service is at most 8 KiB.
    private static let headerLimit = 32 << 10

    func times(of identity: SourceIdentity) -> Times {
        guard let path = path(Self.stateSuffix, identity), let parts = Self.parts(path, identity) else {
            return Times()
        }
        return Times(parts.header)
    }

    func write(_ bytes: [UInt8], _ header: Header, _ role: Role, _ identity: SourceIdentity) throws(StorageError) {
        try write(header.members, followedBy: bytes, role.rawValue, identity)
    }

    func write(_ times: Times, _ identity: SourceIdentity) throws(StorageError) {
        try write(times.members, followedBy: [], Self.stateSuffix, identity)
    }

    /// Copies a response to another role; a missing one is not an error.
    func copy(_ role: Role, to other: Role, _ identity: SourceIdentity) throws(StorageError) {
        guard let (header, bytes) = read(role, identity) else { return }
        try write(bytes, header, other, identity)
    }

    func remove(_ role: Role, _ identity: SourceIdentity) throws(StorageError) {
        guard let path = path(role.rawValue, identity) else { return }
        try DurableFile.remove(path)
    }

    private func write(
        _ members: [(String, JSONOutput)], followedBy bytes: [UInt8], _ suffix: String, _ identity: SourceIdentity
    ) throws(StorageError) {
        guard let path = path(suffix, identity) else { return }
        let header = JSONOutput.object(
            [("format", .integer(Self.format)), ("source", .string(identity.text))] + members)
        let line = Array("\(header.text(indented: false))\n".utf8)
        try DurableFile.replace(path, with: line + bytes, durability: .atomicOnly)
    }

    private func path(_ suffix: String, _ identity: SourceIdentity) -> String? {
        folder.map { FilePath.join($0, "\(identity.fileName).\(suffix)") }
    }

    private static func parts(_ path: String, _ identity: SourceIdentity?) -> (
        header: JSONValue, rest: ArraySlice<UInt8>
    )? {
        // A file that cannot be read counts as missing.
        (try? DurableFile.read(path, limit: SourceFileBytes.sizeLimit)).flatMap { $0 }.flatMap { parts($0, identity) }
    }

    private static func parts(
        _ file: [UInt8], _ identity: SourceIdentity?
    ) -> (header: JSONValue, rest: ArraySlice<UInt8>)? {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let header = try? JSONDocument(parsing: Array(file[..<end])).root,
            header["format"]?.source == String(format), let source = header["source"]?.text?.string,
            identity.map({ $0.text == source }) ?? true
        else { return nil }
        return (header, file[(end + 1)...])
    }
}

extension RemoteCache {
    /// The cached identities, with the time of their last use or response; `nil` for never.
    var entries: [SourceIdentity: Timestamp?] {
        guard let folder else { return [:] }
        var found: [SourceIdentity: Timestamp?] = [:]
        let suffixes = Role.allCases.map(\.rawValue) + [Self.stateSuffix]
        // If a folder cannot be listed, nothing is evicted.
        for name in (try? DurableFile.names(in: folder)) ?? [] {
            guard suffixes.contains(where: { name.hasSuffix(".\($0)") }),
                let start = DurableFile.start(of: FilePath.join(folder, name), count: Self.headerLimit),
                let header = Self.parts(start, nil)?.header,
                let identity = (header["source"]?.text?.string).map({ SourceIdentity($0) }),
                name.hasPrefix("\(identity.fileName).")
            else { continue }
            let moments = ["fetchedAt", "retryAfter", "usedAt", "confirmedAt"].map { header.timestamp($0) }
            found[identity] = .some((moments + [found[identity] ?? nil]).compactMap { $0 }.max())
        }
        return found
    }

    /// The identity that a service is cached under if all but its environment is known, which depends on a credential:
    /// the environment follows a dot at the end of an identity. Of several environments, the one used last.
    ///
    /// - Returns: the identity itself if something is cached under it; `nil` if nothing is at all.
    package func cachedIdentity(of identity: SourceIdentity) -> SourceIdentity? {
        func isCached(_ identity: SourceIdentity) -> Bool { header(.active, identity) != nil }
        guard !isCached(identity) else { return identity }
        return newest { $0.text.hasPrefix("\(identity.text).") && isCached($0) }
    }

    /// The file that was read last, of those that are cached; `nil` if there is none.
    package var newestFile: String? { newest { $0.path != nil }?.path }

    /// The identity used last, of those that match.
    private func newest(where isMeant: (SourceIdentity) -> Bool) -> SourceIdentity? {
        entries.filter { isMeant($0.key) }.max { ($0.value?.seconds ?? 0) < ($1.value?.seconds ?? 0) }?.key
    }

    /// Removes the values of contexts that are no longer cached, by the rules of ``CacheEviction``.
    ///
    /// - Parameter inUse: the sources in use, whose values stay.
    func evict(besides inUse: Set<SourceIdentity>, now: Timestamp) throws(StorageError) {
        guard inUse.contains(where: { $0.service != nil }) else { return }
        for identity in CacheEviction.outdated(entries, besides: inUse, now: now) {
            for role in Role.allCases { try remove(role, identity) }
            if let path = path(Self.stateSuffix, identity) { try DurableFile.remove(path) }
        }
    }
}

extension RemoteCache.Header {
    fileprivate init?(_ header: JSONValue) {
        guard let fetchedAt = header.timestamp("fetchedAt"), let digest = header["digest"]?.text?.string else {
            return nil
        }
        self.init(version: header["version"]?.text?.string, fetchedAt: fetchedAt, digest: digest)
    }

    fileprivate var members: [(String, JSONOutput)] {
        [
            ("fetchedAt", .string(fetchedAt.rfc3339)), ("version", version.map(JSONOutput.string) ?? .null),
            ("digest", .string(digest)),
        ]
    }
}

extension RemoteCache.Times {
    fileprivate init(_ header: JSONValue) {
        failures = (header["failures"]?.source).flatMap { Int($0) } ?? 0
        retryAfter = header.timestamp("retryAfter")
        if let digest = header["confirmed"]?.text?.string, let moment = header.timestamp("confirmedAt") {
            confirmed = (digest, moment)
        }
        usedAt = header.timestamp("usedAt")
        failedAt = header.timestamp("failedAt")
    }

    fileprivate var members: [(String, JSONOutput)] {
        let moments: [(String, Timestamp?)] = [
            ("retryAfter", retryAfter), ("confirmedAt", confirmed?.at), ("usedAt", usedAt), ("failedAt", failedAt),
        ]
        return [("failures", .integer(failures)), ("confirmed", confirmed.map { .string($0.digest) } ?? .null)]
            + moments.compactMap { name, moment in moment.map { (name, .string($0.rfc3339)) } }
    }
}

extension JSONValue {
    fileprivate func timestamp(_ name: String) -> Timestamp? {
        self[name]?.text.flatMap { Timestamp(rfc3339: $0) }
    }
}
