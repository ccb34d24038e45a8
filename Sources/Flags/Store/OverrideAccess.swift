/// Whether an app lets overrides in. Closed, it reads remote values and defaults only, and looks at no file of overrides.
public struct OverrideAccess: Sendable, Hashable {
    /// `true` when overrides count.
    public let isOpen: Bool

    private init(isOpen: Bool) { self.isOpen = isOpen }

    /// Nobody can override anything.
    public static let closed = OverrideAccess(isOpen: false)

    /// Overrides count, whatever the build.
    public static let open = OverrideAccess(isOpen: true)

    /// Overrides count in a debug build. Packages are built in the configuration of the app that links them.
    public static var debugBuilds: OverrideAccess {
        #if DEBUG
        .open
        #else
        .closed
        #endif
    }

    /// Overrides count in a debug build, and in any build that runs with the environment variable set to a word for true.
    public static func whenSet(_ variable: String) -> OverrideAccess {
        debugBuilds.isOpen || ProcessEnvironment.isTrue(variable) ? .open : .closed
    }

    /// Overrides count where the app's own gate says so, such as a signed-in tester.
    public static func when(_ isAllowed: Bool) -> OverrideAccess { isAllowed ? .open : .closed }
}
