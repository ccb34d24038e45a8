import FlagModel
import FlagStorage

/// The state of one source: the values in use, those that wait for activation, and when the source may be requested
/// again. The state reads the cache, and ``save(to:)`` writes what has changed.
struct SourceState: Sendable {
    private(set) var source: any RemoteSource
    let identity: SourceIdentity
    /// The context override that the source was made with.
    private(set) var contextOverride: ContextOverride
    var active: FetchedDocument?
    /// A newer response that waits for activation.
    private(set) var fetched: FetchedDocument?
    /// Why the last request failed; `nil` if it did not.
    private(set) var error: SourceError?
    private(set) var schedule = FetchSchedule() {
        didSet { (times.failures, times.retryAfter) = (schedule.failures, schedule.notBefore) }
    }
    /// Whether the source has responded in this run; a failure does not count.
    private(set) var hasResponded = false
    private(set) var times = RemoteCache.Times() {
        didSet { if times != oldValue { unsaved.append(.state) } }
    }
    /// The files of the cache whose contents have changed since they were written, some more than once. Not a set, as
    /// the first set of a type makes the runtime search all conformances.
    var unsaved: [RemoteCache.Role] = []
    private let activation: Activation

    /// The newest response, active or not. The next request is for changes since this response.
    var newest: FetchedDocument? { fetched ?? active }

    /// The state at the start of a run. A file is read unless a fetched version of it waits for activation; all other
    /// values are read from the cache.
    ///
    /// - Parameter isFromCache: whether a file is read from the cache, too.
    init(
        opening source: any RemoteSource, overriding contextOverride: ContextOverride = ContextOverride(),
        cache: RemoteCache, activation: Activation, isFromCache: Bool = false, now: FlagTimestamp
    ) {
        (self.source, identity, self.contextOverride) = (source, source.identity, contextOverride)
        self.activation = activation
        times = cache.times(of: identity)
        do throws(SourceError) {
            let isRead = isFromCache ? false : try openFile(cache, now)
            if !isRead { openCached(cache, now) }
        } catch {
            openCached(cache, now)
            self.error = error
        }
        if activation == .nextLaunch { activate() }
    }

    /// Reads a file, or its cached values if a fetched version of it waits for activation.
    ///
    /// - Returns: `false` if the source cannot be read without waiting, such as a source on the network.
    private mutating func openFile(_ cache: RemoteCache, _ now: FlagTimestamp) throws(SourceError) -> Bool {
        guard case .values(let bytes, let version)? = try source.readSynchronously() else { return false }
        if activation == .manual, cache.header(.fetched, identity) != nil {
            openCached(cache, now)
            if active != nil, fetched != nil { return true }
        }
        var document = try source.document(bytes)
        if document.isCatalogMalformed {
            openCached(cache, now)
            if let catalogDocument = active?.document {
                document = document.keepingCatalog(of: catalogDocument)
                if !catalogDocument.isCatalogMalformed { unsaved.append(.catalog) }
            }
        }
        active = FetchedDocument(
            document: document, fetchedAt: now, version: version, digest: StableHash.document(bytes), bytes: bytes)
        unsaved.append(.active)
        if fetched != nil || activation != .manual, cache.header(.fetched, identity) != nil {
            unsaved.append(.fetched)
        }
        (fetched, hasResponded) = (nil, true)
        schedule = FetchSchedule(lastResponse: now)
        return true
    }

    private mutating func openCached(_ cache: RemoteCache, _ now: FlagTimestamp) {
        active = cached(.active, cache)
        if let document = active?.document, document.isCatalogMalformed, let catalogDocument = cached(.catalog, cache) {
            active = active?.replacing(document.keepingCatalog(of: catalogDocument.document))
        }
        fetched = cached(.fetched, cache).flatMap { $0.digest == active?.digest ? nil : withCatalog($0) }
        schedule = FetchSchedule(
            lastResponse: [active, fetched].compactMap { $0?.fetchedAt }.max(), failures: times.failures,
            notBefore: times.retryAfter)
        recordUse(at: now)
    }

    private func cached(_ role: RemoteCache.Role, _ cache: RemoteCache) -> FetchedDocument? {
        // A cached response that can no longer be decoded counts as missing.
        guard let (header, bytes) = cache.read(role, identity), let document = try? source.decode(bytes) else {
            return nil
        }
        let confirmedAt = times.confirmed == header.digest ? times.confirmedAt : nil
        // The bytes of a waiting response are needed again when it is activated.
        return FetchedDocument(
            document: document, fetchedAt: max(header.fetchedAt, confirmedAt ?? header.fetchedAt),
            version: header.version,
            digest: header.digest, bytes: role == .fetched ? bytes : nil)
    }

    /// Records, about once a day, that the cached values are used, so that they are not evicted.
    private mutating func recordUse(at now: FlagTimestamp) {
        guard let active, identity.service != nil else { return }
        let last = max(active.fetchedAt, times.usedAt ?? active.fetchedAt)
        if now.seconds - last.seconds > CacheEviction.recordInterval { times.usedAt = now }
    }

    /// The document. If its catalog is malformed, the catalog in use replaces it.
    private func withCatalog(_ document: FetchedDocument) -> FetchedDocument {
        guard let catalogDocument = active?.document, document.document.isCatalogMalformed else { return document }
        return document.replacing(document.document.keepingCatalog(of: catalogDocument))
    }

    // Responses.

    /// A response, decoded; `nil` if the source has nothing newer. Large documents are decoded without a lock.
    func decoded(_ result: FetchResult, at now: FlagTimestamp) throws(SourceError) -> FetchedDocument? {
        try FetchedDocument.decoded(result, by: source, known: [active, fetched], at: now)
    }

    /// Records a response; `nil` if the source has nothing newer than ``newest``. New values wait for activation, unless
    /// no values are in use and activation is manual.
    mutating func receive(_ response: FetchedDocument?, at now: FlagTimestamp) {
        guard let response = response ?? newest else { return record(.nothingFetched(source.name)) }
        responded(at: now)
        guard var known = [active, fetched].lazy.compactMap({ $0 }).first(where: { $0.digest == response.digest })
        else {
            let fresh = withCatalog(response)
            if active == nil, activation == .manual {
                active = fresh
                unsaved.append(.active)
            } else {
                fetched = fresh
                unsaved.append(.fetched)
            }
            return
        }
        // Otherwise only its time is written to the cache again.
        let isNewVersion = known.version != response.version
        if isNewVersion { known.bytes = response.bytes }
        (known.fetchedAt, known.version) = (now, response.version)
        (times.confirmed, times.confirmedAt) = (known.digest, now)
        if known.digest == active?.digest {
            if fetched != nil { unsaved.append(.fetched) }
            (active, fetched) = (known, nil)
            if isNewVersion { unsaved.append(.active) }
        } else {
            fetched = known
            if isNewVersion { unsaved.append(.fetched) }
        }
    }

    private mutating func responded(at now: FlagTimestamp) {
        (error, hasResponded, times.failedAt) = (nil, true, nil)
        schedule.responded(at: now)
    }

    /// Records a failure; the values in use stay.
    mutating func fail(_ error: SourceError, at now: FlagTimestamp, random: Double) {
        record(error)
        schedule.failed(error, at: now, random: random)
        if active == nil, error.isTransient { times.failedAt = now }
    }

    /// Records an error, without any effect on the next request.
    mutating func record(_ error: SourceError) { self.error = error }

    /// Activates the fetched values.
    ///
    /// - Returns: whether there were fetched values.
    @discardableResult
    mutating func activate() -> Bool {
        guard let next = fetched else { return false }
        if !next.document.isCatalogMalformed || active?.document.isCatalogMalformed == false {
            unsaved.append(.catalog)
        }
        (active, fetched) = (next, nil)
        unsaved += [.active, .fetched]
        return true
    }

    // Other runs and other contexts.

    /// Applies the values that another process has activated or fetched.
    ///
    /// - Returns: whether the values in use changed.
    mutating func reload(_ cache: RemoteCache) -> Bool {
        guard !unsaved.contains(.active), let header = cache.header(.active, identity),
            active.map({ header.digest != $0.digest && header.fetchedAt >= $0.fetchedAt }) ?? true,
            let activated = cached(.active, cache)
        else { return false }
        // A response that this run has fetched but not cached yet still waits for activation.
        let waiting = unsaved.contains(.fetched) ? fetched : cached(.fetched, cache)
        active = activated
        fetched = waiting.flatMap { $0.digest == activated.digest ? nil : withCatalog($0) }
        return true
    }

    /// Decodes the same responses again with a source for another context or other conditions.
    ///
    /// - Returns: `false` if the values in use cannot be decoded; then nothing has changed.
    mutating func reread(
        by source: any RemoteSource, overriding contextOverride: ContextOverride, cache: RemoteCache
    ) -> Bool {
        var result = self
        (result.source, result.contextOverride) = (source, contextOverride)
        if let active {
            guard let redecoded = result.decoded(active, .active, cache) else { return false }
            result.active = redecoded
        }
        result.fetched = fetched.flatMap { result.decoded($0, .fetched, cache) }
        self = result
        return true
    }

    private func decoded(
        _ old: FetchedDocument, _ role: RemoteCache.Role, _ cache: RemoteCache
    ) -> FetchedDocument? {
        let cached = old.bytes == nil ? cache.read(role, identity) : nil
        guard let bytes = old.bytes ?? (cached?.header.digest == old.digest ? cached?.bytes : nil),
            let document = try? source.decode(bytes)
        else { return nil }
        return old.replacing(document.keepingCatalog(of: old.document))
    }

    // Caching.

    /// Writes what has changed. The earlier catalog is saved first, so that a full disk does not destroy its only copy.
    func save(to cache: RemoteCache) throws(StorageError) {
        if unsaved.contains(.catalog) {
            // The catalog in use is that of the response before the one in use, which is still in the cache.
            if active?.document.isCatalogMalformed == true, let (header, bytes) = cache.read(.active, identity) {
                try cache.write(bytes, header, .catalog, identity)
            } else if active?.document.isCatalogMalformed == false {
                try cache.remove(.catalog, identity)
            }
        }
        if unsaved.contains(.active) { try active?.write(to: cache, .active, identity) }
        if unsaved.contains(.fetched) {
            if let fetched {
                try fetched.write(to: cache, .fetched, identity)
            } else {
                try cache.remove(.fetched, identity)
            }
        }
        if unsaved.contains(.state) { try cache.write(times, identity) }
    }

    /// Records that the state was saved. The bytes of the values in use are dropped from memory, as the cache has them
    /// now.
    mutating func didSave(_ saved: SourceState) {
        guard saved.unsaved.contains(.active), !unsaved.contains(.active), active?.version == saved.active?.version,
            active?.digest == saved.active?.digest
        else { return }
        active?.bytes = nil
    }
}

extension FetchedDocument {
    /// Writes the response unless the cache already has it.
    fileprivate func write(
        to cache: RemoteCache, _ role: RemoteCache.Role, _ identity: SourceIdentity
    ) throws(StorageError) {
        guard let bytes else { return }
        // The header of a service's response may be intact although the content is damaged; a file is read again.
        if let old = cache.header(role, identity), old.version == version, old.digest == digest,
            identity.path != nil || cache.read(role, identity)?.bytes == bytes
        {
            return
        }
        let header = RemoteCache.Header(version: version, fetchedAt: fetchedAt, digest: digest)
        try cache.write(bytes, header, role, identity)
    }
}
