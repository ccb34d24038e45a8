/// Whether overrides are used. If not, only remote values and defaults are used, and no override file is read.
public struct OverrideAccess: Sendable, Hashable {
    /// Whether overrides are used.
    public let isOpen: Bool

    private init(isOpen: Bool) { self.isOpen = isOpen }

    /// Overrides are never used.
    public static let closed = OverrideAccess(isOpen: false)

    /// Overrides are used in every build.
    public static let open = OverrideAccess(isOpen: true)

    /// Overrides are used in a debug build. Packages are built in the configuration of the app that links them.
    public static var debugBuilds: OverrideAccess {
        #if DEBUG
        .open
        #else
        .closed
        #endif
    }

    /// Overrides are used in a debug build, and in any build that runs with the environment variable set to a word for
    /// true.
    public static func whenSet(_ variable: String) -> OverrideAccess {
        debugBuilds.isOpen || ProcessEnvironment.isTrue(variable) ? .open : .closed
    }

    /// Overrides are used if `isAllowed`, such as for a signed-in tester.
    public static func when(_ isAllowed: Bool) -> OverrideAccess { isAllowed ? .open : .closed }
}
