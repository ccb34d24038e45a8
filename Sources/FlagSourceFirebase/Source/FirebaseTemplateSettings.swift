public import FlagModel

/// Which template of a project to read, and how to evaluate it.
public struct FirebaseTemplateSettings: Sendable {
    /// The default poll interval, as the service for templates does not report changes: a minute.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The project's templates, with their authorization.
    public let templates: FirebaseTemplates
    /// The number of a version; `nil` for the newest.
    public var version: Int?
    /// The evaluation context of a server template.
    public var context = TemplateContext()
    /// Conditions that apply or not, whatever their rules say. Those of a client template are expressions that only
    /// Firebase's servers evaluate: they do not apply unless they are forced.
    public var forcedConditions: [FlagText: Bool] = [:]
    /// The prefix that keys must have; empty for none.
    public var keyPrefix = ""
    /// How often the newest template is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval

    /// Settings for the newest template of a project.
    public init(_ templates: FirebaseTemplates) { self.templates = templates }
}
