import Flags
import TerminalUI

/// The login screen. The value of a flag sets its texts and colour.
enum LoginCard {
    static func card(_ content: StageContent, _ remote: RemoteStatus, isRoomy: Bool, _ theme: StageTheme) -> Card {
        // The line about the sources, shown while they are requested or if they have failed.
        var lines: [Card.Line] =
            switch remote {
            case .idle, .loaded: []
            case .loading: [.centered("~ Loading...", theme.faint)]
            case .failed: [.centered("! An error occurred; cached values are shown", theme.issue)]
            }
        let screen = content.login
        lines.append(.centered(screen.label.text, theme.title))
        if content.loginVariant == .explainsFirst {
            if isRoomy { lines.append(.blank) }
            lines.append(.centered("So that your cart waits for you.", .plain))
            if isRoomy { lines.append(.centered("You can leave at any time.", .plain)) }
        }
        if isRoomy { lines.append(.blank) }
        lines.append(.button(screen.button.text, screen.button.color.rgb))
        return Card(
            title: "Login \(content.loginVariant.rawValue)", lines: isRoomy ? [.blank] + lines + [.blank] : lines)
    }
}
