import ArgumentParser
import FlagModel
import FlagStorage
import FlagWorkspace

/// Shell completions: keys, values and categories of flags, for the words on the command line.
enum Completions {
    static let keys = candidates { _, workspace in keys(of: workspace) }

    static let overriddenKeys = candidates { _, workspace in workspace.reading.table.overrides.sortedByKey.map(\.key) }

    static let categories = candidates { _, workspace in workspace.board.catalog.categories.map(\.name.string) }

    static let scenarios = candidates { _, workspace in workspace.settings.scenarioFolders.all().map(\.name) }

    /// The values of the options of the first flag whose key is among the words before; without one, keys.
    static let keysOrValues = candidates { words, workspace in
        let facts = words.dropFirst().lazy.compactMap { workspace.knownFacts(of: $0) }.first
        return facts.map { $0.options.map(\.value) } ?? keys(of: workspace)
    }

    private static func keys(of workspace: Workspace) -> [String] {
        workspace.board.places.map { workspace.board.key(at: $0).string }
    }

    /// A completion with texts of the workspace that the words on the command line open.
    ///
    /// - Parameter texts: returns the texts for the words before the one to complete.
    private static func candidates(_ texts: @escaping @Sendable ([String], Workspace) -> [String]) -> CompletionKind {
        .custom { typed, index, _ in
            let home = Environment.current().homeDirectory
            let words = typed.map { ShellWord.read($0, home: home) }
            guard let workspace = workspace(words) else { return [] }
            return texts(Array(words.prefix(index)), workspace).compactMap {
                ShellWord.candidate($0, for: CompletionShell.requesting)
            }
        }
    }

    /// Opens the workspace with the options among the words; `nil` on errors. Errors are not printed on the command
    /// line.
    private static func workspace(_ words: [String]) -> Workspace? {
        var optionWords: [String] = []
        for (index, word) in words.enumerated() {
            if GlobalOptions.valueOptions.contains(word), index + 1 < words.count {
                optionWords += [word, words[index + 1]]
            } else if word == "--sample" || GlobalOptions.valueOptions.contains(where: { word.hasPrefix("\($0)=") }) {
                optionWords.append(word)
            }
        }
        guard let options = try? GlobalOptions.parse(optionWords), let settings = try? Settings(options.values) else {
            return nil
        }
        return try? Workspace.open(settings, isPrompting: false)
    }
}

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "completions",
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
        if let shell = CompletionShell(rawValue: shell.rawValue) {
            StandardOutput.write(FlagMenu.completionScript(for: shell))
            if shell == .bash { StandardOutput.write(Self.bashQuoting) }
        }
    }

    /// Replaces a function of the script: quotes candidates as the word to complete is quoted. bash would quote them
    /// as names of files, but not each `$` and backtick.
    private static let bashQuoting = #"""


        __flagmenu_add_completions() {
            local completion quoting=''
            if [[ "${1}" = -W ]]; then
                compopt +o filenames 2> /dev/null
                case "${COMP_WORDS[COMP_CWORD]}" in
                \'*) quoting="s|'|'\\\\''|g" ;;
                \"*) quoting='s|[\\"$`]|\\&|g; s|!|"\\!"|g' ;;
                *) quoting='s|[^[:alnum:]_./:@%+=-]|\\&|g' ;;
                esac
            fi
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}" | sed "${quoting}")
        }

        """#
}
