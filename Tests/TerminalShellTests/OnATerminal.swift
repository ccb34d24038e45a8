import TestSupport
import Testing

/// Tests that need a terminal. They run one by one, so that no probe inherits the terminal of another.
@Suite(.serialized, .mayBlock) enum OnATerminal {}
