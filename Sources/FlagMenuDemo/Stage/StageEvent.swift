import TerminalUI

enum StageEvent: Sendable, Equatable {
    case keyPressed(KeyPress)
    case resized(Size)
    case backgroundDetected(TerminalBackground)
    /// Flags, overrides or the status of sources have changed. The text, if any, is a sentence to show.
    case flagsChanged(String?)
    /// The flags were read.
    case flagsRead(StageUpdate, sentence: String?)
    /// The menu was closed, or could not be opened; the reason says why.
    case menuClosed(isInterrupted: Bool, reason: String?)
    /// A scenario was saved. The text says how to apply it.
    case scenarioSaved(String)
    /// An effect has ended, or failed. The text is a sentence with the result.
    case effectEnded(String)
}

enum StageEffect: Sendable, Equatable {
    /// Read the flags, and respond with `flagsRead` and the given sentence.
    case readFlags(sentence: String?)
    /// Open the developer menu and respond with `menuClosed`.
    case openMenu
    /// Fetch the sources, activate their values, and respond with `effectEnded`.
    case fetch
    /// Override the flags of a screen's variant, given by its index. If that fails, respond with `effectEnded`.
    case applyVariant(StageScreen, Int)
    /// Undo the last change of the store and respond with `effectEnded`.
    case undo
    /// Reset the flags of a screen. If that fails, respond with `effectEnded`.
    case reset(StageScreen)
    /// Save the current overrides as a scenario and respond with `scenarioSaved`; if that fails, with `effectEnded`.
    case saveScenario(String)
    case suspend
    case repaint
}
