import ArgumentParser
import FlagModel
import FlagStorage
import Foundation
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// What commands do if nothing names the flags, and which documents are offered.
@Suite struct FoundFlagsTests {
    private let workplace = Workplace()

    private static let catalog = #"[{"category": "A", "items": [{"key": "a", "value": "true|false"}]}]"#
    private static let template = #"{"parameters": {"a": {"defaultValue": {"value": "1"}}}}"#

    @Test(arguments: [
        "get maximum_item_count", "list", "set maximum_item_count 1", "watch", "status", "export", "",
    ])
    func `a command that is given no flags lists what it found, and never reads the sample`(line: String) {
        workplace.write(Self.template, to: "config/rc.json")
        workplace.plainFlagmenu(line).expect(
            2, exactly: "", errors: "Found: documents config/rc.json. Name one with --source or --app")
        #expect(!FileManager.default.fileExists(atPath: "\(workplace.home)/.local/state/flagmenu/-"))
    }

    @Test func `--sample and another source contradict each other`() {
        workplace.plainFlagmenu("list --sample --source x.json").expect(2, errors: "--sample and --source")
        workplace.flagmenu(["get", "login_variant", "--sample"], environment: ["FLAGMENU_SOURCE": "x"]).expect(
            exactly: "A\n", comment: "an argument wins over a variable")
    }

    @Test func `a named app without a source has its overrides, and no values of the sample`() {
        workplace.plainFlagmenu("get maximum_item_count --app shop").expect(
            1, errors: "No source is named, and \"shop\" has not opened its flags")
        #expect(workplace.plainFlagmenu("set limit 1 --new --app shop").status == 0)
        #expect(workplace.plainFlagmenu("list --app shop").text == "limit\t1\toverride\n")
        #expect(workplace.plainFlagmenu("reset --all --yes --app shop").status == 0)
    }

    @Test func `the sample's app has the scenarios of the sample without --sample, too`() throws {
        func scenarios(of app: String) throws -> [String] {
            try workplace.settings(GlobalOptions.parse(["--app", app])).scenarioFolders.all().map(\.name)
        }
        #expect(try scenarios(of: AppFolders.sampleApp) == ["black-friday", "onboarding"])
        #expect(try scenarios(of: "shop") == [])
    }

    @Test func `a folder as the source offers its documents`() {
        workplace.write(Self.template, to: "config/rc.json")
        let run = workplace.plainFlagmenu("--source config")
        let path = "\(workplace.path)/config"
        #expect(run.status == 2 && run.text == "")
        #expect(
            run.errorText.hasPrefix(
                "flagmenu: \(path) is a folder, so nothing was done. Found: documents \(path)/rc.json. "),
            "\(run.errorText)")
    }

    @Test func `documents of one name in two folders do not share overrides`() {
        for folder in ["one", "two"] {
            workplace.write(#"{"limit": "1"}"#, to: "\(folder)/remote.json")
            workplace.write("<plist><dict><key>limit</key><string>1</string></dict></plist>", to: "\(folder)/d.plist")
        }
        for option in ["--source", "--defaults"] {
            let name = option == "--source" ? "remote.json" : "d.plist"
            #expect(workplace.plainFlagmenu("set limit 2 --any \(option) one/\(name)").status == 0)
            #expect(workplace.plainFlagmenu("get limit \(option) one/../one/./\(name)").text == "2\n", "the same file")
            #expect(workplace.plainFlagmenu("get limit \(option) two/\(name)").text == "1\n")
        }
    }

    @Test func `a document that a server has opened is never the app that is meant`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "one/remote.json")
        #expect(workplace.plainFlagmenu("set limit 2 --any --source one/remote.json").status == 0)
        let state = "\(workplace.home)/.local/state/flagmenu"
        let app = try #require(FileManager.default.contentsOfDirectory(atPath: state).first)
        try FileManager.default.createDirectory(atPath: "\(state)/\(app)/running", withIntermediateDirectories: true)
        workplace.plainFlagmenu("get limit").expect(2, errors: "Found: documents one/remote.json. Name one")
    }

    @Test func `JSON in a text does not hide a document with a typical name`() {
        workplace.write(#"{"dark": "true", "screen": "{\"x\":1}"}"#, to: "remote_config_defaults.json")
        workplace.write(#"{"type": "FeatureCollection", "features": [{"type": "Feature"}]}"#, to: "features.json")
        #expect(workplace.plainFlagmenu("list").errorText.contains("Found: documents remote_config_defaults.json. "))
    }

    /// A cloned repository may have any names.
    @Test func `an offered document is never read as a service, standard input or from the home folder`() {
        for name in ["ofrep:http/a/flags.json", "~/flags.json", "-"] {
            workplace.write(#"{"a": true}"#, to: name)
        }
        workplace.write(#"{"remoteconfig": [{"template": "-"}, {"template": "./~/flags.json"}]}"#, to: "firebase.json")
        let names = ReadableDocuments.names(in: workplace.path)
        #expect(names == ["./-", "./~/flags.json", "./ofrep:http/a/flags.json"])
        for name in names { #expect(workplace.flagmenu(["get", "a", "--source", name]).text == "true\n") }
    }

    @Test func `links and repeated paths are offered once, and only inside the folder`() throws {
        workplace.write(Self.template, to: "a/t.json")
        workplace.write(Self.template, to: "\(workplace.home)/private/t.json")
        workplace.write(#"{"remoteconfig": {"template": "a/../a/t.json"}}"#, to: "firebase.json")
        #expect(symlink(".", workplace.place("self")) == 0)
        #expect(symlink("\(workplace.home)/private", workplace.place("shared")) == 0)
        #expect(ReadableDocuments.names(in: workplace.path) == ["a/../a/t.json"])
    }

    @Test func `standard input and pipes are read`() {
        workplace.plainFlagmenu("list --source -", input: #"{"limit": "1"}"#).expect(exactly: "limit\t1\tremote\n")
        workplace.plainFlagmenu("get limit --source -", input: "limit: 3\n").expect(exactly: "3\n")
        workplace.shell(
            "flagmenu get limit --source <(sleep 0.1; echo '{\"limit\": \"1\"}') --source <(echo '{\"limit\": \"2\"}')",
            ["/bin/bash", "-c"]
        ).expect(exactly: "1\n")
        workplace.plainFlagmenu("list --source -").expect(2, errors: "standard input")
        workplace.plainFlagmenu("list --source -", isOnTerminal: true).expect(
            2, text: "standard input: this is a terminal")
    }

    @Test func `a document from a pipe is told that its overrides may be those of another`() {
        let document = #"{"limit": "1"}"#
        #expect(workplace.plainFlagmenu("list --source -", input: document).errorText == "")
        #expect(workplace.plainFlagmenu("set limit 2 --any --source -", input: document).status == 0)
        let other = workplace.plainFlagmenu("get limit --source -", input: #"{"limit": "5"}"#).expect(exactly: "2\n")
        #expect(other.errorText.hasPrefix("Using standard-input, whose 1 change all documents"), "\(other.errorText)")
        workplace.plainFlagmenu("get limit --source - --app other", input: document).expect(
            exactly: "1\n", isSilent: true)
    }

    /// Files of other tools, which were offered or could be.
    private static let others = [
        ("angular.json", #"{"$schema": "x", "version": 1, "projects": {"a": {"root": ""}}}"#),
        ("firestore.indexes.json", #"{"indexes": [], "fieldOverrides": []}"#),
        ("database.rules.json", #"{"rules": {".read": "auth != null"}}"#), ("tsconfig.json", #"{"strict": true}"#),
        ("package-lock.json", #"{"name": "a", "lockfileVersion": 3}"#),
        ("Info.plist", "<plist><dict><key>CFBundleName</key><string>a</string></dict></plist>"),
        ("docker-compose.yml", "services:\n  web:\n    image: a\n"), ("vercel.json", #"{"version": 2, "name": "a"}"#),
        ("empty.json", "{}"), ("broken-flags.json", "{"), ("pnpm-lock.yaml", "lockfileVersion: 9\n"),
        ("app.config.json", #"{"plugins": ["a"], "presets": {}}"#), ("node_modules/a/flags.json", #"{"a": true}"#),
        (".github/flags.json", #"{"a": true}"#), ("a/b/c/flags.json", #"{"a": true}"#),
        ("data/users.json", #"{"a": "b"}"#), ("prettier.json", #"{"semi": true}"#),
        ("biome.json", #"{"$schema": "https://biomejs.dev/schemas/2.0.0/schema.json", "root": true}"#),
        ("components.json", #"{"$schema": "https://ui.shadcn.com/schema.json", "rsc": true, "tsx": false}"#),
        ("lint.config.json", #"{"$schema": "./lint.json", "strict": true}"#),
        ("settings.json", #"{"editor.formatOnSave": true}"#), ("mkdocs.yml", "site_name: a\nstrict: true\n"),
    ]

    @Test func `only documents of flags are offered, those of firebase json first`() throws {
        for (name, text) in Self.others { workplace.write(text, to: name) }
        #expect(ReadableDocuments.names(in: workplace.path) == [])
        let flagd = #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#
        let documents = [
            ("deep/er/z.json", Self.template), ("firebase.json", #"{"remoteconfig": {"template": "deep/er/z.json"}}"#),
            ("catalog.json", Self.catalog), ("b.json", #"{"a": true, "b": "false", "c": 1}"#),
            ("demo.flagd.json", flagd), ("demo.flags.json", #"{"$schema": "./schema.json", "a": true}"#),
            ("remote_config_defaults.xml", "<defaultsMap><entry><key>a</key><value>1</value></entry></defaultsMap>"),
            ("config/features.yaml", "a: true\nb: 2\n"),
            ("ios/App/RemoteConfigDefaults.plist", "<plist><dict><key>a</key><true/></dict></plist>"),
            (
                "app/src/main/res/xml/remote_config_defaults.xml",
                "<defaultsMap><entry><key>a</key><value>2</value></entry></defaultsMap>"
            ),
        ]
        for (name, text) in documents { workplace.write(text, to: name) }
        #expect(
            ReadableDocuments.names(in: workplace.path) == [
                "deep/er/z.json", "demo.flagd.json", "demo.flags.json", "remote_config_defaults.xml",
                "config/features.yaml", "ios/App/RemoteConfigDefaults.plist",
                "app/src/main/res/xml/remote_config_defaults.xml", "b.json",
                "catalog.json",
            ])
        workplace.write(#"{"remoteconfig": {"template": "../outside.json"}}"#, to: "firebase.json")
        workplace.write(Self.template, to: "../outside.json")
        #expect(ReadableDocuments.names(in: workplace.path).allSatisfy { !$0.contains("outside") })
    }
}
