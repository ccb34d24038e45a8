public import Flags
public import Testing

/// Gives some flags other values for one test, or for each test of a suite; see
/// ``Flags/FlagStore/withOverrides(_:isolation:operation:)``.
public struct FlagTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let settings: [FlagSetting]
    fileprivate let store: FlagStore?

    /// Applies to nested suites, too.
    public var isRecursive: Bool { true }

    /// Runs a test with the values. A test's own values win over those of its suite.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await (store ?? .main).withOverrides(settings) { try await function() }
    }
}

extension Trait where Self == FlagTrait {
    /// Gives some flags other values. Tests that run at the same time do not see them, and nothing is saved.
    ///
    /// ```swift
    /// @Test(.flags(.set(.multipleLocations, to: true))) func `the title is in the plural`() {
    ///     #expect(title(.main) == "Locations")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - settings: the flags and their values.
    ///   - store: the store whose flags these are; by default the one that is ``Flags/FlagStore/main`` when a test starts.
    public static func flags(_ settings: FlagSetting..., in store: FlagStore? = nil) -> FlagTrait {
        FlagTrait(settings: settings, store: store)
    }
}
