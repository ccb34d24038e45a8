import FlagModel
import FlagRemote
import FlagStorage

/// What is known of one source: the answer in use, one that waits, and when to ask again.
struct SourceShelf: Sendable {
    /// An answer that was understood.
    struct Document: Sendable {
        let answer: KeptValues.Answer
        let document: RemoteDocument
    }

    let source: any RemoteSource
    private(set) var active: Document?
    private(set) var waiting: Document?
    /// The last one with a catalog that can be read, where that of ``active`` cannot.
    private var catalogLender: Document?
    private(set) var schedule = FetchSchedule()
    /// Why it gave nothing when it was last asked; `nil` when it gave something.
    private(set) var problem: String?
    /// Why its answers could not be kept; `nil` while they can.
    private(set) var keepingProblem: String?
    private let kept: KeptValues

    /// The last answer, in use or not: what the source is asked for news since.
    var newest: Document? { waiting ?? active }

    /// What holds at the start: a file as it is now, anything else as it was kept.
    init(opening source: any RemoteSource, kept: KeptValues, activation: Activation, now: Timestamp) {
        self.source = source
        self.kept = kept
        catalogLender = kept.read(.catalog, of: source.identity).flatMap { Self.document($0, source) }
        active = kept.read(.active, of: source.identity).flatMap { Self.document($0, source) }
        active = active.map(withCatalog)
        waiting = kept.read(.fetched, of: source.identity).flatMap { Self.document($0, source) }
        let throttling = kept.readThrottling(of: source.identity)
        schedule = FetchSchedule(
            lastAnswer: [active, waiting].compactMap { $0?.answer.fetchedAt }.max(),
            failures: throttling?.failures ?? 0, notBefore: throttling?.notBefore)
        if let used = active?.answer {
            keep { kept, identity throws(StorageError) in try kept.noteUse(of: used, of: identity, now: now) }
        }
        readAtOnce(now)
        if activation == .nextLaunch { activate() }
    }

    private static func document(_ answer: KeptValues.Answer, _ source: any RemoteSource) -> Document? {
        (try? source.decode(answer.bytes)).map { Document(answer: answer, document: $0) }
    }

    private mutating func readAtOnce(_ now: Timestamp) {
        do throws(SourceError) {
            guard let answer = try source.readAtOnce() else { return }
            take(answer, at: now)
            activate()
        } catch {
            note(error)
        }
    }

    /// Takes an answer that waits from now on, unless it says what is in use anyway.
    mutating func take(_ answer: SourceAnswer, at now: Timestamp) {
        switch answer {
        case .unchanged where newest == nil:
            problem = "\(source.name): the answer is that nothing has changed, but nothing is there yet.\(keptSentence)"
        case .unchanged:
            answered(at: now)
            if let waiting {
                renew(waiting, as: .fetched, version: waiting.answer.version, at: now)
            } else if let active {
                renew(active, as: .active, version: active.answer.version, at: now)
            }
        case .values(let bytes, let version):
            let fresh = KeptValues.Answer(bytes: bytes, version: version, fetchedAt: now)
            do throws(DocumentError) {
                try take(fresh)
                // Only now: what cannot be understood is no answer, and is asked for again.
                answered(at: now)
            } catch {
                problem = "\(source.name): \(error.asSentence)" + keptSentence
            }
        }
    }

    private mutating func answered(at now: Timestamp) {
        problem = nil
        let wasThrottled = schedule.notBefore != nil
        schedule.answered(at: now)
        guard wasThrottled, schedule.notBefore == nil else { return }
        keep { kept, identity throws(StorageError) in try kept.remove(.throttled, of: identity) }
    }

    private mutating func take(_ answer: KeptValues.Answer) throws(DocumentError) {
        if let active, answer.bytes == active.answer.bytes {
            waiting = nil
            return renew(active, as: .active, version: answer.version, at: answer.fetchedAt)
        }
        if let waiting, answer.bytes == waiting.answer.bytes {
            return renew(waiting, as: .fetched, version: answer.version, at: answer.fetchedAt)
        }
        waiting = Document(answer: answer, document: try source.decode(answer.bytes))
        keep { kept, identity throws(StorageError) in try kept.write(answer, .fetched, of: identity) }
    }

    /// Notes that an answer is still the newest one, by whatever name the source calls it now.
    private mutating func renew(_ known: Document, as role: KeptValues.Role, version: String?, at now: Timestamp) {
        let answer = KeptValues.Answer(bytes: known.answer.bytes, version: version, fetchedAt: now)
        let renewed = Document(answer: answer, document: known.document)
        if role == .active { active = renewed } else { waiting = renewed }
        let isWaiting = waiting != nil
        keep { kept, identity throws(StorageError) in
            try kept.write(answer, role, of: identity)
            if !isWaiting { try kept.remove(.fetched, of: identity) }
        }
    }

    /// Notes a failure; what is in use stays so.
    mutating func failed(_ error: SourceError, at now: Timestamp, chance: Double) {
        let known = schedule
        schedule.failed(error, at: now, chance: chance)
        note(error)
        guard schedule != known, let notBefore = schedule.notBefore else { return }
        let throttling = KeptValues.Throttling(failures: schedule.failures, notBefore: notBefore)
        keep { kept, identity throws(StorageError) in try kept.write(throttling, of: identity) }
    }

    private mutating func note(_ error: SourceError) { problem = error.asSentence + keptSentence }

    private var keptSentence: String {
        active.map { " The values of \($0.answer.fetchedAt.rfc3339) stay in use." }
            ?? " There are no earlier values; defaults are in use."
    }

    /// Makes the answer that waits the one in use.
    mutating func activate() {
        guard let waiting else { return }
        let known = catalogLender?.answer
        catalogLender = lender(for: waiting)
        let lent = catalogLender?.answer
        active = withCatalog(waiting)
        self.waiting = nil
        keep { kept, identity throws(StorageError) in
            // First, so that a full disk does not take the only copy of the good catalog.
            if let lent, lent != known { try kept.write(lent, .catalog, of: identity) }
            try kept.write(waiting.answer, .active, of: identity)
            try kept.remove(.fetched, of: identity)
            if lent == nil, known != nil { try kept.remove(.catalog, of: identity) }
        }
    }

    /// Whose catalog to use with the next answer; `nil` where that has its own.
    private func lender(for next: Document) -> Document? {
        guard next.document.isCatalogMalformed else { return nil }
        guard let active, !active.document.isCatalogMalformed, active.document.catalog != nil else {
            return catalogLender
        }
        return active
    }

    private func withCatalog(_ own: Document) -> Document {
        guard let catalogLender else { return own }
        return Document(answer: own.answer, document: own.document.keepingCatalog(of: catalogLender.document))
    }

    /// Values never depend on what is kept: where nothing can be, the next start has no last good ones.
    private mutating func keep(_ body: (KeptValues, _ identity: String) throws(StorageError) -> Void) {
        do throws(StorageError) {
            try body(kept, source.identity)
            keepingProblem = nil
        } catch {
            keepingProblem = "The last good values of \(source.name) could not be kept for the next start: \(error)"
        }
    }
}
