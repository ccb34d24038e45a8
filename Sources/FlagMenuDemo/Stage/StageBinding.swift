import TerminalUI

/// An action of the stage with its keys, for input, help and footer.
struct StageBinding: Sendable {
    enum Action: Sendable, Equatable {
        case show(StageScreen)
        /// Show a later screen, or an earlier screen for a negative number.
        case step(Int)
        /// Select a line further down, or up for a negative number.
        case move(Int)
        /// If variants are side by side, choose the next or previous variant; otherwise show the next or previous
        /// screen.
        case turn(Int)
        case apply
        case menu, sideBySide, save, fetch, undo, reset, help, quit, suspend, repaint
    }

    let keys: [KeyPress]
    let action: Action
    /// The word in the footer; `nil` for keys that only help lists.
    let label: String?
    let help: String

    private init(_ keys: [KeyPress], _ action: Action, label: String? = nil, _ help: String) {
        (self.keys, self.action, self.label, self.help) = (keys, action, label, help)
    }

    /// All actions, the most important first.
    static let all: [StageBinding] =
        [
            StageBinding(["d"], .menu, label: "menu", "Open the developer menu."),
            StageBinding(["v"], .sideBySide, label: "variants", "Show two variants side by side, or one."),
            StageBinding([.enter], .apply, label: "apply", "Apply the chosen variant as an override."),
            StageBinding(["s"], .save, label: "save", "Save what you see as a scenario."),
            StageBinding([.tab], .step(1), label: "next screen", "Show the next screen."),
            StageBinding([.backTab], .step(-1), "Show the previous screen."),
            StageBinding([.right, "l"], .turn(1), "Choose the next variant, or show the next screen."),
            StageBinding([.left, "h"], .turn(-1), "Choose the previous variant or screen."),
        ]
        + zip(StageScreen.allCases, "1234").map { screen, digit in
            StageBinding([.character(digit)], .show(screen), "Show \(screen.title).")
        } + [
            StageBinding([.down, "j"], .move(1), "Go down a line."),
            StageBinding([.up, "k"], .move(-1), "Go up a line."),
            StageBinding(["f"], .fetch, label: "fetch", "Fetch and activate remote values."),
            StageBinding(["u"], .undo, "Undo the last change."),
            StageBinding(["x"], .reset, "Reset the flags of the screen."),
            StageBinding(["?"], .help, label: "help", "Show these keys."),
            StageBinding([.control("z")], .suspend, "Suspend; fg comes back."),
            StageBinding([.control("l")], .repaint, "Redraw the screen."),
            StageBinding(["q", .control("c")], .quit, label: "quit", "Quit."),
        ]

    static func action(for key: KeyPress) -> Action? { all.first { $0.keys.contains(key) }?.action }
}
