import Flags

extension FlagKey<Bool> {
    static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
}

extension FlagKey<Int> {
    static let maximumItemCount = FlagKey("maximum_item_count", default: 10)
}

enum Theme: String, FlagValue { case plain, festive }

extension FlagKey<Theme> {
    static let theme = FlagKey("theme", default: .plain)
}

struct LoginScreen: Codable, FlagValue, Equatable {
    struct Label: Codable, Equatable { var text: String }
    var label: Label
}

extension FlagKey<LoginScreen> {
    static let loginScreen = FlagKey("login_page", default: LoginScreen(label: .init(text: "default")))
}

extension FlagKey<Double> {
    static let ratio = FlagKey("ratio", default: 0.5)
}

extension FlagKey<String> {
    static let greeting = FlagKey("greeting", default: "hello")
}
