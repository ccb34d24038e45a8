#if Network
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
            app: "shop", overrides: .open, launch: [:], team: team, announces: false,
            storeDirectory: "\(place)/store", cacheDirectory: "\(place)/cache")
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
#endif
