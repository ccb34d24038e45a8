import FlagModel
import Flags

/// A screen of the app.
enum StageScreen: String, Sendable, CaseIterable {
    case location, login, items, onboarding

    var title: String { rawValue.capitalized }

    /// The keys of the screen's flags. The first flag decides which variant is in use.
    var keys: [String] {
        switch self {
        case .location: ["enable_multiple_locations"]
        case .login: ["login_variant", "login_screen"]
        case .items: ["maximum_item_count", "item_price_factor"]
        case .onboarding: ["AWESOME_FEATURE", "greeting_text"]
        }
    }

    /// The name of the variant in use: the value of the screen's first flag. The value may not be any of ``variants``.
    func variantInUse(_ content: StageContent) -> String {
        switch self {
        case .location: "\(content.hasMultipleLocations)"
        case .login: content.loginVariant.rawValue
        case .items: "\(content.maximumItemCount)"
        case .onboarding: "\(content.hasAwesomeFeature)"
        }
    }

    /// The screen `step` screens further, or back if `step` is negative, with wrap-around.
    func neighbour(_ step: Int) -> StageScreen {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + step
        return all[(index % all.count + all.count) % all.count]
    }

    /// The two variants of the screen, each with a name and its flags.
    var variants: [(name: String, settings: [FlagSetting])] {
        switch self {
        case .location: [false, true].map { ("\($0)", [.set(DemoFlags.multipleLocations, to: $0)]) }
        case .login:
            [
                ("A", [.set(DemoFlags.loginVariant, to: .asksFirst), .set(DemoFlags.loginScreen, to: .variantA)]),
                ("B", [.set(DemoFlags.loginVariant, to: .explainsFirst), .set(DemoFlags.loginScreen, to: .variantB)]),
            ]
        case .items: [10, 42].map { ("\($0)", [.set(DemoFlags.maximumItemCount, to: $0)]) }
        case .onboarding: [false, true].map { ("\($0)", [.set(DemoFlags.awesomeFeature, to: $0)]) }
        }
    }
}
