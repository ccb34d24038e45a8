/// A map of keys to texts: the remote document in the article that the catalog format is based on.
public enum RemoteMap {
    /// Two categories and four flags: a switch for several locations, an extra step, a count, and a login screen
    /// without a category.
    public static let document = #"""
        {
          "enable_multiple_locations": "false",
          "login_screen": "{\"label\":{\"text\":\"Welcome to Remote Config Demo\"},\"button\":{\"text\":\"Continue\",\"color\":{\"red\":50,\"green\":205,\"blue\":50}}}",
          "maximum_item_count": "42",
          "AWESOME_FEATURE": "true",
          "config_categories": "[{\"category\":\"Location\",\"items\":[{\"key\":\"enable_multiple_locations\",\"value\":\"true|false\",\"title\":\"Multiple Locations\",\"description\":\"Show the list of locations instead of a single one.\"}]},{\"category\":\"Onboarding\",\"items\":[{\"key\":\"AWESOME_FEATURE\",\"value\":\"true|false\",\"title\":\"Awesome Feature\"},{\"key\":\"maximum_item_count\",\"value\":\"10|42|100\",\"title\":\"Maximum item count\"}]}]"
        }
        """#
}
