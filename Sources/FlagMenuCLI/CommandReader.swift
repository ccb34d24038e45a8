import ArgumentParser
import FlagModel

/// Finds the command in the arguments, and lets the parser read the other arguments.
enum CommandReader {
    /// The command, ready to run.
    ///
    /// To save time, the parser gets only the named command: it inspects all options of all given commands by
    /// reflection. If parsing fails, the parser gets the whole command tree, because help and errors name all commands.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try commandFirst(arguments)
        if let type = arguments.first.flatMap(type(named:)),
            let command = try? type.parseAsRoot(Array(arguments.dropFirst()))
        {
            return command
        }
        return try FlagMenu.parseAsRoot(arguments)
    }

    /// The type of the command called `name`; `nil` if there is none. Creates no configurations after the matching one.
    private static func type(named name: String) -> (any ParsableCommand.Type)? {
        FlagMenu.configuration.subcommands.first { $0.name == name }
    }

    /// Commands by the names that they have in other programs.
    private static let aliases = [
        "clear": "reset", "unset": "reset", "rm": "reset", "remove": "reset", "delete": "reset", "ls": "list",
    ]

    /// The names of all commands, those of `firebase` in two words.
    static var names: [String] {
        FlagMenu.configuration.subcommands.flatMap { command in
            let inner = command.configuration.subcommands.compactMap { $0.name }
            return command.name.map { name in inner.isEmpty ? [name] : inner.map { "\(name) \($0)" } } ?? []
        }
    }

    /// The arguments without the program's name.
    ///
    /// - Throws: an error if the arguments are not available, or one is not valid UTF-8: Swift would replace its
    ///   invalid bytes, and a different value would be stored.
    static func givenArguments() throws(CommandFailure) -> [String] {
        // A static build locates its arguments relative to `environ`. A preloaded library may have moved `environ` by
        // calling setenv.
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

    /// The arguments with the command moved to the front. Options may precede the command: `flagmenu --source FILE get
    /// KEY`. Without a command, `menu` is added.
    private static func commandFirst(_ arguments: [String]) throws(CommandFailure) -> [String] {
        let index = wordIndex(in: arguments[...])
        // These arguments must stay before the command, where the parser handles them.
        if arguments[..<index].contains(where: { $0.hasPrefix("---") || $0 == "--" }) { return arguments }
        guard index < arguments.count else {
            let isHelpRequest = arguments.contains { ["-h", "--help", "--version"].contains($0) }
            return isHelpRequest ? arguments : ["menu"] + arguments
        }
        let word = aliases[arguments[index]] ?? arguments[index]
        if word == "help" { return arguments }
        if word == "version" { return ["--version"] }
        guard let type = type(named: word) else { throw unknownCommand(word) }
        var (words, others) = ([word], arguments[..<index] + arguments[(index + 1)...])
        if !type.configuration.subcommands.isEmpty {
            let index = wordIndex(in: others)
            if index < others.endIndex { words.append(others.remove(at: index)) }
        }
        return words + negativeNumbersLast(withWaitTimes(others))
    }

    /// The index of the first argument that is neither an option nor the value of one; the end if there is none.
    private static func wordIndex(in arguments: ArraySlice<String>) -> Int {
        var index = arguments.startIndex
        while index < arguments.endIndex, arguments[index].hasPrefix("-"), arguments[index].count > 1 {
            index += GlobalOptions.valueOptions.contains(arguments[index]) ? 2 : 1
        }
        return min(index, arguments.endIndex)
    }

    /// Adds the standard time to a `--wait` without a number: the parser knows no options with optional values.
    private static func withWaitTimes(_ arguments: ArraySlice<String>) -> ArraySlice<String> {
        let option = "--\(WaitTime.option)"
        var result: ArraySlice<String> = []
        for (index, argument) in zip(arguments.indices, arguments) {
            let next = index + 1 < arguments.endIndex ? arguments[index + 1] : nil
            let needsTime = argument == option && next.flatMap(WaitTime.init(argument:)) == nil
            result.append(needsTime ? "\(option)=\(WaitTime.standard.seconds)" : argument)
        }
        return result
    }

    private static func unknownCommand(_ word: String) -> CommandFailure {
        let hint = NearestKeys.suggestion(about: word, among: names, naming: 3)
        return CommandFailure(
            .usage,
            "\(JSONOutput.quoted(word, limit: 60)) is not a command.\(hint) flagmenu --help lists the commands.")
    }

    /// Moves negative numbers, as in `flagmenu set offset -5`, behind a `--` at the end: otherwise the parser treats
    /// them as short options. A number after `--default` is not moved, because that option accepts any text.
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
    /// The configuration of a subcommand of `flagmenu`.
    ///
    /// The configuration names a parent command. Without a parent, the parser checks whether a completion script is
    /// requested. That check creates two more commands by reflection, and takes a tenth of the time of `flagmenu get`.
    static func command(
        _ name: String, abstract: String, usage: String? = nil, discussion: String = "",
        subcommands: [any ParsableCommand.Type] = []
    ) -> CommandConfiguration {
        var configuration = CommandConfiguration(
            commandName: name, abstract: abstract, usage: usage, discussion: discussion, subcommands: subcommands)
        configuration._superCommandName = FlagMenu.name
        return configuration
    }
}

extension ParsableCommand {
    fileprivate static var name: String? { configuration.commandName }
}
