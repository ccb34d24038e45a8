import FlagModel
import FlagPresence
import FlagStorage
import TestSupport
import Testing

/// `flagmenu generate` and `flagmenu export --catalog`.
@Suite struct GenerateTests {
    private let workplace = Workplace.shop()

    /// Announces an app, as a running process does, until the result is released.
    private func announce(_ name: String, process: Int32, _ flags: [DeclaredFlag]) throws -> PresenceFile {
        let file = PresenceFile(in: "\(workplace.home)/.local/state/flagmenu/shop")
        let app = RunningApp(id: file.id, name: name, process: process, startedAt: Int64(process), flags: flags)
        try file.write(app.text(flags: flags.map { $0.json.text(indented: false) }))
        return file
    }

    @Test func `generate matches its snapshot`() {
        var transcript = Transcript(workplace)
        workplace.write("// My own code.\n", to: "Own.swift")
        for line in [
            "generate swift", "generate swift --output Flags.swift --check", "generate swift --output Flags.swift",
            "generate swift --output Flags.swift", "set limit 7", "generate swift --output Flags.swift --check",
            "generate swift --output Flags.swift --check --name ShopFlags", "generate swift --check",
            "generate swift --name flags", "generate swift --output Own.swift",
            "generate swift --output Own.swift --force --quiet", "generate swift --output Own.swift --check --quiet",
            "generate swift --output shop.json --force", "generate swift --output nosuch/Flags.swift", "generate",
            "generate java", "generate swift --source empty.json",
        ] {
            if line.hasSuffix("empty.json") { workplace.write("{}", to: "empty.json") }
            transcript.run(line)
        }
        workplace.write(Documents.shop.replacing("\"limit\": ", with: "\"limit\": 1"), to: "shop.json")
        transcript.run("generate swift --output Flags.swift --check")
        transcript.expectSnapshot("generate")
        #expect(workplace.read("Own.swift") == workplace.read("Flags.swift"))
        #expect(workplace.shell("stat -c %a Flags.swift").text == "644\n")
    }

    @Test(arguments: [("kotlin", "com.shop.Flags"), ("typescript", "Flags"), ("manifest", "AppFlags")])
    func `the code of another language is a fixed point of --check`(language: String, name: String) {
        let line = "generate \(language) --name \(name) --output flags"
        workplace.flagmenu(line).expect(0)
        workplace.flagmenu("\(line) --check").expect(0)
        workplace.flagmenu("generate swift --output flags").expect(2)
        workplace.write(Documents.shop.replacing("\"limit\": ", with: "\"limit\": 1"), to: "shop.json")
        let run = workplace.flagmenu("\(line) --check").expect(1)
        #expect(run.errorText.contains("\"limit\" is declared differently"))
        workplace.flagmenu(line).expect(0)
        workplace.flagmenu("\(line) --check").expect(0)
        workplace.flagmenu("generate \(language) --name no.name --output other").expect(2)
    }

    @Test func `running apps do not change the code that documents result in`() throws {
        #expect(workplace.flagmenu("generate swift --output Flags.swift").status == 0)
        let flags = [
            DeclaredFlag(key: "limit", type: .double, defaultValue: "99.5"),
            DeclaredFlag(key: "removed", type: .bool, defaultValue: "false"),
        ]
        let app = try announce("old", process: 1, flags)
        workplace.flagmenu("generate swift --output Flags.swift --check").expect(0)
        // Without a document, only code says which flags there are.
        workplace.write(#"{"app": "shop"}"#, to: "flagmenu.json")
        workplace.flagmenu("generate swift").expect(text: "removed", "99.5")
        withExtendedLifetime(app) {}
    }

    @Test func `the catalog has the flags of all running apps, and the newest declaration of each`() throws {
        let theme = DeclaredFlag(
            key: "theme", type: .string, defaultValue: "light",
            facts: DeclaredFlag.Facts(title: "Theme", group: "Look", options: ["light", "dark"]))
        let limit = DeclaredFlag(key: "limit", type: .int, defaultValue: "3")
        let newLimit = DeclaredFlag(key: "limit", type: .int, defaultValue: "4")
        let use = FlagUse(value: "dark", layer: .override, since: 0, readAt: nil, wasRead: false)
        let usedTheme = DeclaredFlag(
            key: "theme", type: .string, defaultValue: "light", facts: theme.facts, use: use)
        let none = workplace.flagmenu("export --catalog").expect(1, exactly: "")
        #expect(none.errorText.hasPrefix("flagmenu: No app of shop has declared flags, so nothing was written."))
        let apps = [
            try announce("old", process: 1, [limit, theme]),
            try announce("new", process: 2, [newLimit, usedTheme]),
        ]
        let run = workplace.flagmenu("export --catalog out.json")
        #expect(
            run.errorText == """
                flagmenu: old (1) and new (2) declare "limit" differently; the declaration of new (2), which started last, is used.
                2 flags written to out.json.

                """)
        #expect(workplace.flagmenu("get limit theme --source out.json").text == "4\nlight\n")
        workplace.flagmenu("list --source out.json --json").expect(text: #""category": "Look""#, #""title": "Theme""#)
        #expect(workplace.flagmenu("export --catalog out.json").status == 2, "an existing file is kept")
        withExtendedLifetime(apps) {}
    }
}
