public import FlagModel

/// Which template of a project to read, and how to evaluate it.
public struct FirebaseTemplateSettings: Sendable {
    /// The default poll interval: a minute. The service for templates does not report changes.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The project's templates, with their authorization.
    public let templates: FirebaseTemplates
    /// The number of a version; `nil` for the newest.
    public var version: Int?
    /// The evaluation context of a server template.
    public var context = TemplateContext()
    /// The names of conditions whose rules are ignored, each with whether the condition applies. The conditions of a
    /// client template, which only Firebase's servers evaluate, do not apply unless they are forced.
    public var forcedConditions: [FlagText: Bool] = [:]
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""
    /// How often the newest template is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval

    /// Settings for the newest template of a project.
    public init(_ templates: FirebaseTemplates) { self.templates = templates }
}
