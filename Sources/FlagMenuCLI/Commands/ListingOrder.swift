import ArgumentParser
import DeveloperMenu

/// The order of a list, as the command line names it.
enum ListingOrder: String, CaseIterable, ExpressibleByArgument {
    case catalog, changed, name, prefix

    /// The menu's order of this name.
    var order: ListOrder {
        switch self {
        case .catalog: .catalog
        case .changed: .changedFirst
        case .name: .name
        case .prefix: .prefix
        }
    }
}
