#if Server
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags
import HummingbirdCore
import NIOPosix

/// The management API: lists flags and changes overrides, with the rules of the command line.
struct Management: Sendable {
    let app: String
    let store: FlagStore
    let flags: ServedFlags
    let sets: ClientSets
    let log: ClientLog
    let rejections: Rejections
    /// Returns why overrides cannot be changed, as a sentence; `nil` if they can.
    let readOnlyReason: @Sendable () -> String?

    /// The state of the server.
    func status(_ call: Call) -> JSONOutput {
        let (moment, now) = (flags.moment, store.now())
        let board = flags.evaluations(for: call.client).board
        let reason = readOnlyReason()
        return .object([
            ("app", .string(app)), ("writable", .bool(call.access == .write && reason == nil)),
            ("readOnly", FlagJSON.text(reason)), ("revision", .integer(moment.revision)),
            ("flags", .integer(board.places.count)), ("overrides", .integer(board.values.overrides.count)),
            ("contexts", .array(store.contents.contexts.changes(from: [:]).map(FlagJSON.change))),
            ("sources", .array(store.remoteReading.sources.statuses.map(FlagJSON.source))),
            (
                "issues",
                .array(
                    ([moment.storeIssue, store.teamReading?.error(at: now)].compactMap { $0 }
                        + (store.teamReading?.issues ?? [])).map(JSONOutput.string))
            ),
        ])
    }

    /// The longest filter of a list, in bytes. A filter is compared with every flag, so a long one takes long.
    private static let filterLimit = 1_024

    /// All flags, or those that a filter matches.
    func list(_ call: Call) async throws -> Response {
        let (evaluations, filter) = (flags.evaluations(for: call.client), call.parameter("matching") ?? "")
        guard !filter.isEmpty else { return Response(json: try await evaluations.list) }
        guard filter.utf8.count <= Self.filterLimit else {
            throw APIError(.usage, "matching: a filter has at most \(Self.filterLimit) bytes.")
        }
        return try await Threads.reading.runIfActive {
            do throws(InvalidText) {
                let places = try evaluations.board.places(matching: filter, order: .catalog, isOverriddenOnly: false)
                return Response(json: evaluations.list(of: places))
            } catch {
                throw APIError(.usage, "matching: \(error.description)")
            }
        }
    }

    /// One flag.
    func flag(_ call: Call) async throws -> Response {
        let evaluations = flags.evaluations(for: call.client)
        if let facts = evaluations.board.knownFacts(of: call.key) { return Response(json: evaluations.listed(facts)) }
        // Finding similar keys among thousands takes long.
        let sentence = try await Threads.reading.runIfActive { evaluations.board.sentence(onUnknown: call.key) }
        throw APIError(.notFound, sentence)
    }

    /// Why a flag has its value, and the last changes of its override, the newest first.
    func explanation(_ call: Call) async throws -> Response {
        let board = flags.evaluations(for: call.client).board
        guard let facts = board.knownFacts(of: call.key) else { return try await flag(call) }
        let (remote, now) = (store.remoteReading, store.now())
        let content = ExplanationContent(
            facts, in: board.snapshot, sources: remote.sources.statuses,
            remote: remote.fetchedAt.map { ExplanationContent.fetched(at: $0, now: now) } ?? "", now: now)
        // Reads the history from the disk.
        let changes = try await Threads.reading.runIfActive { [self] in
            try self.changes(of: call.key, for: call.client)
        }
        return Response(
            json: .object([
                ("explanation", FlagJSON.explanation(content, apps: [])), ("history", .array(changes)),
            ]))
    }

    /// The number of changes that an explanation lists.
    private static let historyLimit = 10

    private func changes(of key: String, for client: String?) throws(APIError) -> [JSONOutput] {
        var changes: [(record: HistoryRecord, change: OverrideChange)] = []
        for record in try history(for: client) {
            changes += record.changes.filter { $0.key == key }.map { (record, $0) }
        }
        return changes.prefix(Self.historyLimit).map { record, change in
            .object([
                ("at", .string(record.at.rfc3339)), ("by", .string(record.by)), ("action", .string(record.action)),
                ("old", FlagJSON.text(change.old?.value)), ("new", FlagJSON.text(change.new?.value)),
                ("undone", .bool(record.isUndone)),
            ])
        }
    }

    private func history(for client: String?) throws(APIError) -> [HistoryRecord] {
        if let client, !sets.hasSet(of: client) { return [] }
        return try inStore(of: client) { store throws(StorageError) in try store.history() } ?? []
    }

    /// Runs `body` with the store of a client or with the shared one; `nil` if the overrides are not saved.
    func inStore<Result>(
        of client: String?, _ body: (OverrideStore) throws(StorageError) -> Result
    ) throws(APIError) -> Result? {
        func run(_ store: OverrideStore) throws(APIError) -> Result {
            do throws(StorageError) { return try body(store) } catch { throw APIError(error) }
        }
        if let client { return try sets.withStore(of: client, run) }
        guard let shared = store.overrideStore else { return nil }
        return try run(shared)
    }

    /// Activates the fetched values.
    func activate() async -> JSONOutput {
        let isChanged = await store.activate()
        flags.update()
        return .object([("revision", .integer(flags.moment.revision)), ("activated", .bool(isChanged))])
    }

    /// The overrides, shared or of one client.
    func overrides(of client: String?) throws(APIError) -> JSONOutput {
        guard flags.moment.areOverridesKnown else {
            throw APIError(.store, flags.moment.storeIssue ?? "The overrides cannot be read.")
        }
        let overrides = client.map { sets.overrides(of: $0) ?? [:] } ?? store.activeOverrides
        return .object([
            ("revision", .integer(flags.moment.revision)),
            (
                "overrides",
                .object(
                    overrides.sortedByKey.map { key, override in
                        (
                            key,
                            .object([
                                ("value", .string(override.value)), ("setBy", FlagJSON.text(override.setBy)),
                                ("setAt", FlagJSON.text(override.setAt?.rfc3339)),
                            ])
                        )
                    })
            ),
        ])
    }

    /// What each client asked last and what it got, and how many requests got nothing.
    func clients() -> JSONOutput {
        let (counts, entries) = (sets.counts, log.entries)
        func json(_ client: FlagText?, _ entry: ClientLog.Entry?) -> JSONOutput {
            .object([
                ("client", FlagJSON.text(client?.string)), ("lastKey", FlagJSON.text(entry?.lastKey)),
                ("lastValue", FlagJSON.text(entry?.last.value)),
                ("lastLayer", FlagJSON.text(entry?.last.layer?.word)),
                ("lastAt", FlagJSON.text(entry?.last.timestamp.rfc3339)), ("evaluations", .integer(entry?.count ?? 0)),
                ("overrides", .integer(client.flatMap { counts[$0] } ?? 0)),
            ])
        }
        let silent = Set(counts.keys).subtracting(entries.compactMap(\.client)).sorted()
        return .object([
            ("clients", .array(entries.map { json($0.client, $0.entry) } + silent.map { json($0, nil) })),
            ("rejected", .integer(rejections.count)),
        ])
    }
}
#endif
