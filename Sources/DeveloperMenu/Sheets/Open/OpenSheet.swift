/// What the menu can be opened on instead, to choose from.
public struct OpenSheet: Sendable, Equatable {
    /// What can be chosen; `nil` while that is looked up.
    public internal(set) var choices: [OpenChoice]?
    /// The index of the selected choice.
    public internal(set) var selection = 0
    /// Why what was chosen cannot be opened, as a sentence.
    public internal(set) var refusal: String?
    /// The request that the sheet waits for: for its choices, then for what was chosen.
    var request: RequestID?

    init(request: RequestID) { self.request = request }

    /// The selected choice; `nil` while none are known.
    var selected: OpenChoice? {
        choices.flatMap { $0.indices.contains(selection) ? $0[selection] : nil }
    }

    /// Takes in what can be chosen. What is open already is not what somebody wants who opens something.
    mutating func take(_ choices: [OpenChoice]) {
        (self.choices, request) = (choices, nil)
        selection = choices.firstIndex { !$0.isOpen } ?? 0
    }
}

/// What a menu can be opened on, named as the command line names it.
public enum OpenTarget: Sendable, Equatable {
    /// What `flagmenu` alone opens: the project's sources, or the sample.
    case standard
    /// A document or another source, as `--source` takes it.
    case source(String)
    /// The overrides of an app, as `--app` takes it, on its document; without one, on the sources that are open.
    case app(String, document: String?)
    /// The project that `flagmenu init` sets up first.
    case newProject
}

/// One thing that can be opened.
public struct OpenChoice: Sendable, Equatable {
    /// What it is.
    public let target: OpenTarget
    /// What it is called.
    public let name: String
    /// What there is to know of it, such as the app whose overrides come with it.
    public let note: String
    /// Whether it is what the menu is open on.
    public let isOpen: Bool

    /// A choice.
    public init(_ target: OpenTarget, name: String, note: String, isOpen: Bool = false) {
        (self.target, self.name, self.note, self.isOpen) = (target, name, note, isOpen)
    }
}
