import FlagModel
import FlagStorage

/// The state of one source: the values in use, those that wait, and when it may be requested again. Pure except for
/// reading the cache when it is opened; what is to be cached waits in ``pending``.
struct SourceState: Sendable {
    private(set) var source: any RemoteSource
    let identity: SourceIdentity
    /// The context override that the source was made with.
    private(set) var contextOverride: OwnContext
    private(set) var active: FetchedDocument?
    /// A newer response that waits for activation.
    private(set) var fetched: FetchedDocument?
    /// Whether activating would change its values.
    private(set) var hasUpdate = false
    /// Why its last request failed; `nil` if it did not.
    private(set) var error: SourceError?
    private(set) var schedule = FetchSchedule()
    /// Whether it has responded, with success or not, in this run.
    private(set) var hasResponded = false
    /// What to cache.
    private(set) var pending = PendingWrites()
    private(set) var times = RemoteCache.Times()
    private let activation: Activation

    /// What to write, in this order.
    struct PendingWrites: Sendable {
        /// Whether the cached catalog comes from the active response, or is removed.
        var lending: Bool?
        var active: FetchedDocument?
        /// The outer `nil` for no change, the inner one for removal.
        var fetched: FetchedDocument??
        var times: RemoteCache.Times?

        var isEmpty: Bool { lending == nil && active == nil && fetched == nil && times == nil }
    }

    /// The newest response, active or not; the next request is for changes since then.
    var newest: FetchedDocument? { fetched ?? active }

    /// The source at the start: a file as it is now unless a fetched version of it waits, anything else from the cache.
    ///
    /// - Parameter isFromCache: whether a file is read from the cache, too.
    init(
        opening source: any RemoteSource, overriding contextOverride: OwnContext = OwnContext(), cache: RemoteCache,
        activation: Activation, isFromCache: Bool = false, now: Timestamp
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

    /// Reads a file, unless a fetched version of it waits.
    ///
    /// - Returns: `false` if nothing can be read without waiting.
    private mutating func openFile(_ cache: RemoteCache, _ now: Timestamp) throws(SourceError) -> Bool {
        guard case .values(let bytes, let version)? = try source.readSynchronously() else { return false }
        if activation == .manual, cache.header(.fetched, identity) != nil {
            openCached(cache, now)
            if active != nil, fetched != nil { return true }
        }
        try open(bytes, version, cache, now)
        return true
    }

    /// The file as it is now.
    private mutating func open(
        _ bytes: [UInt8], _ version: String?, _ cache: RemoteCache, _ now: Timestamp
    ) throws(SourceError) {
        var document = try decode(bytes)
        if document.isCatalogMalformed {
            openCached(cache, now)
            if let lender = active?.document {
                document = document.keepingCatalog(of: lender)
                if !lender.isCatalogMalformed { pending.lending = true }
            }
        }
        active = FetchedDocument(document: document, fetchedAt: now, version: version, content: .bytes(bytes))
        pending.active = active
        if fetched != nil || activation != .manual, cache.header(.fetched, identity) != nil {
            pending.fetched = .some(nil)
        }
        (fetched, hasUpdate, hasResponded) = (nil, false, true)
        schedule = FetchSchedule(lastResponse: now)
    }

    private mutating func openCached(_ cache: RemoteCache, _ now: Timestamp) {
        active = cached(.active, cache)
        if let document = active?.document, document.isCatalogMalformed, let lender = cached(.catalog, cache) {
            active = active?.replacing(document.keepingCatalog(of: lender.document))
        }
        fetched = cached(.fetched, cache).flatMap { $0.digest == active?.digest ? nil : withCatalog($0) }
        compare()
        schedule = FetchSchedule(
            lastResponse: [active, fetched].compactMap { $0?.fetchedAt }.max(), failures: times.failures,
            notBefore: times.retryAfter)
        noteUse(at: now)
    }

    private func cached(_ role: RemoteCache.Role, _ cache: RemoteCache) -> FetchedDocument? {
        // A cached response that can no longer be decoded counts as missing.
        guard let (header, bytes) = cache.read(role, identity), let document = try? source.decode(bytes) else {
            return nil
        }
        var fetchedAt = header.fetchedAt
        if let confirmed = times.confirmed, confirmed.digest == header.digest {
            fetchedAt = max(fetchedAt, confirmed.at)
        }
        // The bytes of a waiting response are needed again when it is activated.
        return FetchedDocument(
            document: document, fetchedAt: fetchedAt, version: header.version,
            content: role == .fetched ? .bytes(bytes) : .digest(header.digest))
    }

    /// Unused values are evicted eventually; a use is recorded about once a day.
    private mutating func noteUse(at now: Timestamp) {
        let last = [active?.fetchedAt, times.usedAt].compactMap { $0 }.max()
        guard active != nil, CacheEviction.isUseToBeNoted(of: identity, last: last, now: now) else { return }
        times.usedAt = now
        pending.times = times
    }

    private func decode(_ bytes: [UInt8]) throws(SourceError) -> RemoteDocument {
        do throws(DocumentError) {
            return try source.decode(bytes)
        } catch {
            throw malformed(error)
        }
    }

    func malformed(_ error: DocumentError) -> SourceError { SourceError(error, of: identity.path ?? source.name) }

    private func withCatalog(_ document: FetchedDocument) -> FetchedDocument {
        guard let lender = active?.document, document.document.isCatalogMalformed else { return document }
        return document.replacing(document.document.keepingCatalog(of: lender))
    }

    private mutating func compare() {
        hasUpdate =
            fetched.map { fetched in active.map { !fetched.document.saysTheSame(as: $0.document) } ?? true } ?? false
    }
}

// Responses.
extension SourceState {
    /// Whether a response has the bytes of a decoded one, so that it need not be decoded again.
    func knows(_ bytes: [UInt8]) -> Bool { active?.isMade(of: bytes) == true || fetched?.isMade(of: bytes) == true }

    /// Records that the known values are still the newest.
    mutating func confirm(at now: Timestamp) {
        guard let newest else {
            error = SourceError(
                code: .malformed, path: source.name,
                sentence: "the service says that nothing has changed, but nothing was fetched yet")
            return
        }
        responded(at: now)
        renew(newest.confirmed(at: now, version: newest.version), isRewritten: false)
    }

    /// Takes a response whose bytes are decoded already.
    mutating func confirm(_ bytes: [UInt8], version: String?, at now: Timestamp) {
        responded(at: now)
        guard let active, active.isMade(of: bytes) else {
            guard let fetched else { return }
            return renew(fetched.confirmed(at: now, version: version), isRewritten: fetched.version != version)
        }
        if fetched != nil { (fetched, hasUpdate, pending.fetched) = (nil, false, .some(nil)) }
        var renewed = active.confirmed(at: now, version: version)
        if active.version != version { renewed.content = .bytes(bytes) }
        renew(renewed, isRewritten: active.version != version)
    }

    private mutating func renew(_ document: FetchedDocument, isRewritten: Bool) {
        times.confirmed = (document.digest, document.fetchedAt)
        pending.times = times
        if fetched != nil {
            fetched = document
            if isRewritten { pending.fetched = .some(document) }
        } else {
            active = document
            if isRewritten || pending.active != nil { pending.active = document }
        }
    }

    /// Takes values that wait for activation, unless nothing is in use and activation is manual.
    mutating func take(_ document: RemoteDocument, _ bytes: [UInt8], version: String?, at now: Timestamp) {
        responded(at: now)
        let fresh = withCatalog(
            FetchedDocument(document: document, fetchedAt: now, version: version, content: .bytes(bytes)))
        if active == nil, activation == .manual {
            (active, pending.active) = (fresh, fresh)
        } else {
            (fetched, pending.fetched) = (fresh, .some(fresh))
        }
        compare()
    }

    private mutating func responded(at now: Timestamp) {
        (error, hasResponded) = (nil, true)
        let before = times
        schedule.responded(at: now)
        (times.failures, times.retryAfter, times.failedAt) = (schedule.failures, schedule.notBefore, nil)
        if times != before { pending.times = times }
    }

    /// Records a failure; the values in use stay.
    mutating func fail(_ error: SourceError, at now: Timestamp, chance: Double) {
        note(error)
        let before = times
        schedule.failed(error, at: now, chance: chance)
        (times.failures, times.retryAfter) = (schedule.failures, schedule.notBefore)
        if active == nil, error.isTransient { times.failedAt = now }
        if times != before { pending.times = times }
    }

    /// Records an error, without any effect on the next request.
    mutating func note(_ error: SourceError) { self.error = error }

    /// Activates the waiting values.
    ///
    /// - Returns: whether any waited.
    @discardableResult
    mutating func activate() -> Bool {
        guard let next = fetched else { return false }
        if !next.document.isCatalogMalformed {
            pending.lending = false
        } else if active?.document.isCatalogMalformed == false {
            pending.lending = true
        }
        (active, fetched, hasUpdate) = (next, nil, false)
        (pending.active, pending.fetched) = (next, .some(nil))
        return true
    }
}

// Other runs and other contexts.
extension SourceState {
    /// Takes over what another run has activated or fetched.
    ///
    /// - Returns: whether the values in use changed.
    mutating func reload(_ cache: RemoteCache) -> Bool {
        guard pending.active == nil, let header = cache.header(.active, identity),
            active.map({ header.digest != $0.digest && header.fetchedAt >= $0.fetchedAt }) ?? true,
            let other = cached(.active, cache)
        else { return false }
        // What this run has fetched since and not cached yet keeps waiting.
        let waiting = pending.fetched == nil ? cached(.fetched, cache) : fetched
        active = other
        fetched = waiting.flatMap { $0.digest == other.digest ? nil : withCatalog($0) }
        compare()
        return true
    }

    /// Decodes the same values in another way, such as with other conditions.
    ///
    /// - Returns: `false` if that fails; then nothing has changed.
    mutating func reread(
        by source: any RemoteSource, overriding contextOverride: OwnContext, cache: RemoteCache
    ) -> Bool {
        var result = self
        (result.source, result.contextOverride) = (source, contextOverride)
        if let active {
            guard let again = result.decoded(active, .active, cache) else { return false }
            result.active = again
        }
        result.fetched = fetched.flatMap { result.decoded($0, .fetched, cache) }
        result.compare()
        self = result
        return true
    }

    private func decoded(
        _ known: FetchedDocument, _ role: RemoteCache.Role, _ cache: RemoteCache
    ) -> FetchedDocument? {
        let bytes: [UInt8]
        if case .bytes(let own) = known.content {
            bytes = own
        } else if let (header, cached) = cache.read(role, identity), header.digest == known.digest {
            bytes = cached
        } else {
            return nil
        }
        return (try? source.decode(bytes)).map { known.replacing($0.keepingCatalog(of: known.document)) }
    }
}

// Caching.
extension SourceState {
    /// Takes out what is to be cached.
    mutating func takePending() -> PendingWrites {
        defer { pending = PendingWrites() }
        return pending
    }

    /// Records that writes are on the disk: the cache has the bytes of the values in use from now on.
    ///
    /// - Parameter digest: the digest of the written values in use.
    mutating func cached(_ writes: PendingWrites, digest: String?) {
        guard let written = writes.active, let active, case .bytes = active.content, pending.active == nil,
            active.version == written.version, active.isMade(of: written), let digest
        else { return }
        self.active?.content = .digest(digest)
    }

    /// Puts back what could not be written; newer writes stay.
    mutating func putBack(_ writes: PendingWrites) {
        pending = PendingWrites(
            lending: pending.lending ?? writes.lending, active: pending.active ?? writes.active,
            fetched: pending.fetched ?? writes.fetched, times: pending.times ?? writes.times)
    }
}

extension SourceState.PendingWrites {
    /// Writes everything. The earlier catalog is first, so that a full disk does not destroy its only copy.
    ///
    /// - Returns: the digest of the values in use; `nil` if they were not written.
    func write(to cache: RemoteCache, _ identity: SourceIdentity) throws(StorageError) -> String? {
        switch lending {
        case true?: try cache.copy(.active, to: .catalog, identity)
        case false?: try cache.remove(.catalog, identity)
        case nil: break
        }
        let digest = try active?.write(to: cache, .active, identity)
        switch fetched {
        case .some(let document?): _ = try document.write(to: cache, .fetched, identity)
        case .some(nil): try cache.remove(.fetched, identity)
        case nil: break
        }
        if let times { try cache.write(times, identity) }
        return digest
    }
}

extension FetchedDocument {
    /// Writes it unless the cache has it.
    ///
    /// - Returns: its digest.
    fileprivate func write(
        to cache: RemoteCache, _ role: RemoteCache.Role, _ identity: SourceIdentity
    ) throws(StorageError) -> String {
        guard case .bytes(let bytes) = content else { return digest }
        let known = cache.header(role, identity)
        // The version of a file consists of its size, time and inode, so it need not be hashed again.
        if identity.path != nil, version != nil, let known, known.version == version { return known.digest }
        let digest = digest
        // The header may be intact although the content is damaged.
        if let known, known.version == version, known.digest == digest, cache.read(role, identity)?.bytes == bytes {
            return digest
        }
        let header = RemoteCache.Header(version: version, fetchedAt: fetchedAt, digest: digest)
        try cache.write(bytes, header, role, identity)
        return digest
    }
}
