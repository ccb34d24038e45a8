/// Whether an app uses the values that a developer or tester has set: overrides, launch values and team values.
///
/// An app says so itself, such as for its own build configurations:
///
/// ```swift
/// #if DEBUG || BETA
/// let access = OverrideAccess.open
/// #else
/// let access = OverrideAccess.closed
/// #endif
/// ```
public struct OverrideAccess: Sendable, Hashable {
    /// Whether overrides are used.
    public let isOpen: Bool

    private init(isOpen: Bool) { self.isOpen = isOpen }

    /// Overrides are not used.
    public static let closed = OverrideAccess(isOpen: false)

    /// Overrides are used.
    public static let open = OverrideAccess(isOpen: true)

    /// Overrides are used if `isAllowed`, such as for a signed-in tester; see ``FlagStore/setAccess(_:)``.
    public static func when(_ isAllowed: Bool) -> OverrideAccess { isAllowed ? .open : .closed }

    /// Overrides are used if the environment variable is set to a word for true.
    public static func whenSet(_ variable: String) -> OverrideAccess { when(ProcessEnvironment.isTrue(variable)) }
}
