import TerminalUI

/// Events of the stage.
enum StageEvent: Sendable, Equatable {
    case keyPressed(KeyPress)
    case resized(Size)
    case backgroundDetected(TerminalBackground)
    /// Flags, overrides or the status of sources have changed; with a sentence to show, if any.
    case flagsChanged(String?)
    /// The flags were read.
    case flagsRead(StageUpdate, sentence: String?)
    /// The menu was closed, or could not be opened for a reason.
    case menuClosed(isInterrupted: Bool, reason: String?)
    /// A variant could not be applied, for a reason that is a sentence.
    case variantRefused(String)
    /// The sources were fetched; with the result as a sentence.
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
