import ArgumentParser
import FlagQueries

/// The order of `flagmenu list`, by its name on the command line.
enum ListingOrder: String, CaseIterable, ExpressibleByArgument {
    case catalog, changed, name, prefix

    /// The menu's order with this name.
    var order: ListOrder {
        switch self {
        case .catalog: .catalog
        case .changed: .changedFirst
        case .name: .name
        case .prefix: .prefix
        }
    }
}
