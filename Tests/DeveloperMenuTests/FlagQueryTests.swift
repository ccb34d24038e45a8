import FlagModel
import Testing

@testable import DeveloperMenu

/// The flags that a filter lists, and their order.
@Suite struct FlagQueryTests {
    /// One flag in each state, for conditions.
    private static let states = RemoteSnapshot.snapshot(
        #"""
        {"plain": "false", "changed": "false", "same": "false", "odd": "x", "wrong": "1",
         "config_categories": [
           {"category": "First part", "items": [
             {"key": "plain", "value": "true|false"}, {"key": "changed", "value": "true|false"},
             {"key": "same", "value": "true|false"}]},
           {"category": "Second", "items": [
             {"key": "odd", "value": "x|y", "description": "A long story about false teeth."},
             {"key": "wrong", "type": "int"}, {"key": "compiled"}]}]}
        """#, defaults: [("compiled", "yes")])

    private static var menu: MenuDriver {
        MenuDriver(
            states, overrides: ["changed": "true", "same": "false", "odd": "z", "wrong": "w", "gone": "1"],
            launch: ["plain": "true"])
    }

    private func listed(_ filter: String, in menu: MenuDriver = Self.menu) -> [String] {
        var menu = menu
        menu.press("/<paste:\(filter)>")
        return menu.listedKeys
    }

    private static let all = ["plain", "changed", "same", "odd", "wrong", "compiled", "gone"]
    private static let overridden = ["changed", "same", "odd", "wrong", "gone"]

    @Test(
        arguments: [
            ("", all), ("   ", all), ("is:overridden", overridden), ("is:changed", overridden), ("is:over", overridden),
            ("IS:overridden", []), ("is:Overridden", overridden), ("is:same", ["same"]),
            ("is:stale", ["same", "odd", "gone"]),
            ("is:invalid", ["wrong"]), ("is:nonsense", []), ("is:", all), ("!is:", all), ("!", all),
            ("!is:overridden", ["plain", "compiled"]), ("is:remote", ["wrong"]),
            ("type:bool", ["plain", "changed", "same"]),
            ("type:Bool", ["plain", "changed", "same"]), ("type:b", ["plain", "changed", "same"]),
            ("type:int", ["wrong"]),
            ("!type:bool", ["odd", "wrong", "compiled", "gone"]), ("cat:first", ["plain", "changed", "same"]),
            ("cat:sec", ["odd", "wrong", "compiled"]), ("cat:listed", ["gone"]), ("layer:launch", ["plain"]),
            ("layer:default", ["compiled"]), ("layer:remote", ["wrong"]),
            ("layer:over", ["changed", "same", "odd", "gone"]),
            ("type:bool is:overridden", ["changed", "same"]), ("cat:first !is:same", ["plain", "changed"]),
            ("http://x", []), ("cat:\"First part\"", ["plain", "changed", "same"]),
            ("cat:pt", ["plain", "changed", "same"]),
            ("cat:\"part", ["plain", "changed", "same"]), ("!cat:first !type:string", ["wrong"]),
            ("type:nonsense", []),
            ("is:pinned", []), ("layer:x type:int", []),
            // Words.
            ("long story", ["odd"]), ("story long", ["odd"]), ("long nothing", []), ("lgst", []),
            ("teeth !odd", []), ("odd !changed", ["odd"]), ("\"long story\"", ["odd"]), ("\"story long\"", []),
            ("\"false teeth", ["odd"]), ("!\"long story\" odd", []), ("\"\"", all), ("\"chn\"", []),
            ("chn", ["changed"]),
        ] as [(String, [String])])
    func `conditions and words`(filter: String, keys: [String]) {
        #expect(listed(filter) == keys)
    }

    /// The list must not become empty while a condition is typed letter by letter.
    @Test(arguments: ["is:overridden", "type:bool", "layer:default", "cat:second", "!is:overridden", "!wrong"])
    func `partial conditions never empty the list`(filter: String) {
        var menu = Self.menu
        menu.press("/")
        for letter in filter {
            menu.press(String(letter))
            // The letters before the colon are an ordinary word.
            guard menu.state.list.filter.text.contains(where: { ":!".contains($0) }) else { continue }
            #expect(!menu.listedKeys.isEmpty, "after \(menu.state.list.filter.text)")
        }
    }

    /// Exclusion matches contiguous text, so that scattered letters do not hide other flags.
    @Test func `excluded word hides only literal matches`() {
        #expect(listed("!cag") == Self.all, "c, a and g are not adjacent in the key changed")
        #expect(listed("!hang") == Self.all.filter { $0 != "changed" })
        #expect(
            listed("!false") == ["plain", "changed", "wrong", "compiled", "gone"], "values and details are searched too"
        )
    }

    /// The expected ranking for these filters over the flags of an app.
    @Test(
        arguments: [
            ("login", ["login_screen", "login_variant", "social_login", "enable_logging_in"]),
            ("ls", ["list_size", "list_size_value", "login_screen"]), ("lv", ["login_variant", "list_size_value"]),
            ("item", ["item_price", "maximum_item_count"]), ("mic", ["maximum_item_count"]),
            ("max", ["maximum_item_count", "climax"]),
        ] as [(String, [String])])
    func `golden ranking`(filter: String, best: [String]) {
        let keys = [
            "enable_logging_in", "climax", "maximum_item_count", "item_price", "list_size_value", "social_login",
            "list_size", "login_variant", "login_screen",
        ]
        let document = keys.map { #""\#($0)": "1""# }.joined(separator: ", ")
        let found = listed(filter, in: MenuDriver(.snapshot("{\(document)}")))
        #expect(Array(found.prefix(best.count)) == best, "\(found)")
    }

    @Test func `names rank before values and values before descriptions`() {
        let document = #"""
            {"c": "x", "b": "needle", "needle": "x", "config_categories": [{"category": "C", "items": [
              {"key": "c", "description": "A needle in a haystack."}, {"key": "b"}, {"key": "needle"}]}]}
            """#
        #expect(listed("needle", in: MenuDriver(.snapshot(document))) == ["needle", "b", "c"])
    }
}
