#if Server
import FlagModel
import FlagRemote
import NIOCore
import Synchronization

/// The evaluations of all flags at one moment, encoded when they are first requested.
///
/// Apps request the same flags again and again, and between two changes every response has the same bytes.
final class FlagAnswers: Sendable {
    /// The evaluation of one flag.
    struct Answer: Sendable {
        /// The body of the response.
        let body: ByteBuffer
        let value: String?
        let layer: Layer?
    }

    /// The evaluation of all flags.
    struct BulkAnswer: Sendable {
        let body: ByteBuffer
        /// The entity tag, which changes with the values.
        let tag: String
    }

    /// The flags, with the overrides of one client if it has any.
    let board: FlagBoard
    /// The names of the sources, by their place in the board's snapshot.
    let sources: [String]
    private let answers = Mutex<[String: Answer]>([:])
    private let bulkAnswer = Mutex<BulkAnswer?>(nil)

    init(_ board: FlagBoard, sources: [String]) {
        self.board = board
        self.sources = sources
    }

    /// The evaluation of a flag; `nil` if no layer has the key.
    func answer(for key: String) -> Answer? {
        if let answer = answers.withLock({ $0[key] }) { return answer }
        guard let facts = facts(of: key) else { return nil }
        let answer = Answer(
            body: ByteBuffer(string: OFREPEvaluation.json(facts, source: source(of: facts.key)).text(indented: false)),
            value: facts.value, layer: facts.explanation.winner)
        // Only known keys are stored, so that unknown ones cannot fill the memory.
        answers.withLock { $0[key] = answer }
        return answer
    }

    /// The evaluation of all flags.
    var all: BulkAnswer {
        if let answer = bulkAnswer.withLock({ $0 }) { return answer }
        let flags = board.places.map { place in
            let facts = board.facts(at: place)
            return OFREPEvaluation.json(facts, source: source(of: facts.key))
        }
        let text = JSONOutput.object([("flags", .array(flags)), ("eventStreams", .array([Self.eventStream]))])
            .text(indented: false)
        let answer = BulkAnswer(body: ByteBuffer(string: text), tag: "\"\(StableHash.text(text))\"")
        bulkAnswer.withLock { $0 = answer }
        return answer
    }

    /// The stream that tells clients to evaluate again. Its path is relative to the address that the client uses.
    private static let eventStream = JSONOutput.object([
        ("type", .string("sse")), ("endpoint", .object([("requestUri", .string(OFREPRoutes.eventsPath))])),
        ("inactivityDelaySec", .integer(120)),
    ])

    /// The facts of a key; `nil` if no layer has it.
    func facts(of key: String) -> FlagFacts? {
        let text = FlagText(key)
        guard board.place(of: text) != nil || board.values.text(of: key, in: .launch) != nil else { return nil }
        return board.facts(of: text)
    }

    /// The name of the source of a key's remote value.
    func source(of key: String) -> String? {
        board.snapshot.holders(of: FlagText(key)).first.flatMap {
            sources.indices.contains($0.place) ? sources[$0.place] : nil
        }
    }
}
#endif
