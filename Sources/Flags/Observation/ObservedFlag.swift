import FlagModel
import Observation

/// What views and models observe of a store, as Swift's Observation tracks it.
final class ObservedFlag: Observable, Sendable {
    enum Content: Hashable {
        /// The flag of a declaration, by its slot.
        case slot(Int)
        /// A key that is read as text.
        case text(String)
        case remoteStatus
        case catalog
        /// The values of all flags, and the catalog.
        case snapshot
    }

    private let content: Content
    /// The flags whose effective values are the content; `nil` if it is something else.
    private let flags: ObservedFlags?
    private let registrar = ObservationRegistrar()

    init(_ content: Content, flags: ObservedFlags? = nil) { (self.content, self.flags) = (content, flags) }

    /// The property that observers track.
    private var isCurrent: Bool { true }

    func track() { registrar.access(self, keyPath: \.isCurrent) }

    func notify() { registrar.withMutation(of: self, keyPath: \.isCurrent) {} }

    /// Whether a change changes the content. Runs code of the app.
    func isChanged(by change: StoreChange) -> Bool {
        switch content {
        case .slot, .text: flags.map { !$0.changes(in: change).isEmpty } ?? false
        case .remoteStatus: change.old.remoteStatus != change.new.remoteStatus
        case .catalog: change.layers.contains(.remote)
        case .snapshot: !change.layers.isEmpty
        }
    }
}
