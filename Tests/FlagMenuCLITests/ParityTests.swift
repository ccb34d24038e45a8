import ArgumentParser
import Dispatch
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu
@testable import DeveloperMenuTerminal
@testable import FlagMenuCLI
@testable import FlagWorkspace

/// An action of the menu and the command that it offers to copy have the same effect: every action, on real stores.
@Suite(.slow) struct ParityTests {
    /// A change that a user makes in the menu.
    struct Change: Sendable, CustomTestStringConvertible {
        let id: Action.ID
        /// The keys to press in the list.
        let keys: String
        /// The shell commands to run before the menu opens.
        var before: [String] = []
        /// Whether the source changes before these commands.
        var isLater = false
        var testDescription: String { "\(id) by \(keys)" }
    }

    private static let threeOverrides = [
        "flagmenu set show_map false", "flagmenu set theme light", "flagmenu set limit 7",
    ]

    /// A scenario with the three overrides, which are reset then, and another override.
    private static let savedAndOther =
        threeOverrides + [
            "flagmenu scenario save first", "flagmenu reset --all --yes", "flagmenu set greeting hello",
        ]

    private static let changes: [Change] = [
        Change(id: "toggle", keys: "<space>"),
        Change(id: "toggle", keys: "j<space>", before: threeOverrides),
        Change(id: "keepValue", keys: "jK"),
        Change(id: "open", keys: "j<enter>j<enter>"),
        Change(id: "open", keys: "jj<enter><c-u>-5<enter>"),
        Change(id: "open", keys: "/greeting<enter><enter><c-u>it's $HOME \"`x`\" \\ é日<enter>"),
        Change(id: "open", keys: "/empty<enter><enter><paste:two{nl}lines><enter>"),
        Change(id: "note", keys: "eBUG-4711<enter>", before: threeOverrides),
        Change(id: "clear", keys: "x", before: threeOverrides),
        Change(id: "resetMany", keys: "Xcy", before: threeOverrides),
        Change(id: "clearAll", keys: "Cy", before: threeOverrides + ["flagmenu set gone 1 --new"]),
        Change(id: "resetMany", keys: "GXcy", before: ["flagmenu set gone 1 --new"]),
        Change(id: "resetMany", keys: "/type:int<enter>Xsy", before: threeOverrides),
        Change(id: "resetMany", keys: "Xsy", before: threeOverrides),
        Change(id: "setListed", keys: "/cat:numbers<enter>S3<enter>y"),
        Change(id: "setListed", keys: "mS<down><enter>y", before: threeOverrides),
        Change(id: "undo", keys: "u", before: threeOverrides),
        Change(id: "redo", keys: "<c-r>", before: threeOverrides + ["flagmenu undo"]),
        Change(id: "fetch", keys: "f"),
        Change(id: "activate", keys: "ay", before: ["flagmenu fetch"], isLater: true),
        Change(id: "importAdding", keys: ":import overrides<enter><paste:in.json><enter>y", before: threeOverrides),
        Change(id: "importReplacing", keys: ":replace all<enter><paste:in.json><enter>y", before: threeOverrides),
        Change(id: "scenarios", keys: "s<enter>r", before: savedAndOther),
        Change(id: "scenarios", keys: "s<enter>a", before: savedAndOther),
        Change(id: "export", keys: ":export<enter><paste:out.json><enter>", before: threeOverrides),
        Change(
            id: "export", keys: ":export<enter><paste:out.json><enter><enter>",
            before: ["flagmenu export out.json"] + threeOverrides),
    ]

    @Test(arguments: changes)
    func `the commands of the menu and of the palette have the same effect in a shell`(change: Change) async throws {
        let (inMenu, inShell, fromPalette) = (shop(change), shop(change), shop(change))
        var menu = try await RealMenu(inMenu)
        if change.id == "fetch" { for place in [inMenu, inShell, fromPalette] { becomeLater(place) } }
        // The palette shows the command before the action runs.
        var planned: [ShellCommand] = []
        for key in KeyScript.parse(change.keys) {
            if Keymap.standard.action(for: key, in: menu.state.mode.part)?.id == change.id {
                planned = menu.state.commands(for: change.id)
            }
            await menu.press(key)
        }
        #expect(!menu.state.lastCommands.isEmpty, "\(menu.state.message?.text ?? "")")
        let last = try #require(ShellCommand.text(menu.state.lastCommands))
        inShell.shell(last.replacing(inMenu.path, with: inShell.path)).expect(0, comment: last)
        #expect(facts(inShell) == facts(inMenu), "\(last)")
        #expect(facts(inMenu) != facts(shop(change)), "the change has no effect")
        guard !["open", "setListed", "export", "scenarios"].contains(change.id) else { return }
        // An action that needs input first, such as a file, has no command yet.
        guard let text = ShellCommand.text(planned) else {
            #expect(["importAdding", "importReplacing", "note", "resetMany"].contains(change.id))
            return
        }
        fromPalette.shell(text).expect(0, comment: text)
        #expect(facts(fromPalette) == facts(inMenu), "\(text)")
    }

    @Test func `actions that only show something have commands that print the same`() async throws {
        let before = Self.threeOverrides + ["flagmenu scenario save first"]
        let place = shop(Change(id: "open", keys: "", before: before))
        var menu = try await RealMenu(place)
        await menu.press("/show<enter>")
        for (id, expected) in [
            ("explain", ["override", "false", "set by"]), ("open", ["options: true | false"]), ("copy", ["false"]),
            ("help", ["--source"]), ("palette", ["--source"]), ("sources", ["source     "]), ("apps", []),
            ("scenarios", ["first"]),
            ("export", [#""show_map": "false""#]), ("filter", ["show_map\tfalse\toverride"]),
            ("nextMatch", ["show_map\t"]), ("previousMatch", ["show_map\t"]), ("changeOrder", ["show_map\t"]),
            ("showOverriddenOnly", ["show_map\t"]), ("cancel", ["greeting\t", "show_map\t"]),
        ] as [(Action.ID, [String])] {
            let text = try #require(ShellCommand.text(menu.state.commands(for: id)), "\(id)")
            let run = place.shell(text).expect(0, comment: text)
            for fact in expected { #expect(run.text.contains(fact), "\(text): \(run.text)") }
        }
        for tab in [StatusTab.store, .checks] {
            let text = try #require(ShellCommand.text(menu.state.commands(for: Action.ID(rawValue: tab.rawValue))))
            await menu.press("<esc>:\(tab == .store ? "paths" : "doctor")<enter>")
            guard let sheet = menu.state.sheet(StatusSheet.self) else {
                Issue.record("\(tab) does not open")
                continue
            }
            #expect(sheet.tab == tab)
            let reported = place.shell(text).text.split(separator: "\n").filter { !$0.contains("terminal") }
            let shown = sheet.lines(in: menu.state).filter { !$0.contains("terminal") && !$0.isEmpty }
            #expect(!reported.isEmpty && shown.starts(with: reported.map(String.init)), "\(text)")
            await menu.press("q")
        }
    }

    @Test func `the history is that of the command, and undo to a point has the same effect`() async throws {
        let change = Change(id: "open", keys: "", before: Self.threeOverrides + ["flagmenu reset --all --yes"])
        let (inMenu, inShell) = (shop(change), shop(change))
        var menu = try await RealMenu(inMenu)
        await menu.press("H")
        let reported = inMenu.flagmenu("history --json").text
        let sheet = try #require(menu.state.sheet(HistorySheet.self))
        #expect(sheet.entries.map(\.action) == ["reset all", "set limit", "set theme", "set show_map"], "\(reported)")
        await menu.press("jjjjjU")
        #expect(inMenu.flagmenu("list --overridden").text.split(separator: "\n").count == 1)
        let text = try #require(ShellCommand.text(menu.state.lastCommands))
        #expect(text.contains("undo --to 2"), "\(text)")
        let run = inShell.shell(text.replacing(inMenu.path, with: inShell.path)).expect(0)
        #expect(facts(inShell) == facts(inMenu), "\(run.errorText)")
        #expect(inShell.flagmenu("undo --to 2").status == 1, "the change is already undone")
    }

    /// The list with every filter and order matches `list`. Only words differ: the menu also matches their letters.
    @Test(arguments: [
        "", "m", "o", "oo", "/type:int<enter>", "/is:overridden<enter>", "/!\"e\"<enter>", "/!ma<enter>m",
    ])
    func `list prints the flags that the menu lists`(keys: String) async throws {
        let place = shop(Change(id: "open", keys: "", before: Self.threeOverrides))
        var menu = try await RealMenu(place)
        await menu.press(keys)
        let text = try #require(ShellCommand.text(menu.state.commands(for: "filter")))
        let listed = menu.state.list.listedPlaces.map { menu.state.board.key(at: $0).string }
        let reported = place.shell(text).text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(reported == listed, "\(text)")
    }

    @Test func `every action of the list has a command, or only concerns the screen`() throws {
        let tested = Set(Self.changes.map(\.id)).union([
            "apps", "explain", "open", "copy", "help", "palette", "export", "filter", "nextMatch",
            "previousMatch",
            "changeOrder", "showOverriddenOnly", "cancel", "history", "sources", "store", "checks",
            "context",
            // Its command asks for outcomes, too: BisectTests.
            "bisect",
            // Its command repeats the unsaved edits, which the other actions cover.
            "retry",
            // Its command needs a team: TeamCommandTests.
            "moveToTeam",
        ])
        for action in Keymap.standard.actions(in: .list) {
            let isOfScreen = ActionTable.screenActions.contains(action.id)
            #expect(tested.contains(action.id) != isOfScreen, "\(action.id)")
        }
    }

    @Test func `a command that the menu shows uses the menu's source in any folder`() async throws {
        let place = Workplace()
        place.write(Documents.shop, to: "a b/shop.json")
        var menu = try await RealMenu(place, ["--source", "a b/shop.json", "--app", "x'y", "--store", "st"])
        await menu.press("<space>")
        let text = try #require(ShellCommand.text(menu.state.lastCommands))
        #expect(
            text
                == #"flagmenu set show_map false --source '\#(place.path)/a b/shop.json' --app 'x'\''y' --store \#(place.path)/st"#
        )
        let reading = try #require(ShellCommand.text(menu.state.commands(for: "copy")))
        #expect(place.shell("cd / && \(reading)").text == "false\n")
    }

    // MARK: the shop

    private func shop(_ change: Change) -> Workplace {
        let place = Workplace.shop()
        place.write(#"{"theme": "high contrast", "ratio": "2.5"}"#, to: "in.json")
        #expect(place.flagmenu("list").status == 0)
        if change.isLater { becomeLater(place) }
        for line in change.before { #expect(place.shell(line).status == 0) }
        return place
    }

    private func becomeLater(_ place: Workplace) { place.write(Documents.shopLater, to: "shop.json") }

    /// Overrides, values in use, waiting values, and the export.
    private func facts(_ place: Workplace) -> [String] {
        let status = place.flagmenu("status").text.split(separator: "\n").filter { $0.hasPrefix("overrides") }
        let waiting = place.flagmenu("status --json").text.contains(#""waiting": 0"#)
        return [
            overrides(in: place.flagmenu("export").text), place.flagmenu("list").text, "\(status)", "\(waiting)",
            overrides(in: place.read("out.json") ?? "no export"),
        ]
    }

    /// The overrides of an export, without its origin and date.
    private func overrides(in export: String) -> String {
        let lines = export.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
        return lines.filter { line in
            line.contains(":")
                && !["app", "source", "exportedAt", "overrides"].contains { line.hasPrefix("\"\($0)\":") }
        }.joined(separator: "\n")
    }
}

/// The menu on a real store and real files. Effects run immediately.
struct RealMenu {
    private(set) var state: MenuState
    private let run: RunStore
    private let remote: RemoteReports
    private let transfer: OverrideTransfer

    init(_ place: Workplace, _ arguments: [String] = []) async throws {
        let options = try GlobalOptions.parse(arguments)
        try await self.init(place.settings(options), options)
    }

    init(_ settings: Settings, _ options: GlobalOptions) async throws {
        run = try RunStore(settings)
        let target = MenuTarget(
            app: settings.app, source: run.settings.sourceTitle, arguments: options.arguments(settings))
        let menu = TerminalMenu(flags: run.flags, store: run.store, target: target, settings: MenuSettings(run))
        (remote, transfer) = (RemoteReports(menu), OverrideTransfer(menu: menu))
        state = MenuState(
            target: target, size: Size(columns: 100, rows: 30), now: SourceClock.system.now())
        await readStore()
        run.openRemote()
        if let report = remote.opened(run.flags.remoteReading, isFetching: true) { await happens(.remote(report)) }
        run.flags.remote.save()
    }

    private mutating func readStore() async {
        let reading = run.store.read()
        await happens(.store(.read(reading.table, error: reading.issue)))
    }

    mutating func press(_ script: String) async {
        for key in KeyScript.parse(script) { await press(key) }
    }

    mutating func press(_ key: KeyPress) async { await happens(.key(key)) }

    mutating func happens(_ event: Event) async {
        for effect in state.reduce(event, at: SourceClock.system.now()) { await perform(effect) }
    }

    private mutating func perform(_ effect: Effect) async {
        let store = run.store
        switch effect {
        case .saveOverrides(let id, let edits, let label):
            do {
                await happens(.store(.saved(id: id, try store.apply(edits, label: label).table, notice: nil)))
            } catch {
                Issue.record("not saved: \(error)")
            }
        case .moveHistory(let id, let move): await self.move(id, move)
        case .fetchRemote(let id):
            let before = run.flags.remote.current.activations
            _ = await run.flags.remote.fetch(.all)
            let reading = run.flags.remoteReading
            let hasActivated = reading.sources.activations != before
            await happens(.remote(remote.fetched(reading, .all, hasActivated: hasActivated, for: id)))
            run.flags.remote.save()
        case .activateRemote(let id):
            run.flags.remote.activate(isByMenu: true)
            await happens(.remote(remote.activated(run.flags.remoteReading, for: id)))
            run.flags.remote.save()
        case .readHistory(let id):
            await happens(.store(.historyRead(id: id, (try? store.history())?.map(\.entry) ?? [])))
        case .readStatus(let id, let tab):
            await happens(.status(id: id, lines: MenuSettings(run).statusLines(tab)))
        case .exportOverrides(let id, let path, let isReplacing):
            await happens(.file(id: id, transfer.export(to: path, isReplacing: isReplacing)))
        case .completePath(let id, let text):
            await happens(.file(id: id, .completed(transfer.paths(completing: text))))
        case .scenarios(let id, let request): await happens(.file(id: id, transfer.scenarios(after: request)))
        case .readImport(let id, let path): await happens(.file(id: id, transfer.readImport(path)))
        default: break
        }
    }

    private mutating func move(_ id: RequestID, _ move: HistoryMove) async {
        do throws(StorageError) {
            let commit =
                switch move {
                case .undo: try run.store.undo()
                case .undoTo(let revision): try run.store.undo(to: revision)
                case .redo: try run.store.redo()
                }
            await happens(.store(.moved(id: id, commit.table, changes: commit.changes, notice: commit.notice)))
        } catch {
            Issue.record("not moved: \(error)")
        }
    }
}
