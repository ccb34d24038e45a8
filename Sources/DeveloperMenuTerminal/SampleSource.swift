import FlagModel
package import FlagRemote
package import FlagStorage
package import Flags

/// The built-in sample as a source. It is the default if no source is given.
package struct SampleSource: RemoteSource {
    package let identity: SourceIdentity = "sample"
    package let name = "built-in sample"
    package let isCached = false

    package init() {}

    package func readSynchronously() throws(SourceError) -> FetchResult? {
        .values(Array(Self.document.utf8), version: nil)
    }

    /// The sample as a remote document.
    private static let document = #"""
        {
          "enable_multiple_locations": "false",
          "AWESOME_FEATURE": "true",
          "login_screen": {
            "label": {"text": "Welcome"},
            "button": {"text": "Continue", "color": {"red": 50, "green": 205, "blue": 50}}
          },
          "login_variant": "A",
          "maximum_item_count": "42",
          "item_price_factor": "1.0",
          "maintenance_mode": "false",
          "greeting_text": "Good morning",
          "config_categories": [
            {"category": "Location", "items": [
              {"key": "enable_multiple_locations", "value": "true|false", "title": "Multiple locations",
               "description": "Show the list of locations instead of a single one."}]},
            {"category": "Onboarding", "items": [
              {"key": "AWESOME_FEATURE", "value": "true|false", "title": "Awesome feature",
               "description": "Adds one more step to the onboarding."},
              {"key": "greeting_text", "type": "string", "title": "Greeting",
               "description": "The first line of the first screen."}]},
            {"category": "Login", "items": [
              {"key": "login_variant", "value": "A|B", "title": "Login variant",
               "description": "Which login screen is shown: A asks first, B explains first."},
              {"key": "login_screen", "type": "json", "title": "Login screen",
               "description": "Label, button text and button colour of the login screen."}]},
            {"category": "Items", "items": [
              {"key": "maximum_item_count", "value": "10|42|100", "title": "Maximum item count",
               "description": "How many items the list shows at most."},
              {"key": "item_price_factor", "type": "double", "title": "Price factor",
               "description": "What every price is multiplied with."}]},
            {"category": "Operational", "items": [
              {"key": "maintenance_mode", "value": "true|false", "title": "Maintenance mode",
               "description": "Close the shop with a friendly page.", "restart": true}]}
          ]
        }
        """#
}

extension SampleSource {
    /// The scenarios that ship with the sample, by name, each as the text of an export. Together they change each screen
    /// of the demo, and no value is the remote one.
    package static let scenarios = [
        "black-friday": #"""
        {
          "app": "sample", "source": "built-in sample", "exportedAt": "2026-11-27T00:00:00Z",
          "overrides": {
            "enable_multiple_locations": "true",
            "greeting_text": "Black Friday: half price",
            "item_price_factor": "0.5",
            "login_screen": {
              "label": {"text": "Half price until midnight"},
              "button": {"text": "Save now", "color": {"red": 255, "green": 69, "blue": 0}}
            },
            "maximum_item_count": "100"
          },
          "notes": {"item_price_factor": "Half price, for one day", "maximum_item_count": "More to choose from"}
        }
        """#,
        "onboarding": #"""
        {
          "app": "sample", "source": "built-in sample", "exportedAt": "2026-11-27T00:00:00Z",
          "overrides": {
            "AWESOME_FEATURE": "false",
            "greeting_text": "Welcome! It takes three steps.",
            "login_variant": "B",
            "maximum_item_count": "10"
          },
          "notes": {"login_variant": "Explains first, for new customers"}
        }
        """#,
    ]
}

extension FlagStore {
    /// The scenarios beside a store, with those that ship with the sources: those of the built-in sample.
    package func scenarioFolders(beside store: OverrideStore) -> ScenarioFolders {
        let isSample = remote.configured.contains { $0 is SampleSource }
        let builtIn = isSample ? SampleSource.scenarios : [:]
        return ScenarioFolders(project: nil, state: FilePath.folder(of: store.path), builtIn: builtIn)
    }
}
