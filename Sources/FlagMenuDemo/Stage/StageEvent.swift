import TerminalUI

/// Events of the stage.
enum StageEvent: Sendable, Equatable {
    case keyPressed(KeyPress)
    case resized(Size)
    case backgroundDetected(TerminalBackground)
    /// A flag has changed; the sentence says which, if it should be shown.
    case flagsChanged(String?)
    /// The flags were read.
    case flagsRead(StageNews, sentence: String?)
    /// The menu was left; with a reason if it could not be opened.
    case menuClosed(isInterrupted: Bool, reason: String?)
    /// A variant could not be applied, for a reason that is a sentence.
    case variantRefused(String)
    /// The sources were fetched.
    case fetched(String)
}

/// Effects of the stage.
enum StageEffect: Sendable, Equatable {
    /// Read the flags and respond with `flagsRead` and the sentence.
    case readFlags(sentence: String?)
    /// Open the developer menu and respond with `menuClosed`.
    case openMenu
    /// Fetch the sources, activate their values, and respond with `fetched`.
    case fetch
    /// Override the flags of a variant of a screen, by its index; if that fails, respond with `variantRefused`.
    case applyVariant(StageScreen, Int)
    case suspend
    case repaint
}
