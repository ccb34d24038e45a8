import FlagFormats
import FlagModel

extension RemoteSnapshot {
    /// Flags of every type, as a shop may have them, parsed from a document.
    static let sample = snapshot(
        #"""
        {
          "enable_multiple_locations": "false",
          "login_screen": {"label": {"text": "Welcome"}},
          "login_variant": "control",
          "maximum_item_count": 42,
          "greeting_text": "Hello",
          "config_categories": [
            {"category": "Location", "items": [
              {"key": "enable_multiple_locations", "value": "true|false", "title": "Multiple locations",
               "description": "Show the list of locations instead of a single one."}]},
            {"category": "Login", "items": [
              {"key": "login_screen", "title": "Login screen", "description": "Label, button text and colour."},
              {"key": "login_variant", "value": "control|variant_a|variant_b", "title": "Login variant", "owner": "ana",
               "expires": "2027-01-31", "requires": ["enable_multiple_locations"], "restart": true}]},
            {"category": "Items", "items": [
              {"key": "maximum_item_count", "value": "10|42|100", "title": "Maximum item count"},
              {"key": "greeting_text", "description": "What the first screen says."}]}
          ]
        }
        """#)

    /// A single flag with its remote value and its options, separated by `|`.
    static func oneFlag(_ key: String, value: String, options: String) -> RemoteSnapshot {
        snapshot(#"{"\#(key)": "\#(value)", \#(catalog(key, #""value": "\#(options)""#))}"#)
    }

    /// The member of a document that describes a single flag.
    static func catalog(_ key: String, _ members: String) -> String {
        #""config_categories": [{"category": "Only", "items": [{"key": "\#(key)", \#(members)}]}]"#
    }

    /// The snapshot of one document; the test's own document must be valid.
    static func snapshot(_ document: String, defaults: [(String, String)] = []) -> RemoteSnapshot {
        do {
            let defaults = ValueTable(defaults.map { (key: FlagText($0.0), value: FlagText($0.1)) })
            return RemoteSnapshot(
                documents: [try RemoteDocument(ofAnyFormat: Array(document.utf8))], defaults: defaults)
        } catch {
            preconditionFailure("the test's own document is malformed: \(error)")
        }
    }
}
