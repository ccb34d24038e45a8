import FlagModel

@testable import DeveloperMenu

/// Types lines in line mode, on a menu driven by `MenuDriver`, and records the output.
struct LineModeDriver {
    var menu: MenuDriver
    private(set) var session = LineModeSession()
    /// All input and output, as in the scrollback of a terminal.
    private(set) var transcript = ""
    /// The lines printed last.
    private(set) var printed: [String] = []

    init(_ menu: MenuDriver = MenuDriver()) {
        self.menu = menu
        printed = session.begin(menu.state)
        transcript = printed.map { $0 + "\n" }.joined()
    }

    /// Types lines one by one and records the output of each.
    mutating func type(_ lines: String...) {
        for line in lines {
            transcript += session.prompt(menu.state) + line + "\n"
            for event in session.read(line, in: menu.state) { menu.happens(.line(event)) }
            printed = receive()
            transcript += printed.map { $0 + "\n" }.joined()
        }
    }

    /// Types one line and returns the printed lines.
    mutating func reply(to line: String) -> [String] {
        type(line)
        return printed
    }

    private mutating func receive() -> [String] {
        var received: [String] = []
        while true {
            let (lines, events) = session.respond(menu.state)
            received += lines
            if events.isEmpty { return received }
            for event in events { menu.happens(.line(event)) }
        }
    }

    /// The prompt in front of the next line.
    var prompt: String {
        var copy = session
        return copy.prompt(menu.state)
    }
}
