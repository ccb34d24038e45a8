import TerminalUI

/// What has happened on the stage.
enum StageEvent: Sendable, Equatable {
    case keyPressed(KeyPress)
    case resized(Size)
    case backgroundDetected(TerminalBackground)
    /// Some flag has changed; the sentence says which, where it is worth telling.
    case flagsChanged(String?)
    /// The flags were read.
    case flagsRead(StageNews, sentence: String?)
    /// The menu was left; a reason, where it could not be opened.
    case menuClosed(isInterrupted: Bool, reason: String?)
    /// A variant could not be applied, for a reason that is a sentence.
    case variantRefused(String)
    /// The remote side was asked.
    case fetched(String)
}

/// What the stage asks of the world.
enum StageEffect: Sendable, Equatable {
    /// Read the flags and answer `flagsRead` with the sentence.
    case readFlags(sentence: String?)
    /// Open the developer menu and answer `menuClosed`.
    case openMenu
    /// Ask the sources, make their values active, and answer `fetched`.
    case fetch
    /// Override the flags of a variant of a screen, by its index; if that fails, answer `variantRefused`.
    case applyVariant(StageScreen, Int)
    case suspend
    case repaint
}
