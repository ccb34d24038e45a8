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
    /// The applied scenario, and how many changes deviate from it; `nil` without one.
    let scenario: String?
    let overrideCount: Int
    let remote: RemoteStatus
    /// Warnings, one sentence each.
    let issues: [String]
}

/// Every flag of the app: its key as in remote documents, its type, and the value for the case that no layer has one.
enum DemoFlags {
    static let multipleLocations = FlagKey<Bool>("enable_multiple_locations", default: false)
    static let awesomeFeature = FlagKey<Bool>("AWESOME_FEATURE", default: false)
    /// Only read at the start: an app does not close while it is used.
    static let maintenanceMode = FlagKey<Bool>("maintenance_mode", default: false, needsRestart: true)
    static let maximumItemCount = FlagKey<Int>("maximum_item_count", default: 10)
    static let priceFactor = FlagKey<Double>("item_price_factor", default: 1)
    static let greeting = FlagKey<String>("greeting_text", default: "Welcome")
    static let loginVariant = FlagKey<LoginVariant>("login_variant", default: .asksFirst)
    static let loginScreen = FlagKey<LoginScreen>("login_screen", default: .standard)

    static let all: [any DeclaredKey] = [
        multipleLocations, awesomeFeature, maintenanceMode, maximumItemCount, priceFactor, greeting, loginVariant,
        loginScreen,
    ]
}
