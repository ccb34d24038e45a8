import ArgumentParser

/// Lets options stand before the subcommand too: `flagmenu --source FILE get KEY` is `flagmenu get --source FILE KEY`.
enum ArgumentOrder {
    /// The arguments with the subcommand in front.
    static func subcommandFirst(_ arguments: [String]) -> [String] {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index].count > 1 {
            // What the parser itself understands before a subcommand stays where it is.
            if arguments[index].hasPrefix("---") || arguments[index] == "--" { return arguments }
            index += GlobalOptions.valueOptions.contains(arguments[index]) ? 2 : 1
        }
        guard index > 0, index < arguments.count, isSubcommand(arguments[index]) else { return arguments }
        return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }

    private static func isSubcommand(_ word: String) -> Bool {
        FlagMenu.configuration.subcommands.contains { $0.configuration.commandName == word }
    }
}
