import ArgumentParser
import FlagModel

/// Puts arguments into the order that the parser understands.
///
/// Options may stand before the subcommand too, `flagmenu --source FILE get KEY`; without a subcommand the menu is
/// meant; and a negative number is a value, `flagmenu set offset -5`, not a row of short options.
enum ArgumentOrder {
    /// The arguments with the subcommand in front.
    ///
    /// - Throws: a sentence with the nearest commands when there is no such subcommand.
    static func subcommandFirst(_ arguments: [String]) throws(CommandFailure) -> [String] {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index].count > 1 {
            // What the parser itself understands before a subcommand stays where it is.
            if arguments[index].hasPrefix("---") || arguments[index] == "--" { return arguments }
            index += GlobalOptions.valueOptions.contains(arguments[index]) ? 2 : 1
        }
        guard index < arguments.count else {
            return arguments.isEmpty || arguments.contains(where: isQuestion) ? arguments : ["menu"] + arguments
        }
        let word = arguments[index]
        if word == "help" { return arguments }
        guard subcommands.contains(word) else { throw unknownCommand(word) }
        return guardingNegativeNumbers([word] + arguments[..<index] + arguments[(index + 1)...])
    }

    private static func isQuestion(_ argument: String) -> Bool { ["-h", "--help", "--version"].contains(argument) }

    /// The names of all commands.
    static var subcommands: [String] {
        FlagMenu.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    private static func unknownCommand(_ word: String) -> CommandFailure {
        let hint = NearestKeys.question(about: word, among: subcommands, naming: 3)
        return CommandFailure(
            .usage,
            "There is no command \(JSONOutput.quoted(word, limit: 60)).\(hint) flagmenu --help lists the commands.")
    }

    /// Options of single commands that take the next argument as their value.
    static let ownValueOptions = [
        "--categories", "--category", "--condition", "--default", "--description", "--format", "--limit", "--matching",
        "--order", "--restore", "--rollback", "--setting", "--unset",
    ]

    /// Moves keys and values behind `--` where one of them is a negative number.
    private static func guardingNegativeNumbers(_ arguments: [String]) -> [String] {
        guard !arguments.contains("--"), arguments.contains(where: isNegativeNumber) else { return arguments }
        var options: [String] = []
        var words: [String] = []
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument.count > 1, argument.hasPrefix("-"), !isNegativeNumber(argument) {
                options.append(argument)
                let takesValue = GlobalOptions.valueOptions.contains(argument) || ownValueOptions.contains(argument)
                if takesValue, let value = rest.popFirst() { options.append(value) }
            } else {
                words.append(argument)
            }
        }
        return [arguments[0]] + options + ["--"] + words
    }

    private static func isNegativeNumber(_ argument: String) -> Bool {
        argument.hasPrefix("-") && FlagReading.double(argument) != nil
    }

    /// Arguments are text. Swift repairs bytes that are none, so that something else would be stored than was given.
    static func requireText() throws(CommandFailure) {
        for index in 1..<max(2, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            throw CommandFailure(.usage, "Argument \(index) is not UTF-8 text. Nothing was done.")
        }
    }
}
