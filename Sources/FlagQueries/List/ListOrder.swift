/// The order of flags without a search; pinned flags are always on top.
public enum ListOrder: String, Sendable, CaseIterable {
    /// In catalog order, category by category.
    case catalog
    /// Overridden flags before all others.
    case changedFirst
    /// By title, or by key for flags without a title, across categories.
    case name
    /// In groups by the prefix of the key, across categories. The prefix ends at the key's first separator.
    case prefix

    /// The order in words.
    public var label: String {
        switch self {
        case .catalog: "catalog order"
        case .changedFirst: "changed first"
        case .name: "by name"
        case .prefix: "by prefix"
        }
    }

    /// The next order, for the key that steps through them.
    package var next: ListOrder { Self.allCases.drop { $0 != self }.dropFirst().first ?? .catalog }
}
