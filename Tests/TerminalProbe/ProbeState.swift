import TerminalShell
import TerminalUI

enum ProbeEvent: Sendable {
    case key(KeyPress)
    case resized(Size)
    case background(TerminalBackground)
    case mailed
}

enum ProbeEffect {
    case suspend, repaint, runOutside, mail, copy
    /// Exits from inside the event loop.
    case leave
    /// Writes more than a terminal buffers.
    case flood
    /// Blocks the event loop for 30 ms.
    case takeTime
    /// Blocks the event loop forever.
    case hang
    /// Starts pending work that takes 1.5 seconds.
    case work
    case setMouse(Bool)
    case die(Ending)
}

struct ProbeState {
    /// The texts of the rows; `nil` for rows that show only their number.
    let payload: [String]?
    var size = Size(columns: 0, rows: 0)
    var selection = 0
    var keyCount = 0
    var mailCount = 0
    var lastKey = "none"
    var hasMouse = false
    var background: TerminalBackground?
    var isFinished = false

    /// Text that must appear as text and never act as control sequences, and must not shift the columns after it.
    static let hostileText = [
        "\u{1B}[31mred\u{1B}]0;title\u{7}", "\u{9B}2J\u{90}q\u{9C}", "\r\n\t\u{8}\0\u{7F}",
        "\u{202E}abc\u{200B}\u{FEFF}",
        "\u{1B}]52;c;aGk=\u{7}", "日本語", "e\u{301}a\u{308}", "👩‍👩‍👧‍👦❤️🇩🇪", "नि क्षि", "\u{1FAEA}\u{10FFFD}",
    ]

    init(payload: [String]?) {
        self.payload = payload
    }

    mutating func reduce(_ event: ProbeEvent) -> [ProbeEffect] {
        switch event {
        case .resized(let size): self.size = size
        case .mailed: mailCount += 1
        case .background(let background): self.background = background
        case .key(let key): return press(key)
        }
        return []
    }

    private mutating func press(_ key: KeyPress) -> [ProbeEffect] {
        keyCount += 1
        lastKey =
            switch key {
            case .paste(let text): "paste \(text)"
            case .mouse(let mouse): "\(key.name) \(mouse.position.row),\(mouse.position.column)"
            default: key.name
            }
        switch key {
        case .down: selection += 1
        case .up: selection -= 1
        case .control("z"): return [.suspend]
        case .control("l"): return [.repaint]
        case .character("q"): isFinished = true
        case .character("e"): return [.runOutside]
        case .character("m"): return [.mail]
        case .character("x"): return [.leave]
        case .character("w"): return [.flood]
        case .character("y"): return [.copy]
        case .character("T"): return [.takeTime]
        case .character("h"): return [.hang]
        case .character("p"): return [.work]
        case .character("M"):
            hasMouse.toggle()
            return [.setMouse(hasMouse)]
        case .character(let letter): return Ending(rawValue: String(letter)).map { [.die($0)] } ?? []
        default: break
        }
        return []
    }

    var screen: Screen {
        var frame = Frame(size: size, charset: TerminalLocale.charset)
        let backgroundText = background.map { " on \($0)" } ?? ""
        let title =
            "probe \(size.columns)x\(size.rows) last \(lastKey) keys \(keyCount) mails \(mailCount)\(backgroundText)"
        frame.write(title, at: Position(row: 0, column: 0), style: Style(foreground: .cyan).bold())
        let rows = payload ?? (1...500).map { "row \($0)" }
        for (index, text) in rows.enumerated() where index + 1 < size.rows {
            let style = index == selection ? Style(foreground: .yellow, background: .blue).reversed() : .plain.dim()
            frame.write(text, at: Position(row: index + 1, column: 0), limit: 38, style: style)
            frame.write("|", at: Position(row: index + 1, column: 39))
        }
        return Screen(frame: frame, cursor: Position(row: selection + 1, column: 0))
    }
}
