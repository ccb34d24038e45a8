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
    mutating func take(_ choices: [OpenChoice]) {
        (self.choices, request) = (choices, nil)
        selection = choices.firstIndex { !$0.isOpen } ?? 0
    }
}

/// A document, source, app or project that the menu can open, named as on the command line.
public enum OpenTarget: Sendable, Equatable {
    /// The default of `flagmenu`: the project's sources, or the app that was found.
    case standard
    /// The built-in sample.
    case sample
    /// A document or another source, as for `--source`.
    case source(String)
    /// The overrides of an app, as for `--app`, with the document or, if `document` is `nil`, with the sources that are
    /// open now.
    case app(String, document: String?)
    /// A new project, which `flagmenu init` sets up first.
    case newProject
}

/// An entry of the open sheet.
public struct OpenChoice: Sendable, Equatable {
    /// The target that the entry opens.
    public let target: OpenTarget
    /// The name shown for the target.
    public let name: String
    /// A note, such as the app whose overrides are opened too.
    public let note: String
    /// Whether the menu shows this target already.
    public let isOpen: Bool

    /// An entry of the open sheet.
    public init(_ target: OpenTarget, name: String, note: String, isOpen: Bool = false) {
        (self.target, self.name, self.note, self.isOpen) = (target, name, note, isOpen)
    }
}
