public import TerminalUI

/// One action of the menu: its keys, its names, when it is enabled, its effect, and the equivalent command.
///
/// Footer, help, palette, line mode, manual and remapping read these entries; nothing else names a key.
public struct Action: Sendable {
    /// The name of an action within its part of the menu.
    public struct ID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as a configuration writes it, such as `clearAll`.
        public let rawValue: String

        /// An action of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// An action of this name.
        public init(stringLiteral name: String) { self.init(rawValue: name) }

        /// The name.
        public var description: String { rawValue }
    }

    /// Traits of an action.
    struct Traits: OptionSet {
        let rawValue: Int
        /// It changes what apps read: overrides, or the remote values in use. Disabled in a read-only menu.
        static let changesValues = Traits(rawValue: 1 << 0)
        /// It is about the selected flag or its category, which must be chosen first in line mode.
        static let isAboutFlag = Traits(rawValue: 1 << 1)
        /// It applies to the marked flags, if there are any.
        static let worksOnMarked = Traits(rawValue: 1 << 7)
        /// It moves the selection.
        static let movesSelection = Traits(rawValue: 1 << 2)
        /// It only makes sense on a screen, so line mode does not have it.
        static let needsScreen = Traits(rawValue: 1 << 3)
        /// It works on a screen that is too small for the menu.
        static let worksUnseen = Traits(rawValue: 1 << 4)
        /// It works at any time, even while keys wait for flags that are being read.
        static let isImmediate = Traits(rawValue: 1 << 5)
        /// One of the about 20 that help lists first.
        static let isDaily = Traits(rawValue: 1 << 8)
        /// It leaves the menu or a part of it, so it must have a key.
        static let isWayOut = Traits(rawValue: 1 << 6)
    }

    /// Which actions the footer shows first if there is no room for all.
    enum FooterRank: Int, CaseIterable {
        case always, everyday, frequent, finder, decisive, other
    }

    /// The action's name within its part of the menu.
    public let id: ID
    /// The keys, the first of which the footer shows; empty if only palette and help offer it.
    public internal(set) var keys: [KeyPress]
    /// The part of the menu where it works, as in ``ActionTable/all``.
    public internal(set) var part = MenuPart.list
    /// One or two words for the footer; `nil` if the action is too well known to take the room.
    public let label: String?
    /// One sentence for help.
    public let help: String
    /// Other names to find it by, in lower case: equivalent commands, and words of other programs. Without a key, the
    /// first one runs it.
    public let words: [String]
    let traits: Traits
    let rank: FooterRank
    /// The current label of the footer, if that differs from its label.
    let currentLabel: @Sendable (MenuState) -> String?
    /// `false` if the footer need not offer it.
    let isOffered: @Sendable (MenuState) -> Bool
    /// Performs it.
    let perform: @Sendable (inout MenuState) -> [Effect]
    /// The equivalent commands in the current state; empty if only this screen has it.
    let commands: @Sendable (MenuState) -> [ShellCommand]
    private let ownReason: @Sendable (MenuState) -> String?

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
        (self.currentLabel, self.isOffered, self.commands) = (currentLabel, isOffered, commands)
        self.perform = perform
        ownReason = disabledReason
    }

    /// Why the action is disabled, as a sentence; `nil` if it is enabled.
    public func disabledReason(_ state: MenuState) -> String? {
        // Checked here for all actions.
        let readOnlyReason = traits.contains(.changesValues) ? state.readOnlyReason : nil
        return readOnlyReason ?? ownReason(state)
    }

    /// The action's name in a configuration: its part and id, such as `list.toggle`.
    public var name: String { "\(part.id).\(id)" }

    /// Whether the action must have a key.
    public var isWayOut: Bool { traits.contains(.isWayOut) }

    /// The keys as help and footer write them, such as `"space"` or `"↓ j"`; without a key, what to type for it, such as
    /// `":export"`.
    ///
    /// - Parameter palette: the name of the key that opens the palette.
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

// The actions that other code refers to: to name their keys in a sentence, or to perform them in line mode.
extension Action.ID {
    static let accept: Self = "accept"
    static let activate: Self = "activate"
    static let addMember: Self = "addMember"
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
    /// Quits at once.
    public static let interrupt: Self = "interrupt"
    static let log: Self = "log"
    static let moveDown: Self = "moveDown"
    static let moveToFirst: Self = "moveToFirst"
    static let moveUp: Self = "moveUp"
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
