import ArgumentParser

/// Arguments in their plainest form, understood without building the parser.
///
/// The parser looks at every command by reflection before it reads a word: 1.5 ms of the 9.4 until the menu's first
/// frame, and of the 6.5 of `flagmenu get KEY` (medians of 40 runs in turn, 1,000 flags). So the commands that start
/// often, from prompts, scripts and keys, are recognised here when they are written as most people write them. Whatever
/// is rarer, unknown or wrong is left to the parser, which knows all forms and words all complaints: `init` answers with
/// `nil`, never with an error.
struct PlainArguments {
    /// Options that take the next argument.
    private var options: [(name: String, value: String)] = []
    /// Options that stand alone.
    private(set) var flags: [String] = []
    /// Keys and values.
    private(set) var words: [String] = []

    /// The commands that can be read from plain arguments, by name.
    static let commands = ["menu", "get", "set", "toggle", "prompt"]

    /// The command that the arguments name, ready to run; `nil` when it takes the parser to say so.
    static func command(in arguments: [String]) -> (any PlainCommand)? {
        let type: any PlainCommand.Type
        switch arguments.first {
        case "menu": type = MenuRun.self
        case "get": type = GetCommand.self
        case "set": type = SetCommand.self
        case "toggle": type = ToggleCommand.self
        case "prompt": type = PromptCommand.self
        default: return nil
        }
        return PlainArguments(arguments.dropFirst(), of: type).flatMap { type.init(plain: $0) }
    }

    private init?(_ arguments: ArraySlice<String>, of command: any PlainCommand.Type) {
        let single = GlobalOptions.singleOptions + command.plainOptions
        var rest = arguments
        while let argument = rest.popFirst() {
            if GlobalOptions.flagNames.contains(argument) || command.plainFlags.contains(argument) {
                flags.append(argument)
            } else if GlobalOptions.repeatableOptions.contains(argument) || single.contains(argument) {
                guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
                if single.contains(argument), self.value(of: argument) != nil { return nil }
                options.append((argument, value))
            } else if argument.hasPrefix("-") {
                return nil
            } else {
                words.append(argument)
            }
        }
    }

    /// The value of an option that stands once.
    func value(of option: String) -> String? { options.first { $0.name == option }?.value }

    /// The values of an option that may stand several times.
    func values(of option: String) -> [String] { options.filter { $0.name == option }.map(\.value) }
}

/// A command that can be made from plain arguments.
protocol PlainCommand {
    /// Flags of its own.
    static var plainFlags: [String] { get }
    /// Options of its own that take a value, and only one.
    static var plainOptions: [String] { get }

    /// The command; `nil` where the parser has to look. Every property has to be set, as the parser's wrappers refuse
    /// to be read before.
    init?(plain: PlainArguments)

    /// Runs it.
    mutating func run() throws
}

extension PlainCommand {
    static var plainFlags: [String] { [] }
    static var plainOptions: [String] { [] }
}

extension GivenOptions {
    /// What plain arguments say, and the defaults for all else.
    init(plain: PlainArguments) {
        source = plain.values(of: "--source")
        defaults = plain.value(of: "--defaults")
        app = plain.value(of: "--app")
        store = plain.value(of: "--store")
        launch = plain.values(of: "--launch")
        config = plain.value(of: "--config")
        readOnly = plain.flags.contains("--read-only")
        json = plain.flags.contains("--json")
        noColor = plain.flags.contains("--no-color")
        quiet = plain.flags.contains("--quiet") || plain.flags.contains("-q")
    }
}

extension GlobalOptions {
    /// The same for a command of the parser's, whose wrappers have to be set one by one.
    init(plain: PlainArguments) {
        let given = GivenOptions(plain: plain)
        self.init()
        (source, launch) = (given.source, given.launch)
        (defaults, app, store, config) = (given.defaults, given.app, given.store, given.config)
        (readOnly, json, noColor, quiet) = (given.readOnly, given.json, given.noColor, given.quiet)
    }
}

// The menu needs none of the parser's wrappers: making them takes 3 % of the time until its first frame.
extension MenuRun: PlainCommand {
    static var plainFlags: [String] { ["--fresh", "--accessible"] }

    init?(plain: PlainArguments) {
        guard plain.words.isEmpty else { return nil }
        self.init(
            options: GivenOptions(plain: plain), isFresh: plain.flags.contains("--fresh"),
            isAccessible: plain.flags.contains("--accessible"))
    }
}

extension GetCommand: PlainCommand {
    init?(plain: PlainArguments) {
        guard plain.words.count == 1 else { return nil }
        self.init()
        options = GlobalOptions(plain: plain)
        key = plain.words[0]
        fallback = nil
    }
}

extension SetCommand: PlainCommand {
    static var plainFlags: [String] { ["--any", "--new"] }

    init?(plain: PlainArguments) {
        guard plain.words.count == 2 else { return nil }
        self.init()
        options = GlobalOptions(plain: plain)
        key = plain.words[0]
        value = plain.words[1]
        matching = nil
        yes = false
        dryRun = false
        any = plain.flags.contains("--any")
        new = plain.flags.contains("--new")
    }
}

extension ToggleCommand: PlainCommand {
    init?(plain: PlainArguments) {
        guard plain.words.count == 1 else { return nil }
        self.init()
        options = GlobalOptions(plain: plain)
        key = plain.words[0]
    }
}

extension PromptCommand: PlainCommand {
    static var plainOptions: [String] { ["--format"] }

    init?(plain: PlainArguments) {
        guard plain.words.isEmpty else { return nil }
        self.init()
        options = GlobalOptions(plain: plain)
        format = plain.value(of: "--format")
    }
}
