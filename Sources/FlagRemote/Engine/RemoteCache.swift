import FlagModel
import FlagStorage

/// The last good responses of sources on disk. For each source:
/// - `<id>.active`, the response in use;
/// - `<id>.fetched`, a response that waits for activation;
/// - `<id>.catalog`, an older response whose catalog is in use while the catalog of the active response is malformed;
/// - `<id>.state`, the times of the last confirmation, use and failure of the source, and its backoff.
///
/// The first line of each file names the source; a file without this line is ignored. All content can be fetched again,
/// so losing a file in a power cut is fine.
package struct RemoteCache: Sendable {
    /// The use of a cached file; the raw value is its extension.
    enum Role: String, CaseIterable {
        case active, fetched, catalog, state
    }

    /// The metadata of a cached response.
    struct Header: Sendable, Equatable {
        var version: String?
        var fetchedAt: FlagTimestamp
        var digest: String
    }

    /// The content of a source's state file.
    struct Times: Sendable, Equatable {
        /// How many times in a row the source failed; see ``FetchSchedule/failures``.
        var failures = 0
        /// Until when the source is rate limited; see ``FetchSchedule/notBefore``.
        var retryAfter: FlagTimestamp?
        /// The digest of the response that was confirmed last.
        var confirmed: String?
        var confirmedAt: FlagTimestamp?
        /// When the source's values were last used, updated about once a day.
        var usedAt: FlagTimestamp?
        /// When the source last failed while it had no values.
        var failedAt: FlagTimestamp?
    }

    private static let format = 2

    /// The folder of the cache; `nil` to cache nothing.
    let folder: String?

    /// A cache in a folder; `nil` to cache nothing.
    package init(folder: String?) { self.folder = folder }

    /// The path of the cached response in use, whether the file exists or not; `nil` without a folder.
    package func path(ofActive identity: SourceIdentity) -> String? { path(.active, identity) }

    /// A cached response; `nil` if the file is missing, damaged, or of another source.
    func read(_ role: Role, _ identity: SourceIdentity) -> (header: Header, bytes: [UInt8])? {
        file(role, identity).flatMap { file in Header(file.header).map { ($0, Array(file.content)) } }
    }

    /// The header of a cached response. Reads only the start of the file.
    func header(_ role: Role, _ identity: SourceIdentity) -> Header? {
        file(role, identity, isStart: true).flatMap { Header($0.header) }
    }

    /// The maximum length of a header, in bytes. The longest part of a header, the response's version, has at most 8
    /// KiB.
    private static let headerLimit = 32 << 10

    func times(of identity: SourceIdentity) -> Times { file(.state, identity).map { Times($0.header) } ?? Times() }

    func write(_ bytes: [UInt8], _ header: Header, _ role: Role, _ identity: SourceIdentity) throws(StorageError) {
        try write(header.members, followedBy: bytes, role, identity)
    }

    func write(_ times: Times, _ identity: SourceIdentity) throws(StorageError) {
        try write(times.members, followedBy: [], .state, identity)
    }

    func remove(_ role: Role, _ identity: SourceIdentity) throws(StorageError) {
        guard let path = path(role, identity) else { return }
        try DurableFile.remove(path)
    }

    private func write(
        _ members: [(String, JSONOutput)], followedBy bytes: [UInt8], _ role: Role, _ identity: SourceIdentity
    ) throws(StorageError) {
        guard let path = path(role, identity) else { return }
        let header = JSONOutput.object(
            [("format", .integer(Self.format)), ("source", .string(identity.text))] + members)
        let line = Array("\(header.text(indented: false))\n".utf8)
        try DurableFile.replace(path, with: line + bytes, durability: .atomicOnly)
    }

    private func path(_ role: Role, _ identity: SourceIdentity) -> String? {
        folder.map { FilePath.join($0, "\(identity.fileName).\(role.rawValue)") }
    }

    private func file(
        _ role: Role, _ identity: SourceIdentity, isStart: Bool = false
    ) -> (header: JSONValue, content: ArraySlice<UInt8>)? {
        guard let path = path(role, identity) else { return nil }
        // A file that cannot be read counts as missing.
        let bytes =
            isStart
            ? DurableFile.start(of: path, count: Self.headerLimit)
            : (try? DurableFile.read(path, limit: SourceFileBytes.sizeLimit)) ?? nil
        return bytes.flatMap { Self.split($0, identity) }
    }

    /// The header and the content of a file; `nil` if the header is damaged or names another source.
    ///
    /// - Parameter identity: the expected source; `nil` for any.
    private static func split(
        _ file: [UInt8], _ identity: SourceIdentity?
    ) -> (header: JSONValue, content: ArraySlice<UInt8>)? {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let header = try? JSONDocument(parsing: Array(file[..<end])).root,
            header["format"]?.source == String(format), let source = header["source"]?.text?.string,
            identity.map({ $0.text == source }) ?? true
        else { return nil }
        return (header, file[(end + 1)...])
    }

    /// The cached identities, each with the time of its last use or response; 1970 if there was none.
    var entries: [SourceIdentity: FlagTimestamp] {
        guard let folder else { return [:] }
        var entries: [SourceIdentity: FlagTimestamp] = [:]
        // If a folder cannot be listed, nothing is evicted.
        for name in (try? DurableFile.names(in: folder)) ?? [] {
            guard Role.allCases.contains(where: { name.hasSuffix(".\($0)") }),
                let start = DurableFile.start(of: FilePath.join(folder, name), count: Self.headerLimit),
                let header = Self.split(start, nil)?.header,
                let identity = (header["source"]?.text?.string).map({ SourceIdentity($0) }),
                name.hasPrefix("\(identity.fileName).")
            else { continue }
            let moments = ["fetchedAt", "retryAfter", "usedAt", "confirmedAt"].map { header.timestamp($0) }
            entries[identity] = (moments + [entries[identity]]).compactMap { $0 }.max() ?? FlagTimestamp(seconds: 0)
        }
        return entries
    }

    /// Finds the identity that a service's values are cached under if the environment is not known, as it depends on a
    /// credential. A cached identity ends in a dot and the environment.
    ///
    /// - Returns: the identity itself if values are cached under it, else the most recently used identity of any
    ///   environment; `nil` if no values are cached.
    package func cachedIdentity(of identity: SourceIdentity) -> SourceIdentity? {
        func isCached(_ identity: SourceIdentity) -> Bool { header(.active, identity) != nil }
        guard !isCached(identity) else { return identity }
        return lastUsed { $0.text.hasPrefix("\(identity.text).") && isCached($0) }
    }

    /// The path of the most recently used file source in the cache; `nil` if there is none.
    package var lastUsedFile: String? { lastUsed { $0.path != nil }?.path }

    /// The most recently used identity that matches.
    private func lastUsed(where matches: (SourceIdentity) -> Bool) -> SourceIdentity? {
        entries.filter { matches($0.key) }.max { $0.value < $1.value }?.key
    }

    /// Removes the files of the identities that ``CacheEviction`` finds outdated.
    ///
    /// - Parameter inUse: the sources in use, whose values stay.
    func evict(besides inUse: Set<SourceIdentity>, now: FlagTimestamp) throws(StorageError) {
        guard inUse.contains(where: { $0.service != nil }) else { return }
        for identity in CacheEviction.outdated(entries, besides: inUse, now: now) {
            for role in Role.allCases { try remove(role, identity) }
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
        confirmed = header["confirmed"]?.text?.string
        confirmedAt = header.timestamp("confirmedAt")
        usedAt = header.timestamp("usedAt")
        failedAt = header.timestamp("failedAt")
    }

    fileprivate var members: [(String, JSONOutput)] {
        let moments: [(String, FlagTimestamp?)] = [
            ("retryAfter", retryAfter), ("confirmedAt", confirmedAt), ("usedAt", usedAt), ("failedAt", failedAt),
        ]
        return [("failures", .integer(failures)), ("confirmed", confirmed.map(JSONOutput.string) ?? .null)]
            + moments.compactMap { name, moment in moment.map { (name, .string($0.rfc3339)) } }
    }
}

/// Which cached values are removed. Each context of a service has its own identity and cached values, so trying
/// contexts for months would fill the folder.
package enum CacheEviction {
    /// The maximum number of cached contexts of one service. Mobile clients of one vendor cache 5, but a tester
    /// switches between more users than a phone has. 20 lists of 1,000 flags take about 2 MB.
    static let limit = 20

    /// How long an unused context is cached, in seconds: 30 days, longer than a release is tested for.
    package static let life: Int64 = 30 * 86_400

    /// How often a use of cached values is recorded, in seconds: once a day, so that reading values rarely writes to
    /// disk. Eviction treats a use like a response of the service.
    static let recordInterval: Int64 = 86_400

    /// The identities whose values are removed: identities unused for longer than ``life`` and, if a service has more
    /// than ``limit`` identities, the least recently used ones. Identities in use, files, and services without an
    /// identity in use are never removed.
    ///
    /// - Parameters:
    ///   - cached: the cached identities, each with the time of its last use or response.
    ///   - inUse: the identities of the sources in use.
    static func outdated(
        _ cached: [SourceIdentity: FlagTimestamp], besides inUse: Set<SourceIdentity>, now: FlagTimestamp
    ) -> [SourceIdentity] {
        let services = Dictionary(grouping: inUse, by: \.service)
        let unused = cached.filter { !inUse.contains($0.key) }
        return services.flatMap { service, used -> [SourceIdentity] in
            guard let service else { return [] }
            return unused.filter { $0.key.service == service }
                .map { (identity: $0.key, lastUse: $0.value.seconds) }
                .sorted { ($0.lastUse, $0.identity.text) > ($1.lastUse, $1.identity.text) }
                .enumerated()
                .filter { rank, entry in rank + used.count >= limit || now.seconds - entry.lastUse > life }
                .map(\.element.identity)
        }
    }
}
