import FlagModel
import Flags

/// What the flags say at one moment, as the screens need it: all of it from one snapshot, so that no screen shows half of
/// a change.
struct StageContent: Sendable, Equatable {
    let hasMultipleLocations: Bool
    let login: LoginScreen
    let loginVariant: LoginVariant
    let maximumItemCount: Int
    let priceFactor: Double
    let hasAwesomeFeature: Bool
    let greeting: String
    /// Which layer decides about each flag of each screen.
    let decisions: [StageScreen: [Decision]]

    /// Why a flag has its value.
    struct Decision: Sendable, Equatable {
        let key: String
        let value: String
        let layer: Layer
        /// Higher layers whose text means nothing to the flag's type, so that they are passed over.
        let passedOver: [Layer]
    }
}

extension StageContent {
    /// Reads the flags of a moment.
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
        passedOver = explanation.entries.filter { $0.value != nil && !$0.isCastable }.map(\.layer)
    }
}

/// One of two sides of a screen.
struct StageVariant: Sendable, Equatable {
    let name: String
    let content: StageContent
}

/// Everything that the stage knows of the app's flags.
struct StageNews: Sendable, Equatable {
    let content: StageContent
    /// The two sides of each screen.
    let variants: [StageScreen: [StageVariant]]
    /// What the library says while anything is overridden.
    let banner: String?
    let overrideCount: Int
    let remote: RemoteStatus
    /// What is wrong and worked around, a sentence each.
    let problems: [String]
}
