public import FlagModel
import FlagRemote

/// The last good copies of sources, and fetched ones that wait.
///
/// Files are read here. Services are asked by whoever has the time to wait, and what they say is handed in.
///
/// Each source has `<id>.active` and `<id>.fetched`, its content byte by byte, and `<id>.json`, where they came from; a
/// service also `<id>.catalog`, an older answer whose catalog is in use while that of the active one is malformed. A
/// run reads the file as it is now and takes that for active, except while an explicit fetch waits. A file that cannot
/// be read or parsed never replaces anything. Nothing here writes: what has to be stored comes from `RemoteState.takeWrites`, to
/// be handed to `store` when there is time.
public struct RemoteCache: Sendable {
    let files: CacheFiles

    /// A cache in a folder.
    public init(files: CacheFiles) { self.files = files }

    /// What the files say at the start of a run, and what services have said last.
    public func open(_ sources: [KeptSource], now: Timestamp) -> RemoteState {
        state(of: sources) { source, writes in open(source, now: now, writes: &writes) }
    }

    /// Reads the files again and takes what services have answered. What differs from the active document waits, so that
    /// no value changes by itself.
    ///
    /// - Parameters:
    ///   - answers: what services have said; one that was not asked stays as it was.
    ///   - current: the state of this run; left out, the active documents are those that the cache has.
    ///   - chance: in `0..<1`, for the share of a wait that keeps many clients apart.
    public func fetch(
        _ sources: [KeptSource], answers: SourceAnswers = [:], current: RemoteState? = nil, now: Timestamp,
        chance: Double = 0.5
    ) -> RemoteState {
        state(of: sources) { source, writes in
            let known = current?.sources.first { $0.source == source } ?? stored(source)
            switch source {
            case .file(let file): return fetch(file, known: known, now: now, writes: &writes)
            case .service:
                let known = known ?? RemoteState.Source(source: source)
                guard let answer = answers[source.identity] else { return known }
                return take(answer, known: known, now: now, chance: chance, writes: &writes)
            }
        }
    }

    /// The same with services only: files stay as they were read.
    public func take(
        _ answers: SourceAnswers, current: RemoteState, now: Timestamp, chance: Double = 0.5
    ) -> RemoteState {
        var result = current
        for (index, known) in current.sources.enumerated() {
            guard known.source.service != nil, let answer = answers[known.source.identity] else { continue }
            result.sources[index] = take(answer, known: known, now: now, chance: chance, writes: &result.writes)
        }
        return result
    }

    /// The same sources as they are composed by now, such as for another context: what was kept of them is read in their
    /// new way, and no file is read again where that is not needed.
    ///
    /// - Parameter current: the state of this run, of the sources as they were.
    public func reopen(_ sources: [KeptSource], current: RemoteState?, now: Timestamp) -> RemoteState {
        // What could not be stored yet, or not at all, is known all the same.
        let cache = RemoteCache(files: files.after(current?.writes ?? []))
        var result = state(of: sources) { source, writes in
            let known = current?.sources.first { $0.source == source }
            guard var fresh = cache.stored(source), fresh.active != nil else {
                var opened = open(source, now: now, writes: &writes)
                // What a service has said stands until it is asked again, be it only that it said nothing.
                if source.service != nil { opened.take(known) }
                return opened
            }
            fresh = used(fresh, now, &writes)
            fresh.take(known)
            return fresh
        }
        result.writes = (current?.writes ?? []) + result.writes
        return result
    }

    /// Whom a service is to be asked about, with the version that is known of it.
    public func stored(_ sources: [KeptSource]) -> [RemoteState.Source] {
        sources.map { stored($0) ?? RemoteState.Source(source: $0) }
    }

    /// Makes the waiting documents the active ones.
    ///
    /// - Parameter current: the state of this run; left out, the documents are those that the cache has.
    public func activate(_ sources: [KeptSource], current: RemoteState? = nil, now: Timestamp) -> RemoteState {
        state(of: sources) { source, writes in
            guard let known = current?.sources.first(where: { $0.source == source }) ?? stored(source) else {
                return open(source, now: now, writes: &writes)
            }
            // What nobody fetched is not looked at: activating changes nothing but what waits.
            guard let waiting = known.waiting else { return known }
            var result = known
            result.waiting = nil
            let id = Self.id(of: source)
            // A file is read anew at each start, and its last good copy stays for its catalog alone.
            let isKept = source.service != nil || !waiting.document.isCatalogMalformed
            if isKept, let bytes = waiting.bytes ?? files.read("\(id).fetched") {
                if source.service != nil { writes += lending(from: known, to: waiting.document) }
                result.active = waiting
                writes.append(.write(name: "\(id).active", bytes: bytes))
            }
            writes += [record(of: result), .remove(name: "\(id).fetched")]
            result.active = waiting
            result.active?.bytes = nil
            return result
        }
    }

    /// What keeps the last good catalog of a service for an answer whose own is malformed, and drops it once that is none.
    private func lending(from known: RemoteState.Source, to next: SourceDocument) -> [CacheWrite] {
        let name = Self.lenderName(of: known.source)
        guard next.isCatalogMalformed else { return files.read(name) == nil ? [] : [.remove(name: name)] }
        guard known.active?.document.isCatalogMalformed == false,
            let bytes = files.read("\(Self.id(of: known.source)).active")
        else { return [] }
        return [.write(name: name, bytes: bytes)]
    }

    /// The files that change whenever another run fetches or activates, for whoever follows them.
    public func recordNames(of sources: [KeptSource]) -> [String] { sources.map { "\(Self.id(of: $0)).json" } }

    /// Stores what a state asks for. Values never depend on it: a cache that cannot be written costs the last good copy.
    public func store(_ writes: [CacheWrite]) throws {
        for write in writes {
            switch write {
            case .write(let name, let bytes): try files.write(name, bytes)
            case .amend(let name, let record):
                try files.write(name, CacheRecord.amended(files.read(name), by: record))
            case .remove(let name): try files.remove(name)
            }
        }
    }

    private func state(
        of sources: [KeptSource], _ read: (KeptSource, inout [CacheWrite]) -> RemoteState.Source
    ) -> RemoteState {
        var state = RemoteState()
        for source in sources { state.sources.append(read(source, &state.writes)) }
        return state
    }

    private func open(_ source: KeptSource, now: Timestamp, writes: inout [CacheWrite]) -> RemoteState.Source {
        switch source {
        case .file(let file): open(file, now: now, writes: &writes)
        case .service: stored(source).map { used($0, now, &writes) } ?? RemoteState.Source(source: source)
        }
    }

    /// What is stored of a source that is in use from now on, which is noted every day or so: what nobody uses is forgotten in the
    /// end, however often the service cannot be reached.
    private func used(
        _ known: RemoteState.Source, _ now: Timestamp, _ writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        guard known.active != nil, var record = storedRecord(known.source),
            KeptContexts.isUseToBeNoted(of: record.source, last: record.lastUse, now: now)
        else { return known }
        var result = known
        (record.usedAt, result.usedAt) = (now, now)
        writes.append(.amend(name: "\(Self.id(of: known.source)).json", record: record.bytes))
        return result
    }

    private func open(_ file: FileSource, now: Timestamp, writes: inout [CacheWrite]) -> RemoteState.Source {
        let source = KeptSource.file(file)
        let record = storedRecord(source)
        if record?.fetched != nil, let known = stored(source), known.active != nil, known.waiting != nil {
            return known
        }
        do throws(SourceError) {
            let reading = try file.read()
            var result = RemoteState.Source(source: source)
            result.active = copy(of: reading, now: now, lastGood: { stored(source)?.active?.document })
            if record?.active?.mark != .file(reading.fingerprint), !reading.document.isCatalogMalformed {
                writes += [
                    .write(name: "\(Self.id(of: source)).active", bytes: reading.bytes), self.record(of: result),
                ]
            }
            result.active?.bytes = nil
            return result
        } catch {
            return failed(stored(source) ?? RemoteState.Source(source: source), error)
        }
    }

    private func fetch(
        _ file: FileSource, known: RemoteState.Source?, now: Timestamp, writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        // With nothing to keep, the first good document becomes active at once.
        guard var result = known, let active = result.active else { return open(file, now: now, writes: &writes) }
        let source = KeptSource.file(file)
        do throws(SourceError) {
            let reading = try file.read()
            let id = Self.id(of: source)
            let hadWaiting = result.waiting != nil
            result.problem = nil
            if isSame(reading, as: active, of: source) {
                result.waiting = nil
                result.active = active.refetched(at: now, .file(reading.fingerprint))
                if hadWaiting { writes += [record(of: result), .remove(name: "\(id).fetched")] }
            } else if result.waiting?.mark != .file(reading.fingerprint) {
                result.waiting = copy(of: reading, now: now, lastGood: { active.document })
                writes += [.write(name: "\(id).fetched", bytes: reading.bytes), record(of: result)]
            }
            return result
        } catch {
            return failed(result, error)
        }
    }

    /// Whether a reading is the active document still. Bytes decide where the cache has them: a file may change within
    /// one tick of its clock, and be written anew without a change.
    private func isSame(_ reading: SourceReading, as active: RemoteState.Copy, of source: KeptSource) -> Bool {
        guard storedRecord(source)?.active?.mark == active.mark,
            let bytes = files.read("\(Self.id(of: source)).active")
        else { return .file(reading.fingerprint) == active.mark }
        return bytes == reading.bytes
    }

    func failed(_ known: RemoteState.Source, _ error: SourceError) -> RemoteState.Source {
        var result = known
        result.problem = RemoteState.Problem(error: error, lastGood: known.active?.fetchedAt)
        return result
    }

    /// A fresh copy; a malformed catalog is replaced by the last good one.
    private func copy(
        of reading: SourceReading, now: Timestamp, lastGood: () -> SourceDocument?
    ) -> RemoteState.Copy {
        let isMalformed = reading.document.isCatalogMalformed
        let document = isMalformed ? reading.document.keepingCatalog(of: lastGood()) : reading.document
        return RemoteState.Copy(
            document: document, fetchedAt: now, mark: .file(reading.fingerprint), digest: nil, bytes: reading.bytes)
    }
}

extension RemoteCache {
    /// What the cache knows about a source without looking at the source.
    private func stored(_ source: KeptSource) -> RemoteState.Source? {
        guard let record = storedRecord(source) else { return nil }
        let id = Self.id(of: source)
        var result = RemoteState.Source(source: source)
        result.active = record.active.flatMap {
            stored($0, of: source, name: "\(id).active", lastGood: lender(to: source))
        }
        result.waiting = record.fetched.flatMap {
            stored($0, of: source, name: "\(id).fetched", lastGood: result.active?.document)
        }
        result.schedule = FetchSchedule(failures: record.failures, notBefore: record.notBefore)
        (result.usedAt, result.failedAt) = (record.usedAt, record.failedAt)
        return result
    }

    /// The older answer whose catalog is in use while that of the active one is malformed.
    private func lender(to source: KeptSource) -> SourceDocument? {
        guard source.service != nil else { return nil }
        return files.read(Self.lenderName(of: source)).flatMap { try? source.document($0) }
    }

    private func stored(
        _ copy: CacheRecord.Copy, of source: KeptSource, name: String, lastGood: @autoclosure () -> SourceDocument?
    ) -> RemoteState.Copy? {
        // A damaged copy is the same as none: the source itself is read instead.
        guard let bytes = files.read(name), var document = try? source.document(bytes) else { return nil }
        if document.isCatalogMalformed { document = document.keepingCatalog(of: lastGood()) }
        let digest = source.service == nil ? nil : StableHash.bytes(bytes)
        // Two runs that store at once can leave the content of one beside the record of the other. It is a good copy, but no
        // version that the service knows is known to be its own.
        let isOfRecord = copy.digest == nil || copy.digest == digest
        return RemoteState.Copy(
            document: document, fetchedAt: copy.fetchedAt,
            mark: isOfRecord ? copy.mark : .version(nil), digest: digest)
    }

    private func storedRecord(_ source: KeptSource) -> CacheRecord? {
        files.read("\(Self.id(of: source)).json").flatMap { CacheRecord(parsing: $0, source: source.identity) }
    }

    /// The record of a state whose copies are stored with it.
    func record(of state: RemoteState.Source) -> CacheWrite {
        .write(name: "\(Self.id(of: state.source)).json", bytes: CacheRecord(state).bytes)
    }

    /// The record of a state of which only times are new.
    func times(of state: RemoteState.Source) -> CacheWrite {
        .amend(name: "\(Self.id(of: state.source)).json", record: CacheRecord(state).bytes)
    }

    /// A name for the files of a source, the same in every run.
    static func id(of source: KeptSource) -> String { id(of: source.identity) }

    static func id(of identity: String) -> String { StableHash.text(identity) }

    private static func lenderName(of source: KeptSource) -> String { "\(id(of: source)).catalog" }
}

extension RemoteState.Copy {
    func refetched(at now: Timestamp, _ mark: CopyMark) -> RemoteState.Copy {
        RemoteState.Copy(document: document, fetchedAt: now, mark: mark, digest: digest, bytes: nil)
    }
}

extension CacheRecord {
    fileprivate init(_ state: RemoteState.Source) {
        self.init(source: state.source.identity)
        active = state.active.map(Copy.init)
        fetched = state.waiting.map(Copy.init)
        notBefore = state.schedule.notBefore
        failures = state.schedule.failures
        (usedAt, failedAt) = (state.usedAt, state.failedAt)
    }
}

extension CacheRecord.Copy {
    fileprivate init(_ copy: RemoteState.Copy) {
        self.init(mark: copy.mark, fetchedAt: copy.fetchedAt, digest: copy.digest)
    }
}

extension SourceDocument {
    var isCatalogMalformed: Bool {
        if case .remote(let document) = self { document.isCatalogMalformed } else { false }
    }

    /// The same document with an older catalog where its own is malformed.
    func keepingCatalog(of lastGood: SourceDocument?) -> SourceDocument {
        guard case .remote(let document) = self, case .remote(let old)? = lastGood else { return self }
        return .remote(document.keepingCatalog(of: old))
    }
}
