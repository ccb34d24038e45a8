/// In which order flags are listed while no words are searched for; pinned flags stand on top in each.
public enum ListOrder: String, Sendable, CaseIterable {
    /// As the catalog has them, category by category.
    case catalog
    /// Overridden flags before all others.
    case changedFirst
    /// By title, or key where there is none, whatever the category.
    case name
    /// In groups by the beginning of the key, up to its first separator, whatever the category.
    case prefix

    /// The order in words.
    public var words: String {
        switch self {
        case .catalog: "catalog order"
        case .changedFirst: "changed first"
        case .name: "by name"
        case .prefix: "by prefix"
        }
    }

    /// The order after this one, as a key steps through them.
    var next: ListOrder {
        switch self {
        case .catalog: .changedFirst
        case .changedFirst: .name
        case .name: .prefix
        case .prefix: .catalog
        }
    }
}
