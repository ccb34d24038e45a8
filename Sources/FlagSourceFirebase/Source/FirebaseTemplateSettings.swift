public import FlagModel

/// Which template of a project is read, and how it is evaluated.
public struct FirebaseTemplateSettings: Sendable {
    /// How often the newest template is asked for, as the service for templates does not tell of changes; a minute.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The project's templates, and what lets us in.
    public let templates: FirebaseTemplates
    /// The number of a version; `nil` for the newest.
    public var version: Int?
    /// Whom the conditions of a template for servers are evaluated for.
    public var context = TemplateContext()
    /// Conditions that hold, or do not, whatever their rules say. Those of a template for clients are texts that only
    /// Firebase's servers evaluate: all that are not forced to hold do not.
    public var forcedConditions: [FlagText: Bool] = [:]
    /// Parameters whose keys do not begin with it are passed over; empty for none.
    public var keyPrefix = ""
    /// How often the newest template is asked for; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval

    /// Settings for the newest template of a project.
    public init(_ templates: FirebaseTemplates) { self.templates = templates }
}
