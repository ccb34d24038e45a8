import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// Shell completions: keys, values and categories of flags, for the words on the command line.
enum Completions {
    static func keys(_ words: [String]) -> [String] {
        guard let workspace = workspace(words) else { return [] }
        return candidates(workspace.board.places.map { workspace.board.key(at: $0).string })
    }

    static func overriddenKeys(_ words: [String]) -> [String] {
        guard let workspace = workspace(words) else { return [] }
        return candidates(workspace.reading.table.overrides.sortedByKey.map(\.key))
    }

    static func categories(_ words: [String]) -> [String] {
        guard let workspace = workspace(words) else { return [] }
        return candidates(workspace.board.catalog.categories.map(\.name.string))
    }

    /// The values of the options of the first flag whose key is among the words; without one, keys.
    static func keysOrValues(_ words: [String]) -> [String] {
        guard let workspace = workspace(words) else { return [] }
        let facts = read(words).dropFirst().lazy.compactMap { workspace.knownFacts(of: $0) }.first
        return facts.map { candidates($0.options.map(\.value)) } ?? keys(words)
    }

    /// Opens the workspace with the options among the words; `nil` on errors. Errors are not printed on the command
    /// line.
    private static func workspace(_ words: [String]) -> Workspace? {
        let words = read(words)
        var optionWords: [String] = []
        for (index, word) in words.enumerated() {
            if GlobalOptions.valueOptions.contains(word), index + 1 < words.count {
                optionWords += [word, words[index + 1]]
            } else if word == "--sample" || GlobalOptions.valueOptions.contains(where: { word.hasPrefix("\($0)=") }) {
                optionWords.append(word)
            }
        }
        guard let options = try? GlobalOptions.parse(optionWords), let settings = try? Settings(options) else {
            return nil
        }
        return try? Workspace.open(settings, isPrompting: false)
    }

    /// The words without shell quotes.
    private static func read(_ words: [String]) -> [String] {
        let home = Environment.current().homeDirectory
        return words.map { ShellWord.read($0, home: home) }
    }

    private static func candidates(_ texts: [String]) -> [String] {
        texts.compactMap { ShellWord.candidate($0, for: CompletionShell.requesting) }
    }
}

/// `flagmenu completions`.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Write the completion script of a shell, which completes keys and values too.",
        discussion: """
            EXAMPLES:
              flagmenu completions bash > ~/.local/share/bash-completion/completions/flagmenu
              flagmenu completions zsh > ~/.zsh/functions/_flagmenu
              flagmenu completions fish > ~/.config/fish/completions/flagmenu.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let script =
            switch shell {
            case .bash: FlagMenu.completionScript(for: .bash)
            case .zsh: FlagMenu.completionScript(for: .zsh)
            case .fish: FlagMenu.completionScript(for: .fish)
            }
        StandardOutput.write(script)
    }
}
