import FlagModel
import FlagSourceSupport
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
    private(set) var schedule = FetchSchedule()
    /// Why it gave nothing when it was last asked; `nil` when it gave something.
    private(set) var problem: String?
    /// Why its answers could not be kept; `nil` while they can.
    private(set) var keepingProblem: String?
    private let kept: KeptValues

    /// What holds at the start: a file as it is now, anything else as it was kept.
    init(opening source: any RemoteSource, kept: KeptValues, activation: Activation, now: Timestamp) {
        self.source = source
        self.kept = kept
        active = kept.read(.active, of: source.identity).flatMap { Self.document($0, source) }
        waiting = kept.read(.fetched, of: source.identity).flatMap { Self.document($0, source) }
        schedule = FetchSchedule(lastAnswer: [active, waiting].compactMap { $0?.answer.fetchedAt }.max())
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
        case .unchanged:
            problem = nil
            schedule.answered(at: now)
            renew(at: now)
        case .values(let bytes, let version):
            let fresh = KeptValues.Answer(bytes: bytes, version: version, fetchedAt: now)
            do throws(DocumentError) {
                try take(fresh)
                problem = nil
                // Only now: what cannot be understood is no answer, and is asked for again.
                schedule.answered(at: now)
            } catch {
                problem = "\(source.name): \(error).\(keptSentence)"
            }
        }
    }

    private mutating func take(_ answer: KeptValues.Answer) throws(DocumentError) {
        guard answer.bytes != active?.answer.bytes else {
            waiting = nil
            keep { kept, identity throws(StorageError) in try kept.remove(.fetched, of: identity) }
            return renew(at: answer.fetchedAt)
        }
        waiting = Document(answer: answer, document: try source.decode(answer.bytes))
        keep { kept, identity throws(StorageError) in try kept.write(answer, .fetched, of: identity) }
    }

    /// Notes that the answer in use is still the newest one.
    private mutating func renew(at now: Timestamp) {
        guard let active else { return }
        var answer = active.answer
        answer.fetchedAt = now
        self.active = Document(answer: answer, document: active.document)
        keep { kept, identity throws(StorageError) in try kept.write(answer, .active, of: identity) }
    }

    /// Notes a failure; what is in use stays so.
    mutating func failed(_ error: SourceError, at now: Timestamp, chance: Double) {
        schedule.failed(error, at: now, chance: chance)
        note(error)
    }

    private mutating func note(_ error: SourceError) { problem = "\(error).\(keptSentence)" }

    private var keptSentence: String {
        active.map { " The values of \($0.answer.fetchedAt.rfc3339) stay in use." }
            ?? " There are no earlier values; defaults are in use."
    }

    /// Makes the answer that waits the one in use.
    mutating func activate() {
        guard let waiting else { return }
        let document = active.map { waiting.document.keepingCatalog(of: $0.document) } ?? waiting.document
        active = Document(answer: waiting.answer, document: document)
        self.waiting = nil
        keep { kept, identity throws(StorageError) in
            try kept.write(waiting.answer, .active, of: identity)
            try kept.remove(.fetched, of: identity)
        }
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
