import Observation

/// One flag that views and models observe, as Swift's Observation tracks it.
final class ObservedFlag: Observable, Sendable {
    enum Identity: Hashable {
        /// The flag of a declaration.
        case slot(Int)
        /// A key that is read as text.
        case text(String)
    }

    let flag: ObservedFlags
    private let registrar = ObservationRegistrar()

    init(_ flag: ObservedFlags) { self.flag = flag }

    /// The property that observers track.
    private var isCurrent: Bool { true }

    func track() { registrar.access(self, keyPath: \.isCurrent) }

    func notify() { registrar.withMutation(of: self, keyPath: \.isCurrent) {} }
}
