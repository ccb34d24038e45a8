/// The choices of what the menu can be opened on instead.
public struct OpenSheet: Sendable, Equatable {
    /// The choices; `nil` while they are looked up.
    public internal(set) var choices: [OpenChoice]?
    /// The index of the selected choice.
    public internal(set) var selection = 0
    /// Why the chosen one cannot be opened, as a sentence.
    public internal(set) var refusal: String?
    /// The request that the sheet waits for: for its choices, then for the chosen one.
    var request: RequestID?

    init(request: RequestID) { self.request = request }

    /// The selected choice; `nil` if there are none.
    var selected: OpenChoice? {
        choices.flatMap { $0.indices.contains(selection) ? $0[selection] : nil }
    }

    /// Takes over the choices, and selects one that is not open already.
    mutating func take(_ choices: [OpenChoice]) {
        (self.choices, request) = (choices, nil)
        selection = choices.firstIndex { !$0.isOpen } ?? 0
    }
}

/// What a menu can be opened on, named as on the command line.
public enum OpenTarget: Sendable, Equatable {
    /// What `flagmenu` alone opens: the project's sources, or the sample.
    case standard
    /// A document or another source, as for `--source`.
    case source(String)
    /// The overrides of an app, as for `--app`, on its document; without one, on the open sources.
    case app(String, document: String?)
    /// The project that `flagmenu init` sets up first.
    case newProject
}

/// A choice to open.
public struct OpenChoice: Sendable, Equatable {
    /// Its target.
    public let target: OpenTarget
    /// Its name.
    public let name: String
    /// A note, such as the app whose overrides come with it.
    public let note: String
    /// Whether the menu is open on it.
    public let isOpen: Bool

    /// A choice.
    public init(_ target: OpenTarget, name: String, note: String, isOpen: Bool = false) {
        (self.target, self.name, self.note, self.isOpen) = (target, name, note, isOpen)
    }
}
