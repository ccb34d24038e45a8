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
    let decisions: [StageScreen: [Decision]]

    /// Why a flag has its value.
    struct Decision: Sendable, Equatable {
        let key: String
        let value: String
        let layer: FlagLayer
        /// The higher layers that are skipped because their values are not valid for the flag's type.
        let skippedLayers: [FlagLayer]
    }
}

extension StageContent {
    /// Reads the flags of a snapshot.
    init(_ flags: FlagSnapshot) {
        hasMultipleLocations = flags[.multipleLocations]
        login = flags[.loginScreen]
        loginVariant = flags[.loginVariant]
        maximumItemCount = flags[.maximumItemCount]
        priceFactor = flags[.priceFactor]
        hasAwesomeFeature = flags[.awesomeFeature]
        greeting = flags[.greeting]
        decisions = Dictionary(
            uniqueKeysWithValues: StageScreen.allCases.map { ($0, $0.keys.map { Decision(flags.explain($0)) }) })
    }
}

extension StageContent.Decision {
    init(_ explanation: Explanation) {
        key = explanation.key.string
        value = explanation.value?.string ?? ""
        layer = explanation.winner ?? .default
        skippedLayers = explanation.entries.filter { $0.value != nil && !$0.isCastable }.map(\.layer)
    }
}

/// One of the two variants of a screen.
struct StageVariant: Sendable, Equatable {
    let name: String
    let content: StageContent
}

/// Everything that the stage shows about the flags.
struct StageUpdate: Sendable, Equatable {
    let content: StageContent
    /// The two variants of each screen.
    let variants: [StageScreen: [StageVariant]]
    /// The library's sentence about active overrides; `nil` if no override is active.
    let banner: String?
    let overrideCount: Int
    let remote: RemoteStatus
    /// Warnings, one sentence each.
    let issues: [String]
}
