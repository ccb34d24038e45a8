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
        var state = MenuDriver().state
        let effects = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        #expect(effects.count == 1)
        #expect(state.store.pending.map(\.id) == [1])
        #expect(state.selected?.value == "true")
        #expect(state.changeCount == 1)
        #expect(state.store.table.overrides == [:])
    }

    /// The response to the first of two changes must not make the second one flicker.
    @Test func `response to one change keeps the next one visible`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        let first = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        _ = state.reduce(.store(.saved(id: 1, first, notice: nil)), at: MenuDriver.now)
        #expect(state.selected?.override == nil)
        #expect(state.store.pending.map(\.id) == [2])
        _ = state.reduce(.store(.saved(id: 2, OverrideTable(revision: 2), notice: nil)), at: MenuDriver.now)
        #expect(state.store.pending == [])
        #expect(state.selected?.override == nil)
    }

    /// Pressing u and then q must do both.
    @Test func `leaving waits for undo and redo`() {
        for (key, respond) in [
            ("u", Event.store(.moved(id: 1, OverrideTable(revision: 2), changes: [], notice: nil))),
            ("<c-r>", .store(.moveRefused(id: 1, reason: "Nothing to redo.", isAtEnd: false))),
        ] {
            var state = MenuDriver().state
            for press in KeyScript.parse("\(key)q") { _ = state.reduce(.key(press), at: MenuDriver.now) }
            #expect(!state.isFinished)
            #expect(state.message?.text == "Saving. Ctrl-C quits without waiting.")
            _ = state.reduce(respond, at: MenuDriver.now)
            #expect(state.isFinished)
        }
    }

    @Test func `ctrl c twice leaves without waiting`() {
        var state = MenuDriver().state
        for press in KeyScript.parse("<space><c-c>") { _ = state.reduce(.key(press), at: MenuDriver.now) }
        #expect(!state.isFinished)
        _ = state.reduce(.key(.control("c")), at: MenuDriver.now)
        #expect(state.isFinished && state.ending == .interrupted)
    }

    /// Two pending changes of one flag, of which only the first fails.
    @Test func `failed change is not retried over a newer one`() {
        var state = MenuDriver().state
        for press in KeyScript.parse("<space><space>") { _ = state.reduce(.key(press), at: MenuDriver.now) }
        _ = state.reduce(.store(.saveFailed(id: 1, reason: "Not saved.", canRetry: true)), at: MenuDriver.now)
        #expect(state.store.unsaved == [])
    }

    @Test func `permanent failure offers no retry`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        _ = state.reduce(
            .store(.saveFailed(id: 1, reason: "A newer version wrote the file.", canRetry: false)), at: MenuDriver.now)
        #expect(state.store.unsaved == [])
        #expect(state.notice == .issue("A newer version wrote the file.", remedy: ""))
    }

    /// The watcher may have read the store before an edit that is already acknowledged.
    @Test func `older read does not revert a saved change`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        let saved = OverrideTable(revision: 5, overrides: [Self.key: FlagOverride(value: "true")])
        _ = state.reduce(.store(.saved(id: 1, saved, notice: nil)), at: MenuDriver.now)
        _ = state.reduce(.store(.read(OverrideTable(revision: 4), error: nil)), at: MenuDriver.now)
        #expect(state.store.table == saved)
    }

    @Test func `store notice is shown`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        _ = state.reduce(
            .store(.saved(id: 1, OverrideTable(revision: 1), notice: "The old file was kept.")), at: MenuDriver.now)
        #expect(state.store.saveError == "The old file was kept.")
        _ = state.reduce(.key(.down), at: MenuDriver.now)
        #expect(state.notice == .issue("The old file was kept.", remedy: ""))
    }

    /// The watcher also reports the menu's own writes, which must not remove the notice.
    @Test func `store notice stays when the file is read again`() {
        var state = MenuDriver().state
        _ = state.reduce(.store(.read(OverrideTable(), error: "Damaged.")), at: MenuDriver.now)
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        let saved = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        _ = state.reduce(.store(.read(saved, error: nil)), at: MenuDriver.now)
        _ = state.reduce(.store(.saved(id: 1, saved, notice: "The old file was kept.")), at: MenuDriver.now)
        _ = state.reduce(.store(.read(saved, error: nil)), at: MenuDriver.now)
        #expect(state.notice == .issue("The old file was kept.", remedy: ""))
    }

    /// The file may be damaged after a save but before the menu receives the confirmation.
    @Test func `damage read before a save is acknowledged is shown`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        let saved = OverrideTable(revision: 1, overrides: [Self.key: FlagOverride(value: "true")])
        _ = state.reduce(.store(.read(saved, error: "Damaged.")), at: MenuDriver.now)
        _ = state.reduce(.store(.saved(id: 1, saved, notice: nil)), at: MenuDriver.now)
        #expect(state.notice == .issue("Damaged.", remedy: ""))
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
        menu.press("r")
        #expect(menu.state.store.unsaved == [.set(key: Self.key, value: "true")], "the disk is still full")
        menu.store.failure = nil
        let effects = menu.effects(of: "r")
        #expect(
            effects == [.saveOverrides(id: 3, edits: [.set(key: Self.key, value: "true")], label: "set \(Self.key)")])
        #expect(menu.saved == [Self.key: "true"])
        #expect(menu.state.store.unsaved == [])
        #expect(menu.state.store.saveError == nil)
        #expect(menu.effects(of: "r") == [])
        #expect(menu.message == "Everything is saved.")
    }

    /// A retry must not overwrite a newer change that is already on disk.
    @Test func `newer change of the flag replaces the failed one`() {
        var menu = MenuDriver()
        menu.press("/variant<enter>")
        menu.store.failure = "Not saved."
        menu.press("<enter>2")
        menu.store.failure = nil
        menu.press("<enter>3")
        #expect(menu.saved == ["login_variant": "variant_b"])
        #expect(menu.state.store.unsaved == [])
        #expect(menu.state.store.saveError == nil)
    }

    @Test func `change of another flag keeps the failed one pending`() {
        var menu = Self.failed
        menu.store.failure = nil
        menu.press("/variant<enter><space>")
        #expect(menu.state.store.unsaved == [.set(key: Self.key, value: "true")])
        #expect(menu.lines[1].contains("r save again"))
        menu.press("r")
        #expect(menu.saved == [Self.key: "true", "login_variant": "variant_a"])
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
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(menu.lines[1].contains("Not saved"))
    }

    @Test func `store error stays until it is fixed`() {
        var menu = MenuDriver()
        menu.happens(.store(.read(OverrideTable(), error: "overrides.json: line 3, column 1: expected a value.")))
        #expect(menu.lines[1].contains("! overrides.json: line 3, column 1"))
        menu.press("jjk")
        #expect(menu.lines[1].contains("! overrides.json"))
        menu.happens(.store(.read(OverrideTable(), error: nil)))
        #expect(!menu.lines[1].contains("!"))
    }

    // MARK: leaving

    @Test func `quit leaves immediately if everything is saved`() {
        var menu = MenuDriver()
        menu.press("<space>q")
        #expect(menu.state.isFinished)
        #expect(menu.state.ending == .left)
    }

    @Test func `leaving waits for a pending save`() {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        _ = state.reduce(.key(.character("q")), at: MenuDriver.now)
        #expect(state.ending != nil)
        #expect(!state.isFinished)
        _ = state.reduce(.store(.saved(id: 1, OverrideTable(revision: 1), notice: nil)), at: MenuDriver.now)
        #expect(state.isFinished)
    }

    /// If a save fails while leaving, the menu stays open, shows the error, and leaves on the next request.
    @Test(arguments: ["q", "<c-c>"])
    func `failed save stops leaving once`(key: String) {
        var state = MenuDriver().state
        _ = state.reduce(.key(.character(" ")), at: MenuDriver.now)
        for press in KeyScript.parse(key) { _ = state.reduce(.key(press), at: MenuDriver.now) }
        _ = state.reduce(.store(.saveFailed(id: 1, reason: "Not saved.", canRetry: true)), at: MenuDriver.now)
        #expect(!state.isFinished)
        #expect(state.ending != .interrupted)
        #expect(state.store.saveError == "Not saved.")
        _ = state.reduce(.key(.character("q")), at: MenuDriver.now)
        #expect(state.isFinished)
        #expect(state.ending != .interrupted)
    }

    /// After the failure, the message no longer says "Saving" but what the next key would lose.
    @Test(arguments: ["q", "<c-c>"])
    func `failed save while leaving shows what is lost`(key: String) {
        var state = MenuDriver().state
        for press in KeyScript.parse("<space>\(key)") { _ = state.reduce(.key(press), at: MenuDriver.now) }
        #expect(state.message?.text == "Saving. Ctrl-C quits without waiting.")
        _ = state.reduce(
            .store(.saveFailed(id: 1, reason: "Another process has been writing.", canRetry: true)), at: MenuDriver.now)
        #expect(state.ending == nil)
        #expect(state.message?.text == "1 change is not saved. r saves again, q quits without saving.")
        #expect(state.message?.kind == .error)
    }

    @Test func `permanent failure while leaving offers no retry`() {
        var state = MenuDriver().state
        for press in KeyScript.parse("<space>q") { _ = state.reduce(.key(press), at: MenuDriver.now) }
        _ = state.reduce(
            .store(.saveFailed(id: 1, reason: "A newer version wrote the file.", canRetry: false)), at: MenuDriver.now)
        #expect(state.message?.text == "1 change is not saved. q quits without saving.")
        _ = state.reduce(.key(.character("q")), at: MenuDriver.now)
        #expect(state.isFinished)
    }

    @Test func `leaving warns again after another key`() {
        var menu = Self.failed
        menu.press("qjq")
        #expect(menu.message == "1 change is not saved. r saves again, q quits without saving.")
        #expect(menu.state.ending == nil)
    }

    @Test func `leaving with an unsaved change warns once`() {
        var menu = Self.failed
        menu.press("q")
        #expect(!menu.state.isFinished)
        #expect(menu.message == "1 change is not saved. r saves again, q quits without saving.")
        menu.press("q")
        #expect(menu.state.isFinished)
    }

    @Test func `control c leaves immediately from every mode`() {
        for keys in ["", "/abc", "<enter>", "i", "?", "G<enter>"] {
            var menu = MenuDriver()
            menu.press("\(keys)<c-c>")
            #expect(menu.state.isFinished, "after \(keys)")
            #expect(menu.state.ending == .interrupted)
        }
    }

    // MARK: undo and redo

    @Test func `undo and redo use the store`() {
        var menu = MenuDriver()
        menu.press("<space>")
        #expect(menu.effects(of: "u") == [.moveHistory(id: 2, .undo)])
        #expect(menu.state.selected?.override == nil)
        #expect(menu.message == "Undone: enable_multiple_locations: true -> false (was override)")
        #expect(menu.effects(of: "<c-r>") == [.moveHistory(id: 3, .redo)])
        #expect(menu.state.selected?.value == "true")
        #expect(menu.message == "Redone: enable_multiple_locations: false -> true (was remote)")
    }

    @Test func `undo without changes shows a message`() {
        var menu = MenuDriver()
        menu.press("u")
        #expect(menu.message == "Nothing to undo.")
        menu.press("<c-r>")
        #expect(menu.message == "Nothing to redo.")
    }

    @Test func `undo and redo restore the same overrides`() {
        var menu = MenuDriver()
        menu.press("/variant<enter><space><space>")
        let before = menu.saved
        menu.press("uu")
        #expect(menu.saved == [:])
        menu.press("<c-r><c-r>")
        #expect(menu.saved == before)
        #expect(menu.selectedKey == "login_variant")
    }

    @Test func `unwatched store is shown as an error`() {
        var menu = MenuDriver()
        menu.happens(.store(.notWatched(reason: "Changes made elsewhere are not shown: too many watches.")))
        #expect(menu.lines[1].contains("! Changes made elsewhere are not shown: too many watches."))
        menu.press("j")
        #expect(menu.lines[1].contains("! Changes made elsewhere are not shown: too many watches."))
    }

    @Test func `unwatched configuration is shown as an error`() {
        var menu = MenuDriver()
        menu.happens(.settings(.preferencesNotWatched(reason: "'config.json' is not watched.")))
        #expect(menu.lines[1].contains("! 'config.json' is not watched."))
        menu.happens(.store(.notWatched(reason: "The store is not watched.")))
        menu.happens(.store(.notWatched(reason: "The store is not watched.")))
        let issues = LineModeSummary(state: menu.state).issues
        let files = ["'config.json'", "The store"]
        #expect(issues == files.map { "Error: \($0) is not watched." })
    }

    // MARK: the terminal

    @Test func `suspend and repaint keep the mode`() {
        for keys in ["", "/ab", "<enter>", "i", "?", "G<enter>xy"] {
            var menu = MenuDriver()
            menu.press(keys)
            let mode = menu.state.mode
            #expect(menu.effects(of: "<c-z>") == [.suspend], "after \(keys)")
            #expect(menu.effects(of: "<c-l>") == [.repaint], "after \(keys)")
            #expect(menu.state.mode == mode)
        }
    }
}
