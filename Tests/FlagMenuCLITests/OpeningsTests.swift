import ArgumentParser
import DeveloperMenuTerminal
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// The choices that the menu offers to open, which follow the rules of the command line.
@Suite struct OpeningsTests {
    private let workplace = Workplace()

    private func openings(_ arguments: [String] = []) throws -> Openings {
        let options = try GlobalOptions.parse(arguments)
        return Openings(options, try workplace.settings(options))
    }

    private func choices(_ arguments: [String] = []) throws -> [String] {
        try openings(arguments).choices().map { "\($0.name): \($0.note)\($0.isOpen ? ", open" : "")" }
    }

    @Test func `the choices are the documents, the sample and init, each with its app`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"limit": "1"}"#, to: "config.json")
        workplace.write("{", to: "broken.json")
        #expect(workplace.flagmenu("set limit 2 --any --source remote.json").status == 0)
        let sample = "built-in sample: flags to try"
        let (config, remote) = ("config.json: document", "remote.json: document, 1 override")
        let new = "init: sets up flagmenu.json"
        #expect(try choices() == [remote, config, new, sample])
        #expect(try choices(["--sample"]) == [remote, config, new, "\(sample), open"])
        #expect(try choices(["--source", "remote.json"]) == ["\(remote), open", config, new, sample])
        #expect(try choices(["--source", "remote.json", "--app", "x"]) == [remote, config, new, sample])
    }

    @Test func `the choices are the project, each of its sources, and other documents`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"limit": "1"}"#, to: "other.json")
        workplace.write(
            #"{"app": "shop", "sources": ["remote.json", "ofrep:http://127.0.0.1:9"]}"#, to: "flagmenu.json")
        let choiceLines = try choices()
        #expect(
            choiceLines == [
                "flagmenu.json: project, app shop, open", "remote.json: its source, app shop",
                "ofrep:127.0.0.1:9: its source, app shop", "built-in sample: flags to try",
            ])
    }

    @Test func `apps with overrides are listed with the document they were last read with`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "shop/remote.json")
        let shop = "--app shop --source shop/remote.json"
        for line in [
            "set limit 2 --any \(shop)", "fetch \(shop)", "list --app unused", "set show_map on --app cart --new",
        ] {
            #expect(workplace.flagmenu(line).status == 0, "\(line)")
        }
        let apps = try choices().filter { $0.contains(": app, ") }
        #expect(apps == ["cart: app, 1 override, on flags in code", "shop: app, 1 override, on remote.json"])
        #expect(
            try choices(["--app", "shop", "--source", "shop/remote.json"]).contains(
                "shop: app, 1 override, on remote.json, open"))
        let run = try #require(try open(.app("shop", document: workplace.place("shop/remote.json"))))
        #expect(run.settings.app == "shop" && run.store.read().table.overrides["limit"]?.value == "2")
        #expect(run.flags.remoteReading.snapshot.values["limit"]?.string == "1")
        // If all apps share one store, there is no app to choose.
        workplace.write(#"{"store": "overrides"}"#, to: "flagmenu.json")
        #expect(try choices().filter { $0.contains(": app, ") } == [])
    }

    @Test func `a document is never listed as an app with a hash`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "far/away/from/here/remote.json")
        workplace.write("<plist><dict><key>limit</key><string>1</string></dict></plist>", to: "far/d.plist")
        let source = "--source far/away/from/here/remote.json"
        for line in ["set limit 2 --any \(source)", "fetch \(source)", "set limit 2 --any --defaults far/d.plist"] {
            #expect(workplace.flagmenu(line).status == 0, "\(line)")
        }
        let choices = try choices()
        #expect(
            choices.contains { $0.hasSuffix("/far/away/from/here/remote.json: document, 1 override") }, "\(choices)")
        #expect(!choices.contains { $0.contains(": app, ") }, "\(choices)")
    }

    private func open(_ target: OpenTarget, _ arguments: [String] = []) throws -> RunStore? {
        let openings = try openings(arguments)
        let rejection = openings.prepare(target)
        #expect(rejection == nil)
        return openings.claimRun(for: target)
    }

    @Test func `an opened document uses its own app and store, and stays read-only`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"limit": "1"}"#, to: "~/other.json".replacing("~", with: workplace.home))
        let arguments = ["--app", "x", "--store", "st", "--launch", "limit=5", "--read-only"]
        for name in ["remote.json", "file:remote.json", "~/other.json"] {
            let prepared = try #require(try open(.source(name), arguments))
            let settings = prepared.settings
            #expect(settings.appTitle == (name.hasPrefix("~") ? "other" : "remote"))
            #expect(settings.storeDirectory == settings.stateDirectory && settings.launch == [:])
            #expect(settings.readOnlyReason != nil, "read-only also applies to the opened document")
        }
    }

    @Test(arguments: [
        (OpenTarget.source("nosuch.json"), "nosuch.json: no such file"), (.source("broken.json"), "line 1, column"),
        (.source("nosuch:http://127.0.0.1/"), "Unknown source \"nosuch:\""),
        (.source("ofrep:http://127.0.0.1:9"), "127.0.0.1"), (.app("a/b", document: nil), "cannot be an app id"),
    ])
    func `an unreadable choice is rejected with the reason, and not opened`(target: OpenTarget, words: String) throws {
        workplace.write("{", to: "broken.json")
        let openings = try openings()
        let rejection = try #require(openings.prepare(target))
        #expect(rejection.contains(words), "\(rejection)")
        #expect(openings.claimRun(for: target) == nil)
    }

    /// A slow service that was chosen first does not replace a later choice.
    @Test func `opening a choice returns that choice, even if another was prepared later`() throws {
        for name in ["a.json", "b.json"] { workplace.write(#"{"limit": "1"}"#, to: name) }
        let openings = try openings()
        for name in ["a.json", "b.json"] { #expect(openings.prepare(.source(name)) == nil) }
        #expect(openings.claimRun(for: .source("a.json"))?.settings.appTitle == "a")
        #expect(openings.claimRun(for: .source("b.json")) == nil, "a choice that was not opened is dropped")
    }
}
