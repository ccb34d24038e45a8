import ArgumentParser

/// The layer that a command reads or changes, by its name on the command line.
enum LayerChoice: String, CaseIterable, ExpressibleByArgument {
    case override, team
}

/// How long a team's value stays, such as `2h`.
struct Lifetime: ExpressibleByArgument {
    let duration: Duration

    /// Parses a whole number and a unit: s, m, h or d.
    init?(argument: String) {
        guard let unit = argument.last, let factor = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][unit],
            let count = Int(argument.dropLast()), 1...10_000 ~= count
        else { return nil }
        duration = .seconds(count * factor)
    }
}
