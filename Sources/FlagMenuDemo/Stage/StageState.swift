import Flags
import TerminalUI

/// The complete state of the stage: the view is a function of this value.
struct StageState: Sendable, Equatable {
    /// The app's id.
    let app: String
    /// The name of the sources.
    let source: String
    var size: Size
    var charset = Charset.unicode
    var isColorAllowed = true
    /// Whether the terminal has a light background.
    var isOnLight = false
    /// Whether the shop is closed for maintenance. This flag is only read at the start.
    var isClosed = false
    /// Whether the flags are read only at the start.
    var readsOnce = false
    var screen = StageScreen.location
    /// The content and status of the flags; `nil` until the flags are read.
    var updates: StageUpdate?
    var isSideBySide = false
    /// The first line of the help that is in view; `nil` while the help is closed.
    var helpLine: Int?
    /// The selected line of each screen.
    var lines: [StageScreen: Int] = [:]
    /// The chosen variant of each screen, by its index.
    var chosenVariants: [StageScreen: Int] = [:]
    /// The name typed so far for a scenario to save; `nil` while none is typed.
    var scenarioName: String?
    /// The last message; cleared by the next key.
    var message: String?
    /// Whether the keys are shown; `false` for text without a terminal.
    var hasKeys = true
    var isFinished = false

    var theme: StageTheme { isColorAllowed ? (isOnLight ? .light : .dark) : .mono }

    /// The selected line of the current screen.
    var line: Int {
        get { lines[screen] ?? 0 }
        set { lines[screen] = newValue }
    }

    /// Handles an event and returns its effects. This function is the only code that changes the stage.
    mutating func reduce(_ event: StageEvent) -> [StageEffect] {
        switch event {
        case .keyPressed(let key):
            message = nil
            if let scenarioName { return edit(scenarioName, with: key) }
            if let action = StageBinding.action(for: key) { return perform(action) }
            if helpLine == nil, key == .escape { isSideBySide = false }
            helpLine = nil
        case .resized(let size): self.size = size
        case .backgroundDetected(let background): isOnLight = background == .light
        case .flagsChanged(let sentence): return [.readFlags(sentence: sentence)]
        case .flagsRead(let updates, let sentence):
            self.updates = updates
            if let sentence { message = sentence }
            line = min(line, lastLine)
        case .menuClosed(let isInterrupted, let reason):
            isFinished = isInterrupted
            message = reason
        case .scenarioSaved(let sentence): (scenarioName, message) = (nil, sentence)
        case .effectEnded(let sentence): message = sentence
        }
        return []
    }

    /// Edits the name of a scenario. No other action is performed meanwhile.
    private mutating func edit(_ name: String, with key: KeyPress) -> [StageEffect] {
        switch key {
        case .enter: return [.saveScenario(name)]
        case .escape, .control("c"): scenarioName = nil
        case .backspace: scenarioName = String(name.dropLast())
        case .character(let character): scenarioName = name + String(character)
        case .paste(let text): scenarioName = name + text
        default: break
        }
        return []
    }

    private mutating func perform(_ action: StageBinding.Action) -> [StageEffect] {
        if let helpLine, case .move(let step) = action {
            self.helpLine = min(max(0, helpLine + step), StageBinding.all.count - 1)
            return []
        }
        // Any other key closes the help and is then performed, except the keys to leave and to apply, which only close
        // the help.
        let hadHelp = helpLine != nil
        helpLine = nil
        switch action {
        case .show(let screen): self.screen = screen
        case .step(let step): screen = screen.neighbour(step)
        case .move(let step): line = min(max(0, line + step), lastLine)
        case .turn(let step):
            guard isSideBySide else { return perform(.step(step)) }
            chosenVariants[screen] = min(max(0, chosenVariant + step), screen.variants.count - 1)
        case .apply: return isSideBySide && !hadHelp && !isClosed ? [.applyVariant(screen, chosenVariant)] : []
        case .menu: return [.openMenu]
        case .sideBySide: isSideBySide.toggle()
        case .save: scenarioName = ""
        case .fetch: return [.fetch]
        case .undo: return [.undo]
        case .reset:
            let hasOverride = updates?.content.decisions[screen]?.contains { $0.value(in: .override) != nil } ?? false
            guard hasOverride else {
                message = "No flag of this screen has an override."
                return []
            }
            return [.reset(screen)]
        case .help: helpLine = hadHelp ? nil : 0
        case .quit: isFinished = !hadHelp
        case .suspend: return [.suspend]
        case .repaint: return [.repaint]
        }
        return []
    }

    /// The index of the chosen variant; until the user chooses one, the index of the variant in use.
    var chosenVariant: Int {
        guard let updates else { return 0 }
        let inUse = screen.variantInUse(updates.content)
        return chosenVariants[screen] ?? screen.variants.firstIndex { $0.name == inUse } ?? 0
    }

    private var lastLine: Int {
        guard let updates else { return 0 }
        switch screen {
        case .location: return updates.content.hasMultipleLocations || isSideBySide ? Card.locationCount - 1 : 0
        case .items: return max(0, Card.itemCount(updates.content) - 1)
        case .login, .onboarding: return 0
        }
    }
}
