import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Saving, failed saves, undo and leaving: no change is lost without a message.
@Suite struct SavingTests {
    private static let key = "enable_multiple_locations"

    /// A menu whose last change could not be saved.
    private static var failed: MenuDriver {
        var menu = MenuDriver()
        menu.store.failure = "Not saved: no space left on the disk. Your overrides changed."
        menu.press("<space>")
        return menu
    }

    @Test func `change is shown before it is saved`() {
        var menu = MenuDriver.waiting()
        #expect(menu.effects(of: " ").count == 1)
        #expect(menu.state.store.pending.map(\.id) == [1])
        #expect(menu.state.selected?.value == "true")
        #expect(menu.state.changeCount == 1)
        #expect(menu.state.store.table.overrides == [:])
    }

    /// The response to the first of two changes must not make the second one flicker.
    @Test func `response to one change keeps the next one visible`() {
        var menu = MenuDriver.waiting(pressing: "  ")
        let first = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        #expect(menu.happens(.store(.saved(id: 1, first, notice: nil))).state.selected?.override == nil)
        #expect(menu.state.store.pending.map(\.id) == [2])
        #expect(menu.happens(.store(.saved(id: 2, OverrideTable(revision: 2), notice: nil))).state.store.pending == [])
        #expect(menu.state.selected?.override == nil)
    }

    /// Pressing u and then q must do both.
    @Test(
        arguments: [
            (" ", .store(.saved(id: 1, OverrideTable(revision: 1), notice: nil))),
            ("u", .store(.moved(id: 1, OverrideTable(revision: 2), changes: [], notice: nil))),
            ("<c-r>", .store(.moveRefused(id: 1, reason: "Nothing to redo.", isAtEnd: false))),
        ] as [(String, Event)])
    func `leaving waits for a save, an undo and a redo`(key: String, response: Event) {
        var menu = MenuDriver.waiting(pressing: "\(key)q")
        #expect(!menu.state.isFinished && menu.state.ending != nil)
        #expect(menu.message == "Saving. Ctrl-C quits without waiting.")
        #expect(menu.happens(response).state.isFinished)
    }

    @Test func `ctrl c twice leaves without waiting`() {
        var menu = MenuDriver.waiting()
        #expect(!menu.press("<space><c-c>").state.isFinished)
        menu.press("<c-c>")
        #expect(menu.state.isFinished && menu.state.ending == .interrupted)
    }

    /// Two pending changes of one flag, of which only the first fails.
    @Test func `failed change is not retried over a newer one`() {
        var menu = MenuDriver.waiting(pressing: "<space><space>")
        menu.happens(.store(.saveFailed(id: 1, reason: "Not saved.", canRetry: true)))
        #expect(menu.state.store.unsaved == [])
    }

    /// The watcher may have read the store before an edit that is already acknowledged.
    @Test func `older read does not revert a saved change`() {
        var menu = MenuDriver.waiting(pressing: "  ")
        let saved = OverrideTable(revision: 5, overrides: [Self.key: FlagOverride(value: "true")])
        menu.happens(.store(.saved(id: 1, saved, notice: nil)))
        #expect(menu.happens(.store(.read(OverrideTable(revision: 4), error: nil))).state.store.table == saved)
    }

    @Test func `store notice is shown`() {
        var menu = MenuDriver.waiting(pressing: " ")
        menu.happens(.store(.saved(id: 1, OverrideTable(revision: 1), notice: "The old file was kept.")))
        #expect(menu.state.store.saveError == "The old file was kept.")
        #expect(menu.press("<down>").notice == .issue("The old file was kept.", remedy: ""))
    }

    /// The watcher also reports the menu's own writes, which must not remove the notice.
    @Test func `store notice stays when the file is read again`() {
        var menu = MenuDriver.waiting()
        menu.happens(.store(.read(OverrideTable(), error: "Damaged.")))
        menu.press(" ")
        let saved = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        menu.happens(.store(.read(saved, error: nil)))
        menu.happens(.store(.saved(id: 1, saved, notice: "The old file was kept.")))
        menu.happens(.store(.read(saved, error: nil)))
        #expect(menu.notice == .issue("The old file was kept.", remedy: ""))
    }

    /// The file may be damaged after a save but before the menu receives the confirmation.
    @Test func `damage read before a save is acknowledged is shown`() {
        var menu = MenuDriver.waiting(pressing: " ")
        let saved = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        menu.happens(.store(.read(saved, error: "Damaged.")))
        #expect(menu.happens(.store(.saved(id: 1, saved, notice: nil))).notice == .issue("Damaged.", remedy: ""))
    }

    // MARK: failed saves

    @Test func `failed save shows the stored value and offers a retry`() {
        let menu = Self.failed
        #expect(menu.saved == [:])
        #expect(menu.state.selected?.override == nil)
        #expect(menu.state.store.unsaved == [.set(key: Self.key, value: "true")])
        #expect(menu.lines[1].contains("! Not saved: no space left on the disk."))
        #expect(menu.lines[1].hasSuffix("r save again"))
    }

    @Test func `retry saves and clears the error`() {
        var menu = Self.failed
        #expect(menu.press("r").state.store.unsaved == [.set(key: Self.key, value: "true")], "the disk is still full")
        menu.store.failure = nil
        let save = Effect.saveOverrides(
            id: 3, edits: [.set(key: Self.key, value: "true")], label: "set \(Self.key)")
        #expect(menu.effects(of: "r") == [save])
        #expect(menu.saved == [Self.key: "true"])
        #expect(menu.state.store.unsaved == [] && menu.state.store.saveError == nil)
        #expect(menu.effects(of: "r") == [])
        #expect(menu.message == "Everything is saved.")
    }

    /// A retry must not overwrite a newer change that is already on disk.
    @Test func `newer change of the flag replaces the failed one`() {
        var menu = MenuDriver(pressing: "/variant<enter>")
        menu.store.failure = "Not saved."
        menu.press("<enter>2")
        menu.store.failure = nil
        #expect(menu.press("<enter>3").saved == ["login_variant": "variant_b"])
        #expect(menu.state.store.unsaved == [])
        #expect(menu.state.store.saveError == nil)
    }

    @Test func `change of another flag keeps the failed one pending`() {
        var menu = Self.failed
        menu.store.failure = nil
        #expect(menu.press("/variant<enter><space>").state.store.unsaved == [.set(key: Self.key, value: "true")])
        #expect(menu.lines[1].contains("r save again"))
        #expect(menu.press("r").saved == [Self.key: "true", "login_variant": "variant_a"])
    }

    @Test(arguments: [
        (OverrideEdit.set(key: "a", value: "1"), OverrideEdit.set(key: "a", value: "2"), true),
        (.clear(key: "a"), .set(key: "a", value: "2"), true), (.set(key: "a", value: "1"), .clear(key: "a"), true),
        (.set(key: "a", value: "1"), .set(key: "b", value: "1"), false), (.clear(key: "a"), .clear(key: "b"), false),
        (.clearAll, .set(key: "a", value: "1"), true), (.replaceAll([:]), .clearAll, true),
        (.set(key: "a", value: "1"), .clearAll, false),
    ])
    func superseding(newer: OverrideEdit, earlier: OverrideEdit, isSuperseded: Bool) {
        #expect(newer.supersedes(earlier) == isSuperseded)
    }

    @Test func `store update keeps the error of a failed save`() {
        var menu = Self.failed
        #expect(menu.happens(.store(.read(menu.store.table, error: nil))).lines[1].contains("Not saved"))
    }

    @Test func `store error stays until it is fixed`() {
        var menu = MenuDriver()
        menu.happens(.store(.read(OverrideTable(), error: "overrides.json: line 3, column 1: expected a value.")))
        #expect(menu.lines[1].contains("! overrides.json: line 3, column 1"))
        #expect(menu.press("jjk").lines[1].contains("! overrides.json"))
        #expect(!menu.happens(.store(.read(OverrideTable(), error: nil))).lines[1].contains("!"))
    }

    // MARK: leaving

    /// If a save fails while leaving, the menu stays open and says what the next key would lose.
    @Test(arguments: ["q", "<c-c>"])
    func `failed save stops leaving once`(key: String) {
        var menu = MenuDriver.waiting()
        #expect(menu.press(" \(key)").message == "Saving. Ctrl-C quits without waiting.")
        menu.happens(.store(.saveFailed(id: 1, reason: "Not saved.", canRetry: true)))
        #expect(menu.state.ending == nil && !menu.state.isFinished)
        #expect(menu.state.store.saveError == "Not saved.")
        #expect(menu.message == "1 change is not saved. r saves again, q quits without saving.")
        #expect(menu.state.message?.kind == .error)
        menu.press("q")
        #expect(menu.state.isFinished && menu.state.ending != .interrupted)
    }

    @Test func `permanent failure offers no retry`() {
        var menu = MenuDriver.waiting(pressing: " q")
        menu.happens(.store(.saveFailed(id: 1, reason: "A newer version wrote the file.", canRetry: false)))
        #expect(menu.state.store.unsaved == [])
        #expect(menu.notice == .issue("A newer version wrote the file.", remedy: ""))
        #expect(menu.message == "1 change is not saved. q quits without saving.")
        #expect(menu.press("q").state.isFinished)
    }

    @Test func `leaving with an unsaved change warns once, and again after another key`() {
        var menu = Self.failed
        for keys in ["q", "jq"] {
            menu.press(keys)
            #expect(!menu.state.isFinished && menu.state.ending == nil)
            #expect(menu.message == "1 change is not saved. r saves again, q quits without saving.")
        }
        #expect(menu.press("q").state.isFinished)
    }

    @Test(arguments: ["", "/abc", "<enter>", "G<enter>", "C", "i", "?", ":", "y", "M"])
    func `control c leaves immediately from every mode`(keys: String) {
        for isTyped in [true, false] {
            var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: keys)
            let part = menu.state.mode.part
            menu.happens(isTyped ? .key(.control("c")) : .line(.actionChosen(.interrupt, in: part)))
            #expect(menu.state.isFinished && menu.state.ending == .interrupted)
        }
    }

    // MARK: undo and redo

    @Test func `undo and redo use the store`() {
        var menu = MenuDriver(pressing: "<space>")
        #expect(menu.effects(of: "u") == [.moveHistory(id: 2, .undo)])
        #expect(menu.state.selected?.override == nil)
        #expect(menu.message == "Undone: enable_multiple_locations: true -> false (was override)")
        #expect(menu.effects(of: "<c-r>") == [.moveHistory(id: 3, .redo)])
        #expect(menu.state.selected?.value == "true")
        #expect(menu.message == "Redone: enable_multiple_locations: false -> true (was remote)")
    }

    @Test(arguments: [("u", "Nothing to undo."), ("<c-r>", "Nothing to redo.")])
    func `undo and redo without changes show a message`(key: String, message: String) {
        #expect(MenuDriver(pressing: key).message == message)
    }

    @Test func `undo and redo restore the same overrides`() {
        var menu = MenuDriver(pressing: "/variant<enter><space><space>")
        let before = menu.saved
        #expect(menu.press("uu").saved == [:])
        #expect(menu.press("<c-r><c-r>").saved == before)
        #expect(menu.selectedKey == "login_variant")
    }

    @Test func `unwatched files are shown as errors`() {
        var menu = MenuDriver()
        menu.happens(.store(.notWatched(reason: "The store is not watched.")))
        #expect(menu.press("j").lines[1].contains("! The store is not watched."))
        menu = MenuDriver()
        menu.happens(.settings(.preferencesNotWatched(reason: "'config.json' is not watched.")))
        #expect(menu.lines[1].contains("! 'config.json' is not watched."))
        for _ in 1...2 { menu.happens(.store(.notWatched(reason: "The store is not watched."))) }
        let issues = LineModeSummary(state: menu.state).issues
        #expect(issues == ["'config.json'", "The store"].map { "Error: \($0) is not watched." })
    }

    // MARK: the terminal

    @Test(arguments: ["", "/ab", "<enter>", "i", "?", "G<enter>xy"])
    func `suspend and repaint keep the mode`(keys: String) {
        var menu = MenuDriver(pressing: keys)
        let mode = menu.state.mode
        #expect(menu.effects(of: "<c-z><c-l>") == [.suspend, .repaint])
        #expect(menu.state.mode == mode)
    }
}
