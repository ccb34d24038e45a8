import DeveloperMenu
import FlagModel
import FlagQueries
import FlagStorage
import Flags
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenuTerminal

/// The menu inside an app, with the flags of that app.
@Suite struct AppMenuTests {
    private let workplace = Workplace()

    private func flags(_ access: OverrideAccess = .open, activation: Activation = .immediately) -> FlagStore {
        FlagStore(
            app: "shop", sources: [RemoteFile(workplace.place("remote.json"), isFollowed: false)],
            options: .init(
                overrides: access, defaults: ["theme": "plain"], launch: [:], announces: false, activation: activation,
                minimumFetchInterval: .zero, storeDirectory: workplace.place("state"),
                cacheDirectory: workplace.place("cache")))
    }

    private func remote(_ flags: FlagStore) throws -> RemoteReports {
        RemoteReports(try TerminalMenu(flags: flags))
    }

    private func updates(_ report: RemoteReport) throws -> RemoteContent {
        guard case .activated(let updates, by: .menu) = report else { return try #require(nil, "\(report)") }
        return updates
    }

    @Test func `the menu shows the values that the app reads, including keys declared only in code`() async throws {
        _ = FlagKey("declared_in_code", default: 7)
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        flags.listDeclared(.ofThisProcess())
        let updates = try updates(#require(remote(flags).opened(flags.remoteReading, isFetching: false)))
        #expect(updates.snapshot.values["greeting"]?.string == "hi")
        #expect(updates.snapshot.defaults["theme"]?.string == "plain")
        #expect(updates.snapshot.defaults["declared_in_code"]?.string == "7")
        #expect(updates.errors == [] && updates.waiting == nil)
    }

    @Test func `fetched values wait, and the app reads them after activation`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        workplace.write(#"{"greeting": "hello", "new": "1"}"#, to: "remote.json")
        _ = await flags.remote.fetch(.all)
        let fetched = try remote(flags).fetched(flags.remoteReading, .all, hasActivated: false, for: 7)
        guard case .fetched(id: 7, let waiting, _, errors: []) = fetched else {
            Issue.record("expected two waiting values: \(fetched)")
            return
        }
        let greeting = ValueDifference(key: "greeting", old: "hi", new: "hello")
        #expect(waiting == [greeting, ValueDifference(key: "new", old: nil, new: "1")])
        #expect(try flags.string("greeting") == "hi")
        flags.remote.activate(isByMenu: true)
        let activated = try updates(remote(flags).activated(flags.remoteReading, for: 7))
        #expect(activated.snapshot.values["greeting"]?.string == "hello")
        #expect(try flags.string("greeting") == "hello")
    }

    @Test func `a broken source is reported and the app keeps its last values`() async throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        workplace.write("{", to: "remote.json")
        _ = await flags.remote.fetch(.all)
        guard
            case .fetchFailed(id: 7, let issues, _) = try remote(flags).fetched(
                flags.remoteReading, .all, hasActivated: false, for: 7)
        else {
            Issue.record("expected a failed fetch")
            return
        }
        #expect(issues.count == 1 && issues[0].contains("remote.json"))
        #expect(try flags.string("greeting") == "hi")
    }

    @Test func `a fetch in an app without sources reports that there is none`() async throws {
        let flags = FlagStore(
            app: "shop",
            options: .init(
                overrides: .open, launch: [:], announces: false, storeDirectory: workplace.place("state"),
                cacheDirectory: workplace.place("cache")))
        flags.updateRemote(["greeting": "from the SDK"])
        _ = await flags.remote.fetch(.all)
        let report = try remote(flags).fetched(flags.remoteReading, .all, hasActivated: false, for: 7)
        guard case .hasNoSource(id: 7) = report else {
            Issue.record("expected a report that there is no source")
            return
        }
    }

    @Test func `an app without access to overrides has no menu`() {
        for flags in [flags(.closed), FlagStore.inMemory(["a": "b"])] {
            #expect(throws: StorageError.self) { try TerminalMenu(flags: flags) }
        }
    }

    @Test func `overrides are exported to a file and imported with checks, but never over the store`() async throws {
        workplace.write(
            #"{"size": "s", "config_categories": [{"category": "C", "items": [{"key": "size", "value": "s|m|l"}]}]}"#,
            to: "remote.json")
        let flags = flags()
        let transfer = OverrideTransfer(menu: try TerminalMenu(flags: flags))
        try await flags.setOverride("size", to: "m", .unchecked)
        let path = workplace.place("out.json")
        func plan(in path: String) throws -> ImportPlan {
            guard case .importRead(_, let plan) = transfer.readImport(path) else { throw CancellationError() }
            return plan
        }
        #expect(
            transfer.export(to: path, isReplacing: false)
                == .exported(path: path, summary: "1 override written to \(path)."))
        #expect(transfer.export(to: path, isReplacing: false) == .exists(path: path))
        #expect(try plan(in: path).entries.values == ["size": "m"])
        #expect(workplace.read("out.json")?.contains(#""app": "\#(flags.app)""#) == true, "the file names its app")
        let overridePath = try #require(flags.overridePath)
        workplace.write(#"{"format": 1, "overrides": {}}"#, to: "copy.json")
        for file in [overridePath, workplace.place("copy.json")] {
            guard case .refused = transfer.export(to: file, isReplacing: true) else {
                Issue.record("\(file) was replaced")
                continue
            }
        }
        #expect(throws: CancellationError.self) { try plan(in: workplace.place("nosuch")) }
        for (text, words) in [(#"{"format": 3}"#, "newer version"), ("[", "line 1")] {
            workplace.write(text, to: "in.json")
            guard case .refused(let reason) = transfer.readImport(workplace.place("in.json")) else {
                Issue.record("\(text) was read")
                continue
            }
            #expect(reason.contains(words) && reason.contains("Nothing was changed"), "\(reason)")
        }
        workplace.write(#"{"size": "xl", "nosuch": "1", "empty": null}"#, to: "in.json")
        let imported = try plan(in: workplace.place("in.json"))
        #expect(imported.entries.values == [:] && imported.unknownValues == ["nosuch": "1"])
        #expect(
            imported.entries.issues.map(\.key) == ["empty", "nosuch", "size"],
            "entries without a value first, then by key")
        #expect(imported.entries.issues.last?.reason == .invalid(#""xl" is not an option of size. Options: s, m, l."#))
    }

    @Test func `a bug report ends with the state, which is found in it and saved as a scenario`() async throws {
        workplace.write(#"{"size": "s"}"#, to: "remote.json")
        let flags = flags()
        let transfer = OverrideTransfer(menu: try TerminalMenu(flags: flags))
        try await flags.setOverride("size", to: "m", .unchecked)
        let table = try #require(flags.overrides).read().table
        let changes = SharedChanges(
            of: table, evaluations: [], app: "shop", at: FlagTimestamp(seconds: 0), secrets: SecretFlags(),
            in: Catalog())
        var copied: [String] = []
        for report in ["| size | m |\n", nil] {
            let event = transfer.copying(changes, report: report, for: 3) { text in
                copied.append(text)
                return .sent
            }
            guard case .terminal(.copied(3, let text, let what, .sent)) = event else { throw CancellationError() }
            #expect(text == copied.last && what == (report == nil ? "shared state" : "bug report"))
        }
        #expect(copied[0].hasPrefix("| size | m |\n\n") && copied[0].contains("```\nfm1"))
        #expect(copied[1].hasPrefix("fm1") && !copied[1].contains("\n"))
        guard case .sharedFound(let file, let summary) = transfer.shared(in: copied.joined(separator: "> ")) else {
            throw CancellationError()
        }
        #expect(try file.content.get().values == ["size": "m"])
        #expect(summary.hasPrefix("shop, made just now: 1 change."), "\(summary)")
        workplace.write(copied[0], to: "report.md")
        guard case .sharedFound(file, _) = transfer.readImport(workplace.place("report.md")) else {
            throw CancellationError()
        }
        let request = ScenarioRequest.save("bug", isReplacing: false, of: file)
        try await flags.setOverride("size", to: "l", .unchecked)
        guard case .scenarios(let files, "Saved bug.") = transfer.scenarios(after: request) else {
            throw CancellationError()
        }
        #expect(try files.first?.content.get().values == ["size": "m"])
        #expect(transfer.shared(in: "hello") == .refused(reason: "The pasted text has no shared state."))
        guard case .refused(let reason) = transfer.shared(in: String(copied[1].prefix(40))) else {
            throw CancellationError()
        }
        #expect(reason.contains("is cut"))
    }

    @Test func `the changes are saved as scenarios, which are listed, renamed and deleted`() async throws {
        workplace.write(#"{"size": "s"}"#, to: "remote.json")
        let flags = flags()
        let transfer = OverrideTransfer(menu: try TerminalMenu(flags: flags))
        try await flags.setOverride("size", to: "m", .unchecked)
        func names(after request: ScenarioRequest) throws -> [String] {
            guard case .scenarios(let files, _) = transfer.scenarios(after: request) else { throw CancellationError() }
            return files.map(\.name)
        }
        #expect(try names(after: .list) == [])
        #expect(try names(after: .save("first", isReplacing: false)) == ["first"])
        #expect(transfer.scenarios(after: .save("first", isReplacing: false)) == .exists(path: "first"))
        try await flags.setOverride("size", to: "l", .unchecked)
        #expect(try names(after: .save("first", isReplacing: true)) == ["first"])
        guard case .scenarios(let files, _) = transfer.scenarios(after: .list) else { throw CancellationError() }
        #expect(try files.first?.content.get().values == ["size": "l"])
        let folder = FilePath.folder(of: try #require(flags.overridePath))
        #expect(files.first?.path == "\(folder)/scenarios/first.json", "an app has no project")
        #expect(try names(after: .rename("first", to: "second")) == ["second"])
        guard case .refused(let reason) = transfer.scenarios(after: .save("no/name", isReplacing: false)) else {
            Issue.record("a path was taken as a name")
            return
        }
        #expect(reason.contains("cannot name a scenario"), "\(reason)")
        #expect(try names(after: .delete("second")) == [])
        guard case .refused = transfer.scenarios(after: .delete("second")) else {
            Issue.record("a scenario was deleted twice")
            return
        }
    }

    @Test func `a project's scenario is saved without notes, and the applied one is renamed in the store`() throws {
        let flags = flags()
        let own = try TerminalMenu(flags: flags)
        let folder = FilePath.folder(of: try #require(flags.overridePath))
        workplace.write("{}", to: "project/flagmenu.json")
        var settings = own.settings
        settings.scenarioFolders = ScenarioFolders(project: workplace.place("project"), state: folder)
        let menu = TerminalMenu(flags: flags, store: own.store, target: own.target, settings: settings)
        let transfer = OverrideTransfer(menu: menu)
        let applied = AppliedScenario(name: "first", overrides: ["size": "m"])
        _ = try menu.store.apply([
            .set(key: "size", value: "m"), .note(key: "size", "BUG-1"), .applyScenario(applied),
        ])
        guard case .scenarios(let files, let change) = transfer.scenarios(after: .save("first", isReplacing: false))
        else { throw CancellationError() }
        #expect(change?.hasPrefix("Saved 1 override as first. 1 note is left out") == true, "\(change ?? "")")
        #expect(try files.first?.content.get().notes == [:])
        guard case .scenarios(_, "Renamed first to second.") = transfer.scenarios(after: .rename("first", to: "second"))
        else { throw CancellationError() }
        #expect(flags.contents.overrideFile?.table.scenarioWords == "second", "the badge says the new name")
    }

    @Test func `every tab of the status has content`() throws {
        workplace.write(#"{"greeting": "hi"}"#, to: "remote.json")
        let flags = flags()
        let settings = try TerminalMenu(flags: flags).settings
        func lines(_ tab: StatusTab) -> String { settings.statusLines(tab).joined(separator: "\n") }
        #expect(lines(.store).contains("overrides.json"))
        #expect(lines(.checks) == "No errors found.")
    }
}
