/// A document, source, app or project that can be opened, named as on the command line.
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
