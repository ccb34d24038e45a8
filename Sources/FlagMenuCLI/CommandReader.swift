import ArgumentParser
import FlagModel

/// Finds the command in the arguments, and lets the parser read the rest.
enum CommandReader {
    /// The command, ready to run.
    ///
    /// The parser inspects every option of every command by reflection before it reads a word, so it gets the named
    /// command alone. The whole tree is used for help and errors, which name the program and all its commands.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try commandFirst(arguments)
        if let type = arguments.first.flatMap(type(named:)),
            let command = try? type.parseAsRoot(Array(arguments.dropFirst()))
        {
            return command
        }
        return try FlagMenu.parseAsRoot(arguments)
    }

    /// The command with a name; `nil` if there is none. Of the others only those listed before it are described.
    private static func type(named name: String) -> (any ParsableCommand.Type)? {
        FlagMenu.configuration.subcommands.first { $0.name == name }
    }

    /// The names of all commands.
    static var names: [String] { FlagMenu.configuration.subcommands.compactMap { $0.name } }

    /// The arguments without the program's name.
    ///
    /// - Throws: an error if one is not valid UTF-8. Swift repairs such bytes, so another value would be stored than
    ///   was given.
    static func givenArguments() throws(CommandFailure) -> [String] {
        // A library that was loaded earlier and called setenv moves the environment, which a static build uses to find
        // its arguments.
        guard CommandLine.argc > 0 else {
            throw CommandFailure(
                .usage,
                "The arguments of this run cannot be read, so --read-only might be ignored, and nothing was done. Run "
                    + "flagmenu without preloaded libraries (LD_PRELOAD), or use a dynamic build.")
        }
        var arguments: [String] = []
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let bytes = CommandLine.unsafeArgv[index] else { continue }
            guard let argument = String(validatingCString: bytes) else {
                throw CommandFailure(.usage, "Argument \(index) is not UTF-8 text. Nothing was done.")
            }
            arguments.append(argument)
        }
        return arguments
    }

    /// The arguments with the command first, as options may precede it: `flagmenu --source FILE get KEY`. The default
    /// command is the menu.
    private static func commandFirst(_ arguments: [String]) throws(CommandFailure) -> [String] {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index].count > 1 {
            // Arguments that the parser handles before a command stay in place.
            if arguments[index].hasPrefix("---") || arguments[index] == "--" { return arguments }
            index += GlobalOptions.valueOptions.contains(arguments[index]) ? 2 : 1
        }
        guard index < arguments.count else {
            let isQuestion = arguments.contains { ["-h", "--help", "--version"].contains($0) }
            return isQuestion ? arguments : ["menu"] + arguments
        }
        let word = arguments[index]
        if word == "help" { return arguments }
        guard type(named: word) != nil else { throw unknownCommand(word) }
        return [word] + negativeNumbersLast(arguments[..<index] + arguments[(index + 1)...])
    }

    private static func unknownCommand(_ word: String) -> CommandFailure {
        let hint = NearestKeys.question(about: word, among: names, naming: 3)
        return CommandFailure(
            .usage,
            "There is no command \(JSONOutput.quoted(word, limit: 60)).\(hint) flagmenu --help lists the commands.")
    }

    /// Negative numbers after `--`, so that they are values: `flagmenu set offset -5`. The parser treats them as short
    /// options, unless they belong to an option that accepts any text.
    private static func negativeNumbersLast(_ arguments: ArraySlice<String>) -> [String] {
        guard !arguments.contains("--") else { return Array(arguments) }
        var (others, numbers) = ([String](), [String]())
        for argument in arguments {
            let isNumber = argument.hasPrefix("-") && FlagReading.double(argument) != nil
            if isNumber, others.last != "--default" { numbers.append(argument) } else { others.append(argument) }
        }
        return numbers.isEmpty ? others : others + ["--"] + numbers
    }
}

extension CommandConfiguration {
    /// A command below `flagmenu`.
    ///
    /// A command that names its parent is not checked for a completion script before it is parsed: the parser makes two
    /// more commands by reflection for that, a tenth of the time of `flagmenu get`.
    static func command(
        _ name: String, abstract: String, usage: String? = nil, discussion: String = ""
    ) -> CommandConfiguration {
        var configuration = CommandConfiguration(
            commandName: name, abstract: abstract, usage: usage, discussion: discussion)
        configuration._superCommandName = FlagMenu.name
        return configuration
    }
}

extension ParsableCommand {
    fileprivate static var name: String? { configuration.commandName }
}
