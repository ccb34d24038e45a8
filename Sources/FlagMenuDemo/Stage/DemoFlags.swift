import Flags

/// Every flag of the app: its key as in remote documents, its type, and the value for the case that no layer has one.
enum DemoFlags {
    static let multipleLocations = FlagKey<Bool>("enable_multiple_locations", default: false)
    static let awesomeFeature = FlagKey<Bool>("AWESOME_FEATURE", default: false)
    /// Only read at the start: an app does not close while it is used.
    static let maintenanceMode = FlagKey<Bool>("maintenance_mode", default: false, needsRestart: true)
    static let maximumItemCount = FlagKey<Int>("maximum_item_count", default: 42)
    static let priceFactor = FlagKey<Double>("item_price_factor", default: 1)
    static let greeting = FlagKey<String>("greeting_text", default: "Welcome")
    static let loginVariant = FlagKey<LoginVariant>("login_variant", default: .asksFirst)
    static let loginScreen = FlagKey<LoginScreen>(json: "login_screen", default: .standard)

    static let all: [any DeclaredKey] = [
        multipleLocations, awesomeFeature, maintenanceMode, maximumItemCount, priceFactor, greeting, loginVariant,
        loginScreen,
    ]
}
