// The remote document says what a menu lists, and a local value wins over the remote one until it is cleared, as in
// "Effective Feature Flags with Kotlin Multiplatform & Firebase". Prints:
//
// Location
//   Multiple Locations: false, of true|false
// enable_multiple_locations: override -, remote false (in use), default false
// Location
//   Multiple Locations: true, of true|false
// enable_multiple_locations: override true (in use), remote false, default false
// enable_multiple_locations: override -, remote true (in use), default false

import Flags

extension FlagKey<Bool> {
    static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
}

let categories = """
    [{
      "category": "Location",
      "items": [
        {"key": "enable_multiple_locations", "value": "true|false", "title": "Multiple Locations"}
      ]
    }]
    """

/// The list of a menu, such as of a screen for testers. `flagmenu` shows the same in a terminal.
func printMenu(_ flags: FlagStore) {
    let catalog = flags.snapshot().catalog
    for category in catalog.categories {
        print(category.name)
        for item in catalog.items[category.items] {
            let value = flags.explain(item.key.string).value?.string ?? "-"
            print("  \(item.name): \(value), of \(item.options.map(\.value).joined(separator: "|"))")
        }
    }
}

/// The value in each layer, the highest first.
func printLayers(_ flags: FlagStore) {
    let explanation = flags.explain(.multipleLocations)
    let layers = explanation.entries.map { entry in
        "\(entry.layer.word) \(entry.value?.string ?? "-")" + (entry.layer == explanation.winner ? " (in use)" : "")
    }
    print("\(explanation.key): \(layers.joined(separator: ", "))")
}

// In an app: FlagStore(app: "shop", sources: […], options: .init(overrides: .open)).
let flags = FlagStore.inMemory(["enable_multiple_locations": "false", "config_categories": categories])
printMenu(flags)
printLayers(flags)

// What choosing "true" in a menu does: the app reads it at once, and so does `flagmenu` with the same app id.
try await flags.setOverride("enable_multiple_locations", to: "true")
printMenu(flags)
printLayers(flags)

// Layers are independent: the remote value changed meanwhile.
flags.updateRemote(["enable_multiple_locations": "true", "config_categories": categories])
try await flags.clearOverrides()
printLayers(flags)
