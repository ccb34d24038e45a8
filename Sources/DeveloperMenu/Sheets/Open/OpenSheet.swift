public import FlagQueries

/// The sheet to open another document, source or app.
public struct OpenSheet: Sendable, Equatable {
    /// The choices; `nil` while they are looked up.
    public internal(set) var choices: [OpenChoice]?
    /// The index of the selected choice.
    public internal(set) var selection = 0
    /// Why the chosen entry cannot be opened, as a sentence.
    public internal(set) var error: String?
    /// The pending request for the choices or, later, to open one of the choices; `nil` if no request is pending.
    var request: RequestID?

    init(request: RequestID) { self.request = request }

    /// The selected choice; `nil` if there are no choices.
    var selected: OpenChoice? {
        choices.flatMap { $0.indices.contains(selection) ? $0[selection] : nil }
    }

    /// Shows the choices, and selects the first one that is not open already.
    mutating func show(_ choices: [OpenChoice]) {
        (self.choices, request) = (choices, nil)
        selection = choices.firstIndex { !$0.isOpen } ?? 0
    }
}
