import FlagModel

@testable import DeveloperMenu

/// Types lines at the menu of lines, on the menu that `MenuDriver` drives, and keeps what was said.
struct LineModeDriver {
    var menu: MenuDriver
    private(set) var dialogue = LineModeDialogue()
    /// Everything that was said and typed, as somebody would have it in the scrollback.
    private(set) var transcript = ""
    /// What was said last, line by line.
    private(set) var said: [String] = []

    init(_ menu: MenuDriver = MenuDriver()) {
        self.menu = menu
        said = dialogue.begin(menu.state)
        transcript = said.map { $0 + "\n" }.joined()
    }

    /// Types lines, one after the other, and hears what comes of each.
    mutating func type(_ lines: String...) {
        for line in lines {
            transcript += dialogue.prompt(menu.state) + line + "\n"
            for event in dialogue.read(line, in: menu.state) { menu.happens(.line(event)) }
            said = hear()
            transcript += said.map { $0 + "\n" }.joined()
        }
    }

    /// Types one line and tells what was said.
    mutating func reply(to line: String) -> [String] {
        type(line)
        return said
    }

    private mutating func hear() -> [String] {
        var heard: [String] = []
        while true {
            let (lines, events) = dialogue.answer(menu.state)
            heard += lines
            if events.isEmpty { return heard }
            for event in events { menu.happens(.line(event)) }
        }
    }

    /// What stands in front of the next line.
    var prompt: String {
        var copy = dialogue
        return copy.prompt(menu.state)
    }
}
