#if Server
import FlagModel
import FlagQueries
import FlagRemote
import NIOCore
import Synchronization

/// The evaluations of all flags at one moment, encoded when they are first requested.
///
/// Apps request the same flags again and again, and between two changes every response has the same bytes. Encoding
/// thousands of flags takes long, so it is done once, and on a thread of its own, as it would delay other requests.
final class FlagEvaluations: Sendable {
    /// The evaluation of one flag.
    struct Evaluation: Sendable {
        /// The body of the response.
        let body: ByteBuffer
        let value: String?
        let layer: FlagLayer?
    }

    /// The evaluation of all flags.
    struct BulkEvaluation: Sendable {
        let body: ByteBuffer
        /// The entity tag, which changes with the values.
        let tag: String
    }

    /// The flags, with the overrides of one client if it has any.
    let board: FlagBoard
    /// The number of changes before this moment.
    let revision: Int
    /// The name of each source, by its place in the board's snapshot.
    let sourceNames: [String?]
    private let evaluations = Mutex<FlagTable<Evaluation>>([:])
    private let bulkEvaluation = EncodedOnce<BulkEvaluation>()
    private let fullList = EncodedOnce<ByteBuffer>()

    init(_ board: FlagBoard, revision: Int, sourceNames: [String?]) {
        self.board = board
        self.revision = revision
        self.sourceNames = sourceNames
    }

    /// The evaluation of a flag; `nil` if no layer has the key.
    func evaluation(of key: String) -> Evaluation? {
        if let evaluation = evaluations.withLock({ $0[key] }) { return evaluation }
        guard let facts = board.knownFacts(of: key) else { return nil }
        let evaluation = Evaluation(
            body: ByteBuffer(string: json(facts).text(indented: false)), value: facts.value,
            layer: facts.explanation.winner)
        // Only known keys are stored, so that unknown ones cannot fill the memory.
        evaluations.withLock { $0[key] = evaluation }
        return evaluation
    }

    /// The evaluation of all flags.
    var all: BulkEvaluation {
        get async {
            await bulkEvaluation.value {
                let flags = self.board.places.map { self.json(self.board.facts(at: $0)) }
                let text = JSONOutput.object([("flags", .array(flags)), ("eventStreams", .array([Self.eventStream]))])
                    .text(indented: false)
                return BulkEvaluation(body: ByteBuffer(string: text), tag: "\"\(StableHash.text(text))\"")
            }
        }
    }

    /// The stream that tells clients to evaluate again. Its path is relative to the address that the client uses.
    private static let eventStream = JSONOutput.object([
        ("type", .string("sse")), ("endpoint", .object([("requestUri", .string(OFREPRoutes.eventsPath))])),
        ("inactivityDelaySec", .integer(120)),
    ])

    private func json(_ facts: FlagFacts) -> JSONOutput {
        OFREPEvaluation.json(
            facts, source: sourceName(of: facts), conditions: board.snapshot.conditions(of: FlagText(facts.key)))
    }

    /// The list of all flags as the management API sends it.
    var list: ByteBuffer {
        get async { await fullList.value { ByteBuffer(json: self.list(of: self.board.places)) } }
    }

    /// A list of flags as the management API sends it.
    func list(of places: [FlagBoard.Place]) -> JSONOutput {
        .object([
            ("revision", .integer(revision)), ("flags", .array(places.map { listed(board.facts(at: $0)) })),
        ])
    }

    /// A flag as the management API sends it.
    func listed(_ facts: FlagFacts) -> JSONOutput {
        FlagJSON.listed(facts, category: board.categoryName(of: facts), source: sourceName(of: facts))
    }

    private func sourceName(of facts: FlagFacts) -> String? {
        board.snapshot.sourceName(of: FlagText(facts.key), among: sourceNames)
    }
}

/// A value that takes long to encode: it is encoded when it is first needed, once, on a thread of its own.
private final class EncodedOnce<Value: Sendable>: Sendable {
    private let encoding = Mutex<Task<Value, Never>?>(nil)

    /// The value, which `encode` returns.
    func value(_ encode: @escaping @Sendable () -> Value) async -> Value {
        let task = encoding.withLock { encoding in
            let task = encoding ?? Task(executorPreference: OwnThreads.server) { encode() }
            encoding = task
            return task
        }
        return await task.value
    }
}
#endif
