import TerminalShell
import TerminalUI

enum ProbeEvent: Sendable {
    case key(KeyPress)
    case resized(Size)
    case background(TerminalBackground)
    case mailed
}

enum ProbeEffect {
    case suspend, repaint, runOutside, mail, leave, flood, copy, takeTime, hang, work
    case setMouse(Bool)
    case die(WayToDie)
}

struct ProbeState {
    /// What the rows say; `nil` where they only count.
    let payload: [String]?
    var size = Size(columns: 0, rows: 0)
    var selection = 0
    var keys = 0
    var mails = 0
    var last = "none"
    var hasMouse = false
    var background: TerminalBackground?
    var isFinished = false

    /// What the screen must show as text and never as control, and what must not shift the columns after it.
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
        case .mailed: mails += 1
        case .background(let background): self.background = background
        case .key(let key): return press(key)
        }
        return []
    }

    private mutating func press(_ key: KeyPress) -> [ProbeEffect] {
        keys += 1
        last =
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
        case .character(let letter): return WayToDie(rawValue: String(letter)).map { [.die($0)] } ?? []
        default: break
        }
        return []
    }

    var screen: Screen {
        var frame = Frame(size: size, charset: TerminalLocale.charset)
        let told = background.map { " on \($0)" } ?? ""
        let title = "probe \(size.columns)x\(size.rows) last \(last) keys \(keys) mails \(mails)\(told)"
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
