import TestSupport

/// Documents that tests write.
enum Documents {
    /// One flag of each kind.
    static let shop = #"""
        {
          "show_map": "true",
          "theme": "dark",
          "limit": 10,
          "ratio": "0.5",
          "greeting": "Hello, world",
          "empty": "",
          "unlisted": "x",
          "config_categories": [
            {"category": "Screens", "items": [
              {"key": "show_map", "value": "true|false", "title": "Map", "description": "Show the map."},
              {"key": "theme", "value": "dark|light|high contrast", "owner": "ana", "expires": "2027-01-31",
               "requires": ["show_map"], "restart": true}]},
            {"category": "Numbers", "items": [
              {"key": "limit", "type": "int", "title": "Limit"},
              {"key": "ratio", "type": "double"}]},
            {"category": "Words", "items": [
              {"key": "greeting", "title": "Greeting"}, {"key": "empty"}]}
          ]
        }
        """#

    /// The same flags after a change at the source.
    static let shopLater = shop.replacing(#""theme": "dark""#, with: #""theme": "light""#)
        .replacing(#""limit": 10"#, with: #""limit": 20"#)
}

extension Workplace {
    /// A folder with the document ``Documents/shop``, which its project file names.
    static func shop() -> Workplace {
        let workplace = Workplace()
        workplace.write(Documents.shop, to: "shop.json")
        workplace.write(#"{"source": "shop.json", "app": "shop"}"#, to: "flagmenu.json")
        return workplace
    }
}
