#if Server
import FlagModel
import FlagQueries
import FlagRemote
import NIOCore
import NIOPosix
import Synchronization

/// The evaluations of all flags at one moment, which are encoded together when all are first requested.
///
/// Apps request the same flags again and again, and between two changes every response has the same bytes. Encoding
/// thousands of flags takes long, so it is done once, and on a thread of its own, as it would delay other requests.
final class FlagEvaluations: Sendable {
    /// The response with all flags, and its entity tag, which changes with the values.
    typealias BulkEvaluation = (body: ByteBuffer, tag: String)

    /// The flags, with the overrides of one client if it has any.
    let board: FlagBoard
    /// The number of changes before this moment.
    let revision: Int
    /// The sources, by their places in the board's snapshot.
    let sources: [ServedSource]
    /// The flags that clients have overrides of their own of; `nil` if that may be any.
    let clientKeys: Set<FlagText>?
    private let encoded = Mutex<Task<BulkEvaluation, any Error>?>(nil)
    /// The evaluations for requests that need others than these, made when they are first needed.
    private let others = Mutex<[Requester: FlagEvaluations]>([:])
    /// How many others are remembered.
    private static let limit = 200
    /// How many flags these have in total at most. Each may take a kilobyte, in the responses that have it.
    private static let flagLimit = 200_000

    /// What the evaluations for a request depend on, besides the shared ones.
    private struct Requester: Hashable {
        /// The client's own overrides.
        let overrides: FlagTable<FlagOverride>
        /// That of the remote values, if they depend on the context.
        let version: Int?
    }

    init(_ board: FlagBoard, revision: Int, sources: [ServedSource] = [], clientKeys: Set<FlagText>? = []) {
        (self.board, self.revision, self.sources, self.clientKeys) = (board, revision, sources, clientKeys)
    }

    /// The evaluations with overrides of a client, which win over the shared ones.
    ///
    /// - Parameter values: the remote values for the client's context; `nil` for those of the project's context.
    func evaluations(
        overriding overrides: FlagTable<FlagOverride>, _ values: EvaluationContexts.Values?
    ) -> FlagEvaluations {
        if overrides.isEmpty, values == nil { return self }
        let requester = Requester(overrides: overrides, version: values?.version)
        return others.withLock { others in
            if let existing = others[requester] { return existing }
            var board = board
            if let values {
                board.replaceSnapshot(
                    values.remote.snapshot(defaults: board.values.defaults, declared: board.snapshot.declared))
            }
            board.replaceOverrides(board.values.overrides.merging(overrides) { _, own in own })
            let new = FlagEvaluations(
                board, revision: revision, sources: values?.sources ?? sources, clientKeys: clientKeys)
            if others.count >= Self.limit || others.count * board.places.count >= Self.flagLimit { others = [:] }
            others[requester] = new
            return new
        }
    }

    /// The response with a flag, of which no layer has the key if there are no facts.
    ///
    /// - Throws: that the flag is not known. The error suggests no other keys: searching thousands of flags for each
    ///   unknown key would delay other requests.
    func evaluation(_ facts: FlagFacts?, of key: String) throws(APIError) -> ByteBuffer {
        let layer = facts?.explanation.winner
        if layer == nil || layer == .default { try requireSources() }
        if let facts { return ByteBuffer(string: json(facts).text(indented: false)) }
        if let failed = sources.first(where: { !$0.hasValues && $0.error != nil }) { throw failed.failure }
        throw APIError(.flagNotFound, "\(JSONOutput.quoted(key, limit: 80)) is not a flag.")
    }

    /// Requires that all sources have responded or failed, as a default could be wrong otherwise.
    func requireSources() throws(APIError) {
        if let waiting = sources.first(where: \.isWaiting) { throw waiting.failure }
    }

    /// The evaluation of all flags.
    func all() async throws -> BulkEvaluation {
        let task = encoded.withLock { encoded in
            let task = encoded ?? Task { try await Threads.reading.runIfActive { self.encodedAll() } }
            encoded = task
            return task
        }
        return try await task.value
    }

    private func encodedAll() -> BulkEvaluation {
        let flags = board.places.map { json(board.facts(at: $0)) }
        let text = JSONOutput.object([("flags", .array(flags)), ("eventStreams", .raw(Self.eventStreams))])
            .text(indented: false)
        return (ByteBuffer(string: text), "\"\(StableHash.text(text))\"")
    }

    /// The stream that tells clients to evaluate again. Its path is relative to the address that the client uses.
    private static let eventStreams =
        #"[{"type":"sse","endpoint":{"requestUri":"/ofrep/v1/events"},"inactivityDelaySec":120}]"#

    /// A list of flags as the management API sends it.
    func list(of places: [FlagBoard.Place]) -> JSONOutput {
        // The groups of the menu's list if these are not the categories.
        let groups = board.fittingOrder == .prefix ? board.prefixGroups : nil
        let members = groups?.map { group in
            JSONOutput.object([
                ("name", .string(group.name)), ("keys", .array(group.keys.map { .string($0.string) })),
            ])
        }
        return .object([
            ("revision", .integer(revision)), ("flags", .array(places.map { listed(board.facts(at: $0)) })),
            ("groups", members.map(JSONOutput.array) ?? .null),
        ])
    }

    /// A flag as the management API sends it.
    func listed(_ facts: FlagFacts) -> JSONOutput {
        FlagJSON.listed(facts, category: board.categoryName(of: facts), source: source(of: facts)?.name)
    }

    /// The source whose value of a flag is in use; `nil` if no source has one.
    func source(of facts: FlagFacts) -> ServedSource? {
        guard let place = board.snapshot.holders(of: FlagText(facts.key)).first?.place else { return nil }
        return sources.indices.contains(place) ? sources[place] : nil
    }
}

/// What a response tells or needs to know about a source.
struct ServedSource: Sendable, Equatable {
    /// The name; `nil` for a built-in source.
    let name: String?
    /// Whether the values depend on the evaluation context.
    let dependsOnContext: Bool
    /// Whether the source has values, from its last response or from the cache.
    let hasValues: Bool
    /// Whether the source has no values yet, but may soon have some.
    let isWaiting: Bool
    /// Why the last request failed; `nil` if it did not.
    let error: SourceError?

    /// The sources of a state, by their places.
    ///
    /// - Parameters:
    ///   - waiting: the places of sources that have no values for an evaluation context yet.
    ///   - errors: why sources have no newer values for an evaluation context, by their places.
    static func all(in remote: RemoteState, waiting: [Int] = [], errors: [Int: SourceError] = [:]) -> [ServedSource] {
        remote.sources.enumerated().map { place, source in
            let (hasValues, error) = (source.active != nil, errors[place] ?? source.error)
            return ServedSource(
                name: source.isBuiltIn ? nil : source.address, dependsOnContext: source.evaluation?.context != nil,
                hasValues: hasValues,
                isWaiting: waiting.contains(place) || !hasValues && source.isRequested && error == nil, error: error)
        }
    }

    /// The response to a request that needs the values of the source.
    var failure: APIError {
        APIError(.general, error?.asSentence ?? "\(name ?? "A source") has not responded yet. Retry in 1 s.")
    }
}
#endif
