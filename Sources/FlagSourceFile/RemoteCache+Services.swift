import FlagModel
import FlagRemote

// What services have answered.
extension RemoteCache {
    func take(
        _ answer: Result<SourceAnswer, SourceError>, known: RemoteState.Source, now: Timestamp, chance: Double,
        writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        switch answer {
        case .failure(let error): return refused(known, error, now, chance, &writes)
        case .success(.unchanged): return unchanged(known, now, &writes)
        case .success(.values(let bytes, let version)):
            do throws(DocumentError) {
                return answered(try copy(bytes, version, of: known, now), of: known, now, &writes)
            } catch {
                let name = known.source.service?.name ?? known.source.identity
                return failed(known, SourceError(error, of: name))
            }
        }
    }

    private func copy(
        _ bytes: [UInt8], _ version: String?, of known: RemoteState.Source, _ now: Timestamp
    ) throws(DocumentError) -> RemoteState.Copy {
        let document = try known.source.document(bytes).keepingCatalog(of: known.active?.document)
        return RemoteState.Copy(
            document: document, fetchedAt: now, mark: .version(version), digest: StableHash.bytes(bytes), bytes: bytes)
    }

    /// The first answer holds at once, as there is nothing that it would change; a later one waits.
    private func answered(
        _ fresh: RemoteState.Copy, of known: RemoteState.Source, _ now: Timestamp, _ writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        let id = Self.id(of: known.source)
        var result = settled(known, now)
        if let active = known.active {
            // Content decides: what a service calls it may stand for more than is kept of it.
            if active.digest == fresh.digest {
                result.active = active.refetched(at: now, fresh.mark)
                if known.waiting != nil { writes.append(.remove(name: "\(id).fetched")) }
                result.waiting = nil
            } else if files.read("\(id).active") == fresh.bytes {
                // Another run has activated it. Here it waits, and there is nothing to store.
                result.waiting = fresh
                return result
            } else {
                result.waiting = fresh
                writes.append(.write(name: "\(id).fetched", bytes: fresh.bytes ?? []))
            }
        } else {
            result.active = fresh
            writes.append(.write(name: "\(id).active", bytes: fresh.bytes ?? []))
            result.active?.bytes = nil
        }
        writes.append(record(of: result))
        return result
    }

    private func unchanged(
        _ known: RemoteState.Source, _ now: Timestamp, _ writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        var result = settled(known, now)
        if let waiting = known.waiting {
            result.waiting = RemoteState.Copy(
                document: waiting.document, fetchedAt: now, mark: waiting.mark, digest: waiting.digest,
                bytes: waiting.bytes)
        } else {
            result.active = known.active.map { $0.refetched(at: now, $0.mark) }
        }
        writes.append(times(of: result))
        return result
    }

    private func settled(_ known: RemoteState.Source, _ now: Timestamp) -> RemoteState.Source {
        var result = known
        result.problem = nil
        result.hasAnswered = true
        result.failedAt = nil
        result.schedule.answered(at: now)
        return result
    }

    private func refused(
        _ known: RemoteState.Source, _ error: SourceError, _ now: Timestamp, _ chance: Double,
        _ writes: inout [CacheWrite]
    ) -> RemoteState.Source {
        var result = failed(known, error)
        result.schedule.failed(error, at: now, chance: chance)
        if known.active == nil, error.code.mayPass { result.failedAt = now }
        guard result.schedule != known.schedule || result.failedAt != known.failedAt else { return result }
        writes.append(times(of: result))
        return result
    }
}
