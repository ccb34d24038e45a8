import Flags

// Every flag of the app: its key as in remote documents, its type, and the value for the case that no layer has one.
extension FlagKey<Bool> {
    static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
    static let awesomeFeature = FlagKey("AWESOME_FEATURE", default: false)
    /// Only read at the start: an app does not close while it is used.
    static let maintenanceMode = FlagKey("maintenance_mode", default: false, needsRestart: true)
}

extension FlagKey<Int> {
    static let maximumItemCount = FlagKey("maximum_item_count", default: 42)
}

extension FlagKey<Double> {
    static let priceFactor = FlagKey("item_price_factor", default: 1)
}

extension FlagKey<String> {
    static let greeting = FlagKey("greeting_text", default: "Welcome")
}

extension FlagKey<LoginVariant> {
    static let loginVariant = FlagKey("login_variant", default: .asksFirst)
}

extension FlagKey<LoginScreen> {
    static let loginScreen = FlagKey(json: "login_screen", default: .standard)
}
