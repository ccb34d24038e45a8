package import FlagModel
import FlagRemote
package import FlagStorage
import Synchronization

// What a menu needs that is opened inside of the app, on the very store that the app reads.
extension FlagStore {
    /// Where a menu changes overrides; `nil` where none are let in, or none are saved.
    package var menuStore: OverrideStore? { overrides }

    /// The values of this run alone, and those of a team.
    package var menuLayers: (launch: [String: String], team: [String: String]) {
        state.withLock { ($0.contents.values.launch, $0.contents.values.team) }
    }

    /// The sources, by the names that titles show and by what tells each from every other.
    package var menuSources: [(name: String, identity: String)] { remote.names }

    /// The remote side as a menu shows it. Keys that code declares stand in it with their defaults, also where no source
    /// names them, so that the menu can change them all the same.
    package func menuReading() async -> MenuReading {
        let (opened, waiting) = await remote.standing
        let pushed = state.withLock { $0.contents.pushed }
        let defaults = defaultsWithDeclarations
        let active = opened.snapshot(defaults: defaults, pushed: pushed?.document)
        let next = waiting?.snapshot(defaults: defaults, pushed: pushed?.document)
        return MenuReading(
            snapshot: active, fetchedAt: [opened.fetchedAt, pushed?.takenAt].compactMap { $0 }.min(),
            problems: opened.problems,
            waitingCount: next.map { StoreState.keys(changedFrom: active.values, to: $0.values).count })
    }

    /// The moment of now.
    @Sendable package static func menuClock() -> Timestamp { ProcessEnvironment.now() }

    private var defaultsWithDeclarations: ValueTable {
        let declared = FlagRegistry.declarations.compactMap { declaration in
            declaration.defaultText.map { (key: FlagText(declaration.name), value: FlagText($0)) }
        }
        return ValueTable.joined([ownDefaults, ValueTable(declared)])
    }
}

/// What a menu shows of the remote side.
package struct MenuReading: Sendable {
    /// The active values.
    package let snapshot: RemoteSnapshot
    /// When the oldest of them was fetched; `nil` when nothing was.
    package let fetchedAt: Timestamp?
    /// What is wrong with sources, a sentence each.
    package let problems: [String]
    /// How many values differ from those that wait; `nil` when none wait.
    package let waitingCount: Int?
}
