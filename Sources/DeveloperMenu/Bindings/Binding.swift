public import TerminalUI

/// One line of the bindings table: which keys ask for what, where, in which words, and when that works.
public struct Binding: Sendable {
    /// The part of the menu in which a binding holds.
    public enum Context: String, Sendable, CaseIterable {
        /// The list of flags, and with it the whole main screen.
        case list
        /// The filter line while it is typed.
        case filter
        /// The option list of one flag.
        case options
        /// The line that edits a value without options.
        case editor
        /// The editor of JSON.
        case json
        /// The question whether a value that is not among the options is meant.
        case otherValue
        /// A question about several overrides.
        case question
        /// The sheet that explains one flag.
        case explanation
        /// The help sheet.
        case help
        /// The command palette.
        case palette
        /// The sheet that copies something about the selected flag.
        case copy
        /// A sheet of lines to read, such as the log of messages.
        case report
        /// The sheet of what sources are evaluated for, and by which conditions.
        case context
        /// A line that asks for what an action needs, such as the name of a file.
        case prompt

        /// The heading of this part in help.
        public var heading: String {
            switch self {
            case .list: "In the list"
            case .filter: "While filtering"
            case .options: "In an option list"
            case .editor: "While editing a value"
            case .json: "While editing JSON"
            case .otherValue: "When a value is not among the options"
            case .question: "In a question"
            case .explanation: "In an explanation"
            case .help: "In this help"
            case .palette: "In the command palette"
            case .copy: "In the copy sheet"
            case .report: "In a report"
            case .context: "In the context sheet"
            case .prompt: "On a line that asks"
            }
        }

        /// What opens this part from the list; `nil` for the list itself.
        var opener: Intent? {
            switch self {
            case .list: nil
            case .filter: .filter
            case .options, .editor, .json, .otherValue: .open
            case .question: .clearAll
            case .explanation: .explain
            case .help: .help
            case .palette: .palette
            case .copy: .copy
            case .report: .log
            case .context: .context
            case .prompt: .export
            }
        }
    }

    /// The keys, the first of which the footer shows; none where only palette and help lead there.
    public internal(set) var keys: [KeyPress]
    /// What they ask for.
    public let intent: Intent
    /// Where they do, as ``Bindings/all`` has it.
    public internal(set) var context = Context.list
    /// One or two words for the footer; `nil` where a binding is too well known to take the room.
    public let label: String?
    /// One sentence for help.
    public let help: String
    /// What else somebody may call it who looks for it by name, in small letters: commands that do the same, and words
    /// that other programs have for it. Where there is no key, the first one leads there.
    public let words: [String]
    private let ownObstacle: @Sendable (MenuState) -> String?

    init(
        _ keys: [KeyPress], _ intent: Intent, label: String? = nil, help: String, words: [String] = [],
        obstacle: @escaping @Sendable (MenuState) -> String? = { _ in nil }
    ) {
        self.keys = keys
        self.intent = intent
        self.label = label
        self.help = help
        self.words = words
        ownObstacle = obstacle
    }

    /// Why the binding does nothing now, as a sentence; `nil` while it works.
    public func obstacle(_ state: MenuState) -> String? {
        // Here, so that no binding can forget it.
        let readOnlyObstacle = intent.changesValues(in: context) ? state.readOnlyObstacle : nil
        return readOnlyObstacle ?? ownObstacle(state)
    }

    /// The keys as help and footer write them, such as `"space"` or `"↓ j"`; where there is none, what to type for it,
    /// such as `":export"`.
    ///
    /// - Parameter palette: the name of the key that opens the palette.
    public func keyNames(charset: Charset = .unicode, palette: String = ":") -> String {
        guard !keys.isEmpty else {
            return context == .list ? palette + (words.first ?? LinearCommands.name(of: self)) : "no key"
        }
        return keys.map { $0.displayName(charset: charset) }.joined(separator: " ")
    }
}

extension KeyPress {
    /// The key's name, with arrows drawn where the character set has them.
    func displayName(charset: Charset) -> String {
        guard charset == .unicode else { return name }
        return switch self {
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        default: name
        }
    }
}
