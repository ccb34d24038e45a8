import FlagModel
import Flags

/// The flags at one moment as the screens need them: all from one snapshot, so that no screen shows half of a change.
struct StageContent: Sendable, Equatable {
    let hasMultipleLocations: Bool
    let login: LoginScreen
    let loginVariant: LoginVariant
    let maximumItemCount: Int
    let priceFactor: Double
    let hasAwesomeFeature: Bool
    let greeting: String
    /// The deciding layer of each flag of each screen.
    let decisions: [StageScreen: [Decision]]

    /// Why a flag has its value.
    struct Decision: Sendable, Equatable {
        let key: String
        let value: String
        let layer: Layer
        /// Higher layers whose text is not valid for the flag's type, so that they are skipped.
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

/// All flags of the app that the stage shows.
struct StageNews: Sendable, Equatable {
    let content: StageContent
    /// The two sides of each screen.
    let variants: [StageScreen: [StageVariant]]
    /// The library's banner while there are overrides.
    let banner: String?
    let overrideCount: Int
    let remote: RemoteStatus
    /// Warnings, a sentence each.
    let problems: [String]
}
