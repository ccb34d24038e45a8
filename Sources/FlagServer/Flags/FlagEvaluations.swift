#if Server
import FlagModel
import FlagRemote
import NIOCore
import Synchronization

/// The evaluations of all flags at one moment, encoded when they are first requested.
///
/// Apps request the same flags again and again, and between two changes every response has the same bytes.
final class FlagEvaluations: Sendable {
    /// The evaluation of one flag.
    struct Evaluation: Sendable {
        /// The body of the response.
        let body: ByteBuffer
        let value: String?
        let layer: Layer?
    }

    /// The evaluation of all flags.
    struct BulkEvaluation: Sendable {
        let body: ByteBuffer
        /// The entity tag, which changes with the values.
        let tag: String
    }

    /// The flags, with the overrides of one client if it has any.
    let board: FlagBoard
    /// The names of the sources, by their place in the board's snapshot.
    let sources: [String]
    private let evaluations = Mutex<[String: Evaluation]>([:])
    private let bulkEvaluation = Mutex<BulkEvaluation?>(nil)

    init(_ board: FlagBoard, sources: [String]) {
        self.board = board
        self.sources = sources
    }

    /// The evaluation of a flag; `nil` if no layer has the key.
    func evaluation(of key: String) -> Evaluation? {
        if let evaluation = evaluations.withLock({ $0[key] }) { return evaluation }
        guard let facts = board.knownFacts(of: key) else { return nil }
        let evaluation = Evaluation(
            body: ByteBuffer(string: OFREPEvaluation.json(facts, source: source(of: facts.key)).text(indented: false)),
            value: facts.value, layer: facts.explanation.winner)
        // Only known keys are stored, so that unknown ones cannot fill the memory.
        evaluations.withLock { $0[key] = evaluation }
        return evaluation
    }

    /// The evaluation of all flags.
    var all: BulkEvaluation {
        if let evaluation = bulkEvaluation.withLock({ $0 }) { return evaluation }
        let flags = board.places.map { place in
            let facts = board.facts(at: place)
            return OFREPEvaluation.json(facts, source: source(of: facts.key))
        }
        let text = JSONOutput.object([("flags", .array(flags)), ("eventStreams", .array([Self.eventStream]))])
            .text(indented: false)
        let evaluation = BulkEvaluation(body: ByteBuffer(string: text), tag: "\"\(StableHash.text(text))\"")
        bulkEvaluation.withLock { $0 = evaluation }
        return evaluation
    }

    /// The stream that tells clients to evaluate again. Its path is relative to the address that the client uses.
    private static let eventStream = JSONOutput.object([
        ("type", .string("sse")), ("endpoint", .object([("requestUri", .string(OFREPRoutes.eventsPath))])),
        ("inactivityDelaySec", .integer(120)),
    ])

    /// The name of the source of a key's remote value.
    func source(of key: String) -> String? {
        board.snapshot.holders(of: FlagText(key)).first.flatMap {
            sources.indices.contains($0.place) ? sources[$0.place] : nil
        }
    }
}
#endif
