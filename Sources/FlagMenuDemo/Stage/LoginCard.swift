import Flags
import TerminalUI

/// The login screen, with the text and the colour of its flag.
enum LoginCard {
    static func card(_ content: StageContent, _ remote: RemoteStatus, isRoomy: Bool, _ theme: StageTheme) -> Card {
        var lines = state(remote, theme)
        let screen = content.login
        lines.append(.centered(screen.label.text, theme.title))
        if content.loginVariant == .explainsFirst {
            if isRoomy { lines.append(.blank) }
            lines.append(.centered("So that your cart waits for you.", .plain))
            if isRoomy { lines.append(.centered("You can leave at any time.", .plain)) }
        }
        if isRoomy { lines.append(.blank) }
        lines.append(.button(screen.button.text, screen.button.color.rgb))
        if isRoomy { lines.append(.blank) }
        let color = screen.button.color
        lines.append(
            .centered("button \(color.rgb.text) (\(color.red), \(color.green), \(color.blue))", theme.faint))
        return Card(
            title: "Login \(content.loginVariant.rawValue)", lines: isRoomy ? [.blank] + lines + [.blank] : lines)
    }

    /// While sources are requested, and if they do not respond, the values in use are shown.
    private static func state(_ remote: RemoteStatus, _ theme: StageTheme) -> [Card.Line] {
        switch remote {
        case .idle, .loaded: []
        case .loading: [.centered("~ Loading...", theme.faint)]
        case .failed: [.centered("! An error happened; cached values are shown", theme.problem)]
        }
    }
}
