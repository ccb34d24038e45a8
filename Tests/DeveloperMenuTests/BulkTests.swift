import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// What is done to many flags at once: the list first, the default no, one step to undo.
@Suite struct BulkTests {
    private func question(_ menu: MenuDriver) -> BulkQuestion? {
        if case .question(let question) = menu.state.mode { question } else { nil }
    }

    @Test func settingTheListedShowsThemAndWhatIsLeftOut() {
        var menu = MenuDriver()
        menu.press("Strue<enter>")
        let question = question(menu)
        #expect(question?.lines.first == .init(key: "enable_multiple_locations", before: "false", after: "true"))
        #expect(question?.exceptions.map(\.key).contains("login_variant") == true)
        #expect(question?.exceptions.map(\.key).contains("maximum_item_count") == true)
        #expect(menu.lines.contains { $0.contains("left out: ") })
        menu.press("<enter>")
        #expect(menu.saved == [:])
        #expect(menu.message == "Nothing was changed.")
    }

    @Test(arguments: [(80, 24, #""Welcome"}} -> true"#), (40, 10, "{…} -> true")])
    func whatIsSetIsNeverCutForWhatItWas(columns: Int, rows: Int, shown: String) {
        var menu = MenuDriver(columns: columns, rows: rows)
        menu.press("/login_screen<enter>Strue<enter>")
        #expect(menu.lines.contains { $0.contains(shown) })
    }

    @Test func aLongNewValueTakesSeveralRows() {
        var menu = MenuDriver(columns: 40, rows: 24)
        let long = "welcome to the shop, dear guest, and stay"
        menu.press("/greeting_text<enter>S\(long)<enter>")
        let text = menu.lines.joined(separator: " ")
        for word in long.split(separator: " ") { #expect(text.contains(word), "\(word)") }
        #expect(menu.lines.contains { $0.contains("Hello ->") })
    }

    @Test func onTheSmallestScreenSentencesAreWhole() {
        var menu = MenuDriver(columns: 40, rows: 10)
        menu.press("Strue<enter>")
        #expect(menu.lines.contains { $0.contains("cannot have it") })
        #expect(menu.lines.contains { $0.contains("unchanged.") })
        menu.press("G")
        #expect(menu.lines.contains { $0.contains("options.") }, "the reason is there to its end")
    }

    @Test func onlyWhatTheFilterFindsIsSetAndOneUndoTakesItBack() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.press("/cat:location<enter>S<down>")
        #expect(menu.lines.contains { $0.contains("an option of 1 of 1 flag") })
        menu.press("<enter>y")
        #expect(menu.saved == ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        menu.press("u")
        #expect(menu.saved == ["login_variant": "variant_a"])
    }

    @Test func whatNoFlagCanHaveIsRefusedAndStaysForCorrection() {
        var menu = MenuDriver()
        menu.press("/cat:location<enter>Smaybe<enter>")
        guard case .prompt(let prompt) = menu.state.mode else { return #expect(Bool(false), "the line is gone") }
        #expect(
            prompt.refusal
                == "None of the flags can have it. enable_multiple_locations: It is not one of its options.")
        #expect(prompt.field.text == "maybe")
        menu.press("<bs>")
        #expect(menu.lines.contains { $0.contains("The value; the list is shown before anything changes.") })
    }

    @Test func clearingTheListedLeavesTheOthers() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        menu.press("/cat:login<enter>D")
        #expect(question(menu)?.title == "Clear 1 listed override?")
        menu.press("y")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
        #expect(menu.message == "Cleared 1 override. u brings it back.")
        menu.press("D")
        #expect(menu.message == "No listed flag is overridden.")
    }

    @Test func `matches by letters are cleared by a list of their own`() {
        let document = #"{"chat_on": "1", "cached_hat": "1", "other": "1"}"#
        var menu = MenuDriver(.snapshot(document), overrides: ["chat_on": "2", "cached_hat": "2", "other": "2"])
        menu.press("/chat<enter>D")
        #expect(question(menu)?.title == "Clear 1 listed override?")
        menu.press("<tab>")
        #expect(question(menu)?.title == "Clear 1 override found by letters only?")
        menu.press("<tab>")
        #expect(question(menu)?.title == "Clear 1 listed override?")
        menu.press("<tab>y")
        #expect(menu.saved == ["chat_on": "2", "other": "2"])
    }

    @Test func anExportAsksBeforeItReplacesAFile() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.files["o.json"] = [:]
        menu.press(":export<enter><enter>")
        #expect(menu.lines.contains { $0.contains("Name a file.") })
        menu.press("o.json<enter>")
        #expect(menu.files["o.json"] == [:])
        #expect(menu.lines.contains { $0.contains("o.json exists. Enter again replaces it.") })
        menu.press("<enter>")
        #expect(menu.files["o.json"] == ["login_variant": "variant_a"])
        #expect(menu.message == "1 written to o.json.")
    }

    @Test func anImportShowsWhatChangesFirst() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.files["i.json"] = ["maximum_item_count": "10"]
        menu.press(":import overrides<enter>x.json<enter>")
        #expect(menu.lines.contains { $0.contains("x.json does not exist.") })
        menu.press("<c-u>i.json<enter>")
        #expect(question(menu)?.lines == [.init(key: "maximum_item_count", before: "42", after: "10")])
        menu.press("y")
        #expect(menu.saved == ["login_variant": "variant_a", "maximum_item_count": "10"])
        menu.press("u:in place<enter>i.json<enter>")
        #expect(question(menu)?.lines.count == 2)
        menu.press("y")
        #expect(menu.saved == ["maximum_item_count": "10"])
    }

    @Test func `an import lists what cannot be taken, takes the rest, and unknown keys only if they are wanted`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "maximum_item_count": "7"])
        menu.files["i.json"] = ["maximum_item_count": "many", "enable_multiple_locations": "true", "nosuch": "1"]
        menu.press(":in place<enter>i.json<enter>")
        #expect(
            question(menu)?.exceptions.map(\.key) == ["maximum_item_count", "nosuch"]
                && question(menu)?.lines.map(\.key) == ["enable_multiple_locations", "login_variant"])
        #expect(menu.lines.contains { $0.contains(#"left out: There is no flag "nosuch"."#) }, "\(menu.lines)")
        #expect(menu.lines.contains { $0.contains("2 entries are left out") })
        #expect(menu.state.sheet(BulkQuestion.self)?.commands.first?.text?.contains("--skip-invalid") == true)
        menu.press("<tab>")
        #expect(question(menu)?.lines.map(\.key) == ["enable_multiple_locations", "login_variant", "nosuch"])
        #expect(menu.state.sheet(BulkQuestion.self)?.commands.first?.text?.contains("--new --skip-invalid") == true)
        menu.press("<tab>y")
        #expect(
            menu.saved == ["enable_multiple_locations": "true", "maximum_item_count": "7"],
            "the override of an entry that is left out stays")
    }

    @Test func `an import of which nothing can be taken lists why`() {
        var menu = MenuDriver()
        menu.files["i.json"] = ["maximum_item_count": "many"]
        menu.press(":import overrides<enter>i.json<enter>")
        #expect(question(menu)?.title == "Nothing to import")
        #expect(!menu.lines.contains { $0.contains("y import") })
        menu.press("y")
        #expect(menu.saved == [:] && menu.message == "Nothing was left to change.")
    }

    @Test func `the overrides of another app are imported knowingly`() {
        let entries = ImportPlan(ImportEntries(values: ["a": "1"], app: "other"), on: FlagBoard()) { _ in
            FlagBoard().facts(of: "a")
        }
        func outcome(_ app: String) -> String {
            BulkQuestion.importing(entries, from: "i.json", over: [:], replacing: false, into: app) {
                FlagBoard().facts(of: FlagText($0))
            }.outcome
        }
        #expect(outcome("shop").hasPrefix("The file has the overrides of other, this is shop."))
        #expect(!outcome("other").contains("has the overrides of"))
    }

    // MARK: what changes while it is asked

    @Test func theListToSetFollowsWhatChangesElsewhere() {
        var menu = MenuDriver()
        menu.press("/multiple<enter>Strue<enter>")
        #expect(question(menu)?.lines.count == 1)
        menu.store.apply([.set(key: "enable_multiple_locations", value: "true")], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(question(menu)?.lines == [])
        menu.store.apply([.clear(key: "enable_multiple_locations")], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(question(menu)?.lines == [.init(key: "enable_multiple_locations", before: "false", after: "true")])
        menu.press("y")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
        #expect(menu.message == "Set 1 flag. u undoes it.")
    }

    @Test func anImportFollowsWhatChangesElsewhere() {
        var menu = MenuDriver()
        menu.files["x.json"] = ["enable_multiple_locations": "true", "login_variant": "variant_a"]
        menu.press(":import overrides<enter>x.json<enter>")
        #expect(question(menu)?.lines.count == 2)
        menu.store.apply([.set(key: "login_variant", value: "variant_a")], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(question(menu)?.title == "Import 1 change?")
        menu.press("y")
        #expect(menu.saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
    }

    @Test func activatedValuesShowInTheOpenQuestion() {
        var menu = MenuDriver(.snapshot(#"{"a": "1"}"#))
        menu.press("S3<enter>")
        #expect(question(menu)?.lines == [.init(key: "a", before: "1", after: "3")])
        let news = RemoteContent(snapshot: .snapshot(#"{"a": "2"}"#), fetchedAt: MenuDriver.now)
        menu.happens(.remote(.activated(news, by: .menu(id: 0))))
        #expect(question(menu)?.lines == [.init(key: "a", before: "2", after: "3")])
    }
}

/// Marks: what is done to a flag is done to all that are marked.
@Suite struct MarkTests {
    @Test func spaceChangesTheMarkedFlagsAsOneStep() {
        var menu = MenuDriver()
        menu.press("vjv")
        #expect(menu.lines.contains { $0.contains("2 marked") })
        menu.press("<space>")
        #expect(menu.saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
        #expect(menu.state.list.marks.isEmpty)
        #expect(menu.message?.hasPrefix("Toggled 2 flags. u undoes it.") == true)
        menu.press("u")
        #expect(menu.saved == [:])
    }

    @Test func aRangeRunsFromTheLastMarkToHere() {
        var menu = MenuDriver()
        menu.press("GvggV")
        #expect(menu.state.list.marks.keys.count == menu.state.list.flagCount)
        menu.press("<esc>")
        #expect(menu.state.list.marks.isEmpty && menu.message == "No flag is marked now.")
    }

    @Test func whatCannotBeToggledStaysAndIsCounted() {
        var menu = MenuDriver()
        menu.press("vGv<space>")
        #expect(menu.message?.contains("Toggled 1 flag. 1 unchanged.") == true, "\(menu.message ?? "")")
    }

    @Test func marksStayWhileTheListIsFilteredAndDecideWhatIsSet() {
        var menu = MenuDriver()
        menu.press("v/login<enter>Strue<enter>")
        #expect(menu.lines.contains { $0.contains("Set 1 flag to \"true\"?") })
        menu.press("y")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func clearingTheMarkedLeavesTheOthers() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true", "login_variant": "variant_a"])
        menu.press("vx")
        #expect(menu.saved == ["login_variant": "variant_a"])
        menu.press("ggvx")
        #expect(menu.message == "No marked flag is overridden.")
    }

    /// Five kill switches found by their text, marked and set.
    @Test func fiveSwitchesTakeAtMostTwelveKeys() {
        let items = (0..<300).map {
            "{\"key\": \"\($0 % 60 == 7 ? "kill_switch" : "feature")_\($0)\", \"value\": \"false|true\"}"
        }
        let values = (0..<300).map { "\"\($0 % 60 == 7 ? "kill_switch" : "feature")_\($0)\": \"false\"" }
        var menu = MenuDriver(
            .snapshot(
                "{\(values.joined(separator: ",")), \"config_categories\": [{\"category\": \"C\", \"items\": [\(items.joined(separator: ","))]}]}"
            ))
        let keys = "/kill<enter>vGV<space>"
        menu.press(keys)
        #expect(menu.saved.count == 5 && menu.saved.keys.allSatisfy { $0.hasPrefix("kill_switch") })
        #expect(KeyScript.parse(keys).count <= 12)
    }
}

/// Bulk actions go by text, not by scattered letters.
@Suite struct LiteralBulkTests {
    private static let document = #"""
        {"chat_enabled": "true", "child_safety_alert_text": "true", "chat_limit": "true",
         "config_categories": [{"category": "C", "items": [{"key": "chat_enabled", "value": "true|false"},
           {"key": "child_safety_alert_text", "value": "true|false"}, {"key": "chat_limit", "value": "true|false"}]}]}
        """#

    @Test func setListsOnlyWhatContainsTheWord() throws {
        var menu = MenuDriver(.snapshot(Self.document))
        menu.press("/chat<enter>")
        #expect(menu.listedKeys.contains("child_safety_alert_text"), "found by its letters")
        menu.press("Sfalse<enter>")
        let question = try #require(menu.state.sheet(BulkQuestion.self))
        #expect(question.lines.map(\.key).sorted() == ["chat_enabled", "chat_limit"])
        #expect(menu.lines.contains { $0.contains("1 other match has the letters only") })
        menu.press("<tab>")
        let others = try #require(menu.state.sheet(BulkQuestion.self))
        #expect(others.lines.map(\.key) == ["child_safety_alert_text"])
        menu.press("<tab>y")
        #expect(Set(menu.saved.keys) == ["chat_enabled", "chat_limit"])
    }

    @Test func flagsThatHaveTheValueAreLeftOut() throws {
        var menu = MenuDriver(.snapshot(Self.document), overrides: ["chat_limit": "false"])
        menu.press("/chat<enter>Sfalse<enter>")
        let question = try #require(menu.state.sheet(BulkQuestion.self))
        #expect(question.lines.map(\.key) == ["chat_enabled"] && question.unchanged == ["chat_limit"])
        #expect(question.outcome == "They keep the value until it is cleared. 1 other has it already.")
    }

    @Test func onlyLettersAreNotEnough() {
        var menu = MenuDriver(.snapshot(Self.document))
        menu.press("/csat<enter>S")
        #expect(menu.state.mode == .list)
        #expect(
            menu.message?.hasPrefix("Nothing to do: no flag contains \"csat\"; 1 flag has its letters only.")
                == true)
    }
}
