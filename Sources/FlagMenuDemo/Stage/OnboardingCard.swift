import TerminalUI

/// The screen with the steps for new users. One step depends on a flag.
enum OnboardingCard {
    static func card(_ content: StageContent, isRoomy: Bool, _ theme: StageTheme) -> Card {
        var steps = [
            (content.greeting, "Nice that you are here."), ("Choose what you like", "We show more of it."),
        ]
        if content.hasAwesomeFeature { steps.append(("Awesome feature", "New: see everything at once.")) }
        steps.append(("All set", "Have a look around."))
        let lines = steps.enumerated().flatMap { index, step -> [Card.Line] in
            let head = Card.Line.text("\(index + 1)  \(step.0)", theme.title)
            return isRoomy ? [.blank, head, .text("   \(step.1)", theme.faint)] : [head]
        }
        return Card(title: "Onboarding, \(steps.count) steps", lines: isRoomy ? lines + [.blank] : lines)
    }
}
