/// A key as the terminal reports it, pasted text, or a mouse event.
public enum KeyPress: Sendable, Hashable {
    /// A character; the space bar is `.character(" ")`.
    case character(Character)
    /// Enter and Return.
    case enter
    /// Escape by itself. Alt with any key that `alt` does not cover is reported as `.escape` followed by that key.
    case escape
    /// Alt with `b` or `f`, the keys that move by words on a line.
    case alt(Character)
    /// Tab, and Shift with Tab.
    case tab, backTab
    /// Backspace (to the left), and Delete (under the cursor).
    case backspace, delete
    /// Arrows.
    case up, down, left, right
    /// Control with the left or right arrow, on terminals that send this combination.
    case controlLeft, controlRight
    /// Paging and jumping.
    case pageUp, pageDown, home, end
    /// Insert.
    case insert
    /// A function key, counted from 1.
    case function(Int)
    /// Control with a lower-case letter, or with one of `[ \ ] ^ _ @`.
    case control(Character)
    /// Pasted text, in one piece so that no part of it acts as a key.
    case paste(String)
    /// A paste of more than 1 MiB. Its text is dropped, because a truncated value would be a different value.
    case oversizedPaste
    /// A mouse event, if mouse reports are on.
    case mouse(MousePress)

    /// The name that help and footers show: `space`, `enter`, `^R`, `PgUp`, `F1`, `x`.
    public var name: String {
        switch self {
        case .character(let character) where character != " ": DisplayText.safe(String(character))
        case .function(let number): "F\(number)"
        case .control(let letter): "^\(letter.uppercased())"
        case .alt(let letter): "alt-\(letter)"
        case .controlLeft: "ctrl-left"
        case .controlRight: "ctrl-right"
        case .paste, .oversizedPaste: "paste"
        case .mouse(let mouse): mouse.kind.rawValue
        default: Self.otherKeys.last { $0.key == self }?.name ?? ""
        }
    }
}

extension KeyPress: ExpressibleByExtendedGraphemeClusterLiteral {
    /// The key of a character.
    public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}
