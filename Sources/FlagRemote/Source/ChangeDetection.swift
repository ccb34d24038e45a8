/// How changes of a service that can report them are noticed.
public enum ChangeDetection: String, Sendable, Hashable, CaseIterable {
    /// By the events that the service reports, and also by polling if the settings have an interval.
    case events
    /// By polling.
    case polling
    /// Changes are not noticed.
    case none
}
