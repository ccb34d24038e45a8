import Flags
import TerminalUI

/// The content of the login screen: the value of the JSON flag `login_screen`.
struct LoginScreen: Codable, FlagValue, Equatable {
    struct Label: Codable, Sendable, Equatable {
        var text: String
    }

    struct Button: Codable, Sendable, Equatable {
        var text: String
        var color: Color
    }

    struct Color: Codable, Sendable, Equatable {
        var red: Int
        var green: Int
        var blue: Int

        /// The colour; components outside of 0 to 255 are clamped.
        var rgb: RGB {
            RGB(red: UInt8(clamping: red), green: UInt8(clamping: green), blue: UInt8(clamping: blue))
        }
    }

    var label: Label
    var button: Button

    init(label: String, button: String, red: Int, green: Int, blue: Int) {
        self.label = Label(text: label)
        self.button = Button(text: button, color: Color(red: red, green: green, blue: blue))
    }

    /// The default of the flag.
    static let standard = LoginScreen(
        label: "Welcome to Remote Config Demo (default)", button: "Continue (default)", red: 50, green: 205, blue: 50)

    /// Variant A: a lime green button.
    static let variantA = LoginScreen(
        label: "Welcome to Remote Config Demo", button: "Continue", red: 50, green: 205, blue: 50)

    /// Variant B: an orange-red button, and another label.
    static let variantB = LoginScreen(
        label: "Good to see you again", button: "Let me in", red: 255, green: 69, blue: 0)
}

/// Whether the login screen asks for the login immediately, or first explains why.
enum LoginVariant: String, FlagValue, Equatable {
    case asksFirst = "A"
    case explainsFirst = "B"
}
