#if Network
import FlagModel
import FlagRemote
import FlagTeamEtcd
import Flags
import TestSupport

/// An app that follows the values of a team until the last reference is released.
final class TeamReader: Sendable {
    let store: FlagStore
    private let subscription: Task<Void, Never>

    /// - Parameter startsFirst: whether the store is started before it follows the team.
    init(_ team: EtcdTeam, startsFirst: Bool = false) {
        let place = Workplace().path
        let store = FlagStore(
            app: "shop",
            options: .init(
                overrides: .open, launch: [:], team: team, announces: false, storeDirectory: "\(place)/store",
                cacheDirectory: "\(place)/cache"))
        self.store = store
        subscription = Task {
            if startsFirst { await store.start() }
            await store.followRemote()
        }
    }

    deinit { subscription.cancel() }

    /// Waits until a flag has a value; `nil` for none.
    func waits(atMost seconds: Double = 30, for value: String?, of key: String = "a") -> Bool {
        Clock.wait(atMost: seconds) { (try? store.string(key)) == value }
    }
}

/// How an etcd member sends the values of keys, each with the revision of its last change.
func etcdRange(_ values: [(key: [UInt8], value: String, changedAt: Int)], revision: Int) -> String {
    let entries = values.map { key, value, changedAt in
        let (key, value) = (Base64Text.text(key), Base64Text.text(value.utf8))
        return #"{"key": "\#(key)", "value": "\#(value)", "mod_revision": "\#(changedAt)"}"#
    }
    return #"{"header": {"cluster_id": "7", "revision": "\#(revision)"}, "count": "\#(values.count)","#
        + #" "kvs": [\#(entries.joined(separator: ","))]}"#
}

extension EtcdTeam {
    /// The overrides that a fetch returns, and their version.
    func fetch(since version: String? = nil) async throws -> (overrides: FlagTable<FlagOverride>, version: String?) {
        let result = try await source.fetch(since: version)
        guard case .values(let bytes, let version) = result else { throw Unchanged() }
        return (try source.decode(bytes).overrides, version)
    }

    private struct Unchanged: Error {}
}
#endif
