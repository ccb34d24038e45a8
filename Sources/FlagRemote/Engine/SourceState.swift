import FlagModel
import FlagStorage

/// The state of one source: the values in use, those that wait for activation, and when the source may be requested
/// again. The state reads the cache but does not write to it: ``pending`` collects the writes.
struct SourceState: Sendable {
    private(set) var source: any RemoteSource
    let identity: SourceIdentity
    /// The context override that the source was made with.
    private(set) var contextOverride: ContextOverride
    private(set) var active: FetchedDocument?
    /// A newer response that waits for activation.
    private(set) var fetched: FetchedDocument?
    /// Whether activating ``fetched`` would change the values in use.
    private(set) var hasUpdate = false
    /// Why the last request failed; `nil` if it did not.
    private(set) var error: SourceError?
    private(set) var schedule = FetchSchedule()
    /// Whether the source has responded in this run; a failure does not count.
    private(set) var hasResponded = false
    /// Changes that are not in the cache yet.
    private(set) var pending = PendingWrites()
    private(set) var times = RemoteCache.Times()
    private let activation: Activation

    /// Changes to write to the cache, in this order.
    struct PendingWrites: Sendable {
        /// `true` to copy the cached active response to the role `catalog`, `false` to remove the file `catalog`; `nil`
        /// for no change.
        var writesCatalog: Bool?
        var active: FetchedDocument?
        /// The outer `nil` means no change, the inner `nil` means to remove the file.
        var fetched: FetchedDocument??
        var times: RemoteCache.Times?

        var isEmpty: Bool { writesCatalog == nil && active == nil && fetched == nil && times == nil }
    }

    /// The newest response, active or not. The next request is for changes since this response.
    var newest: FetchedDocument? { fetched ?? active }

    /// The state at the start of a run. A file is read unless a fetched version of it waits for activation; all other
    /// values are read from the cache.
    ///
    /// - Parameter isFromCache: whether a file is read from the cache, too.
    init(
        opening source: any RemoteSource, overriding contextOverride: ContextOverride = ContextOverride(),
        cache: RemoteCache,
        activation: Activation, isFromCache: Bool = false, now: FlagTimestamp
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
        try open(bytes, version, cache, now)
        return true
    }

    /// Makes the current content of a file the values in use.
    private mutating func open(
        _ bytes: [UInt8], _ version: String?, _ cache: RemoteCache, _ now: FlagTimestamp
    ) throws(SourceError) {
        var document = try source.document(bytes)
        if document.isCatalogMalformed {
            openCached(cache, now)
            if let catalogDocument = active?.document {
                document = document.keepingCatalog(of: catalogDocument)
                if !catalogDocument.isCatalogMalformed { pending.writesCatalog = true }
            }
        }
        active = FetchedDocument(
            document: document, fetchedAt: now, version: version, digest: StableHash.bytes(bytes), bytes: bytes)
        pending.active = active
        if fetched != nil || activation != .manual, cache.header(.fetched, identity) != nil {
            pending.fetched = .some(nil)
        }
        (fetched, hasUpdate, hasResponded) = (nil, false, true)
        schedule = FetchSchedule(lastResponse: now)
    }

    private mutating func openCached(_ cache: RemoteCache, _ now: FlagTimestamp) {
        active = cached(.active, cache)
        if let document = active?.document, document.isCatalogMalformed, let catalogDocument = cached(.catalog, cache) {
            active = active?.replacing(document.keepingCatalog(of: catalogDocument.document))
        }
        fetched = cached(.fetched, cache).flatMap { $0.digest == active?.digest ? nil : withCatalog($0) }
        updateHasUpdate()
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
        let last = [active?.fetchedAt, times.usedAt].compactMap { $0 }.max()
        guard active != nil, CacheEviction.shouldRecordUse(of: identity, last: last, now: now) else { return }
        times.usedAt = now
        pending.times = times
    }

    /// The document. If its catalog is malformed, the catalog in use replaces it.
    private func withCatalog(_ document: FetchedDocument) -> FetchedDocument {
        guard let catalogDocument = active?.document, document.document.isCatalogMalformed else { return document }
        return document.replacing(document.document.keepingCatalog(of: catalogDocument))
    }

    private mutating func updateHasUpdate() {
        hasUpdate =
            fetched.map { fetched in active.map { !fetched.document.hasSameContent(as: $0.document) } ?? true } ?? false
    }
}

// Responses.
extension SourceState {
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
                (active, pending.active) = (fresh, fresh)
            } else {
                (fetched, pending.fetched) = (fresh, .some(fresh))
            }
            return updateHasUpdate()
        }
        // Otherwise only its time is written to the cache again.
        let isNewVersion = known.version != response.version
        if isNewVersion { known.bytes = response.bytes }
        (known.fetchedAt, known.version) = (now, response.version)
        (times.confirmed, times.confirmedAt) = (known.digest, now)
        pending.times = times
        if known.digest == active?.digest {
            if fetched != nil { (fetched, hasUpdate, pending.fetched) = (nil, false, .some(nil)) }
            active = known
            if isNewVersion || pending.active != nil { pending.active = known }
        } else {
            fetched = known
            if isNewVersion { pending.fetched = .some(known) }
        }
    }

    private mutating func responded(at now: FlagTimestamp) {
        (error, hasResponded) = (nil, true)
        let oldTimes = times
        schedule.responded(at: now)
        (times.failures, times.retryAfter, times.failedAt) = (schedule.failures, schedule.notBefore, nil)
        if times != oldTimes { pending.times = times }
    }

    /// Records a failure; the values in use stay.
    mutating func fail(_ error: SourceError, at now: FlagTimestamp, random: Double) {
        record(error)
        let oldTimes = times
        schedule.failed(error, at: now, random: random)
        (times.failures, times.retryAfter) = (schedule.failures, schedule.notBefore)
        if active == nil, error.isTransient { times.failedAt = now }
        if times != oldTimes { pending.times = times }
    }

    /// Records an error, without any effect on the next request.
    mutating func record(_ error: SourceError) { self.error = error }

    /// Activates the fetched values.
    ///
    /// - Returns: whether there were fetched values.
    @discardableResult
    mutating func activate() -> Bool {
        guard let next = fetched else { return false }
        if !next.document.isCatalogMalformed {
            pending.writesCatalog = false
        } else if active?.document.isCatalogMalformed == false {
            pending.writesCatalog = true
        }
        (active, fetched, hasUpdate) = (next, nil, false)
        (pending.active, pending.fetched) = (next, .some(nil))
        return true
    }
}

// Other runs and other contexts.
extension SourceState {
    /// Applies the values that another process has activated or fetched.
    ///
    /// - Returns: whether the values in use changed.
    mutating func reload(_ cache: RemoteCache) -> Bool {
        guard pending.active == nil, let header = cache.header(.active, identity),
            active.map({ header.digest != $0.digest && header.fetchedAt >= $0.fetchedAt }) ?? true,
            let activated = cached(.active, cache)
        else { return false }
        // A response that this run has fetched but not cached yet still waits for activation.
        let waiting = pending.fetched == nil ? cached(.fetched, cache) : fetched
        active = activated
        fetched = waiting.flatMap { $0.digest == activated.digest ? nil : withCatalog($0) }
        updateHasUpdate()
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
        result.updateHasUpdate()
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
}

// Caching.
extension SourceState {
    /// Returns ``pending`` and empties it.
    mutating func drainPending() -> PendingWrites {
        defer { pending = PendingWrites() }
        return pending
    }

    /// Records that writes are on disk. The bytes of the values in use are dropped from memory, as the cache has them
    /// now.
    mutating func cached(_ writes: PendingWrites) {
        guard let written = writes.active, pending.active == nil, active?.version == written.version,
            active?.digest == written.digest
        else { return }
        active?.bytes = nil
    }

    /// Puts failed writes back into ``pending``, unless newer writes are already there.
    mutating func putBack(_ writes: PendingWrites) {
        pending = PendingWrites(
            writesCatalog: pending.writesCatalog ?? writes.writesCatalog, active: pending.active ?? writes.active,
            fetched: pending.fetched ?? writes.fetched, times: pending.times ?? writes.times)
    }
}

extension SourceState.PendingWrites {
    /// Writes all changes. The earlier catalog is saved first, so that a full disk does not destroy its only copy.
    func write(to cache: RemoteCache, _ identity: SourceIdentity) throws(StorageError) {
        switch writesCatalog {
        case true?:
            if let (header, bytes) = cache.read(.active, identity) {
                try cache.write(bytes, header, .catalog, identity)
            }
        case false?: try cache.remove(.catalog, identity)
        case nil: break
        }
        try active?.write(to: cache, .active, identity)
        switch fetched {
        case .some(let document?): try document.write(to: cache, .fetched, identity)
        case .some(nil): try cache.remove(.fetched, identity)
        case nil: break
        }
        if let times { try cache.write(times, identity) }
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
