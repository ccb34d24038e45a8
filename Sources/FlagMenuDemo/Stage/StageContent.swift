import FlagModel
import Flags

/// The values of the flags for the screens. All values are from one snapshot, so that a screen never shows half of a
/// change.
struct StageContent: Sendable, Equatable {
    let hasMultipleLocations: Bool
    let login: LoginScreen
    let loginVariant: LoginVariant
    let maximumItemCount: Int
    let priceFactor: Double
    let hasAwesomeFeature: Bool
    let greeting: String
    /// Why each flag has its value, grouped by screen.
    let decisions: [StageScreen: [Explanation]]
}

extension StageContent {
    /// Reads the flags of a snapshot.
    init(_ flags: FlagSnapshot) {
        hasMultipleLocations = flags[DemoFlags.multipleLocations]
        login = flags[DemoFlags.loginScreen]
        loginVariant = flags[DemoFlags.loginVariant]
        maximumItemCount = flags[DemoFlags.maximumItemCount]
        priceFactor = flags[DemoFlags.priceFactor]
        hasAwesomeFeature = flags[DemoFlags.awesomeFeature]
        greeting = flags[DemoFlags.greeting]
        decisions = Dictionary(
            uniqueKeysWithValues: StageScreen.allCases.map { ($0, $0.keys.map { flags.explain($0) }) })
    }
}

/// Everything that the stage shows about the flags.
struct StageUpdate: Sendable, Equatable {
    let content: StageContent
    /// The content of each variant, in the order of ``StageScreen/variants``.
    let variants: [StageScreen: [StageContent]]
    /// The library's sentence about active overrides; `nil` if no override is active.
    let banner: String?
    let overrideCount: Int
    let remote: RemoteStatus
    /// Warnings, one sentence each.
    let issues: [String]
}
