import FlagQueries
public import TerminalUI

/// One action of the menu: its keys, its names, when it is enabled, its effect, and the equivalent command.
///
/// The footer, help, the palette, line mode, the manual and remapping all use actions; keys are defined nowhere else.
public struct Action: Sendable {
    /// The id of an action, unique within a part of the menu.
    public struct ID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The id as written in a configuration, such as `clearAll`.
        public let rawValue: String

        /// An id with this text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// An id with this text.
        public init(stringLiteral text: String) { self.init(rawValue: text) }

        /// The same as ``rawValue``.
        public var description: String { rawValue }
    }

    /// Properties that actions have in common.
    struct Traits: OptionSet {
        let rawValue: Int
        /// Changes values that apps read: overrides, or the remote values in use. Disabled in a read-only menu.
        static let changesValues = Traits(rawValue: 1 << 0)
        /// Applies to the selected flag or its category; in line mode, a flag has to be chosen first.
        static let isAboutFlag = Traits(rawValue: 1 << 1)
        /// Applies to the marked flags, if there are any.
        static let worksOnMarked = Traits(rawValue: 1 << 7)
        static let movesSelection = Traits(rawValue: 1 << 2)
        /// Makes sense only on a screen, so line mode does not offer the action.
        static let needsScreen = Traits(rawValue: 1 << 3)
        /// Works even if the screen is too small to show the menu.
        static let worksUnseen = Traits(rawValue: 1 << 4)
        /// Runs immediately, even while other key presses wait until flags have been read.
        static let isImmediate = Traits(rawValue: 1 << 5)
        /// Needs a team, so a menu without one does not list the action.
        static let needsTeam = Traits(rawValue: 1 << 9)
        /// Is one of about 20 actions that help lists first.
        static let isDaily = Traits(rawValue: 1 << 8)
        /// Leaves the menu or a part of the menu, so the action must have a key.
        static let isWayOut = Traits(rawValue: 1 << 6)
    }

    /// The priority in the footer if there is no room for all actions; the first case is the highest priority.
    enum FooterRank: Int, CaseIterable {
        case always, everyday, frequent, palette, context, other
    }

    /// The action's id within its part of the menu.
    public let id: ID
    /// The keys; the footer shows the first one. Empty if only palette and help offer the action.
    public internal(set) var keys: [KeyPress]
    /// The part of the menu in which the action works; set by ``ActionTable/all``.
    public internal(set) var part = MenuPart.list
    /// One or two words for the footer; `nil` for well-known actions, which the footer omits.
    public let label: String?
    /// One sentence for help.
    public let help: String
    /// Synonyms to find the action by, in lower case: equivalent commands, and names in other programs. If the action
    /// has no key, help shows the first synonym as the text to type in the palette.
    public let words: [String]
    let traits: Traits
    let rank: FooterRank
    /// The footer's label in the current state; `nil` to use ``label``.
    let currentLabel: @Sendable (MenuState) -> String?
    /// Performs the action and returns its effects.
    let perform: @Sendable (inout MenuState) -> [Effect]
    /// The equivalent shell commands in the current state; empty if there are none.
    let commands: @Sendable (MenuState) -> [ShellCommand]
    /// Why the action is disabled in a menu that can change values and has what it needs; `nil` if it is enabled.
    private let specificReason: @Sendable (MenuState) -> String?
    /// Whether the footer offers the action, if the menu has what it needs.
    private let isUseful: @Sendable (MenuState) -> Bool

    // What depends on the state is read by closures: a key path as a function copies the whole state.
    init(
        _ id: ID, _ keys: [KeyPress], label: String? = nil, help: String, words: [String] = [], _ traits: Traits = [],
        rank: FooterRank = .other,
        currentLabel: @escaping @Sendable (MenuState) -> String? = { _ in nil },
        isOffered: @escaping @Sendable (MenuState) -> Bool = { _ in true },
        disabledReason: @escaping @Sendable (MenuState) -> String? = { _ in nil },
        commands: @escaping @Sendable (MenuState) -> [ShellCommand] = { _ in [] },
        perform: @escaping @Sendable (inout MenuState) -> [Effect]
    ) {
        (self.id, self.keys, self.label, self.help, self.words) = (id, keys, label, help, words)
        (self.traits, self.rank) = (traits, rank)
        (self.currentLabel, self.commands, isUseful) = (currentLabel, commands, isOffered)
        self.perform = perform
        specificReason = disabledReason
    }

    /// Whether this menu has what the action needs.
    func isPossible(in state: MenuState) -> Bool { !traits.contains(.needsTeam) || state.team != nil }

    /// Whether the footer offers the action in the current state.
    func isOffered(_ state: MenuState) -> Bool { isPossible(in: state) && isUseful(state) }

    /// Why the action is disabled, as a sentence; `nil` if it is enabled.
    public func disabledReason(_ state: MenuState) -> String? {
        if traits.contains(.changesValues), let reason = state.readOnlyReason { return reason }
        if !isPossible(in: state) { return "There is no team. --team, or \"team\" in flagmenu.json, names one." }
        return specificReason(state)
    }

    /// The action's name in a configuration: its part and id, such as `list.toggle`.
    public var name: String { "\(part.id).\(id)" }

    /// Whether the action must have a key.
    public var isWayOut: Bool { traits.contains(.isWayOut) }

    /// The names of the action's keys for help, such as `"space"` or `"↓ j"`. If an action of the list has no key: the
    /// key of the palette and the text to type there, such as `":export"`.
    ///
    /// - Parameters:
    ///   - charset: the characters to draw.
    ///   - palette: the name of the key that opens the palette.
    public func keyNames(charset: Charset = .unicode, palette: String = ":") -> String {
        guard !keys.isEmpty else {
            return part == .list ? palette + (words.first ?? LineModeCommands.name(of: self)) : "no key"
        }
        return keys.map { $0.displayName(charset: charset) }.joined(separator: " ")
    }
}

extension KeyPress {
    /// The key's name, with arrows drawn if the character set has them.
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

// Ids that other code refers to: to name keys in a sentence, or to perform actions in line mode.
extension Action.ID {
    static let accept: Self = "accept"
    static let activate: Self = "activate"
    static let cancel: Self = "cancel"
    static let changeTheme: Self = "changeTheme"
    static let clear: Self = "clear"
    static let clearAll: Self = "clearAll"
    static let context: Self = "context"
    static let copy: Self = "copy"
    static let edit: Self = "edit"
    static let editOutside: Self = "editOutside"
    static let explain: Self = "explain"
    static let export: Self = "export"
    static let fetch: Self = "fetch"
    static let filter: Self = "filter"
    static let help: Self = "help"
    /// Quits immediately.
    public static let interrupt: Self = "interrupt"
    static let messages: Self = "messages"
    static let moveDown: Self = "moveDown"
    static let moveToFirst: Self = "moveToFirst"
    static let note: Self = "note"
    static let open: Self = "open"
    static let openOther: Self = "openOther"
    static let palette: Self = "palette"
    static let quit: Self = "quit"
    static let redo: Self = "redo"
    static let retry: Self = "retry"
    static let showOverriddenOnly: Self = "showOverriddenOnly"
    static let toggle: Self = "toggle"
    static let undo: Self = "undo"
    static let useRemote: Self = "useRemote"
}
