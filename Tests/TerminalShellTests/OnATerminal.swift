import TestSupport
import Testing

/// What needs a terminal: one test after the other, so that no probe inherits another one's terminal.
@Suite(.serialized, .mayBlock) enum OnATerminal {}
