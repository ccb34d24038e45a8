import TestSupport
import Testing

/// `flagmenu diff` and `flagmenu activate --dry-run`: both show the same differences and change nothing.
@Suite struct DiffTests {
    private func shop() -> Transcript {
        let workplace = Workplace()
        workplace.write(#"{"same": "1", "theme": "dark", "old": "x", "empty": ""}"#, to: "old.json")
        workplace.write(#"{"same": "1", "theme": "light", "new": "{\"a\": 1}", "empty": ""}"#, to: "new.json")
        return Transcript(workplace)
    }

    @Test func `diff of documents, stores and invalid arguments matches its snapshot`() {
        var transcript = shop()
        let workplace = transcript.workplace
        workplace.write(#"{"source": "old.json", "app": "shop"}"#, to: "flagmenu.json")
        workplace.write(
            #"<plist version="1.0"><dict><key>same</key><string>2</string></dict></plist>"#, to: "app.plist")
        for line in [
            "diff old.json new.json", "diff old.json new.json --json", "diff old.json new.json --exit-code --quiet",
            "diff old.json old.json --exit-code", "diff old.json app.plist", "set theme light --store ana -q",
            "set same 2 --store bo -q", "diff ana bo", "diff ana/overrides.json new.json", "diff ana ana",
            "diff old.json nosuch.json", "diff old.json .", "diff old.json", "list --overridden",
        ] { transcript.run(line) }
        transcript.expectSnapshot("diff")
    }

    @Test func `diff reads a source as it is now, not the activated values`() {
        let workplace = shop().workplace
        #expect(workplace.flagmenu("fetch --source old.json --app shop").status == 0)
        workplace.write(#"{"same": "2", "theme": "dark", "old": "x", "empty": ""}"#, to: "old.json")
        #expect(workplace.flagmenu("fetch --source old.json --app shop").status == 0)
        let before = workplace.shell("find ~ -type f -exec cksum {} +").text
        workplace.flagmenu("diff old.json new.json --app shop").expect(text: "same: 2 -> 1\n")
        #expect(workplace.shell("find ~ -type f -exec cksum {} +").text == before, "nothing is stored")
        #expect(workplace.flagmenu("get same --source old.json --app shop").text == "1\n")
    }

    @Test func `diff reads the overrides of an export`() {
        let workplace = shop().workplace
        #expect(workplace.flagmenu("set theme light --source old.json --store ana").status == 0)
        #expect(workplace.flagmenu("export out.json --source old.json --store ana").status == 0)
        let run = workplace.flagmenu("diff out.json ana").expect(0, exactly: "")
        #expect(run.errorText == "No value differs.\n", "\(run.text)\(run.errorText)")
    }

    @Test func `activate --dry-run shows the changes and activates nothing`() {
        var transcript = Transcript(.shop())
        for line in ["fetch", "activate --dry-run"] { transcript.run(line) }
        transcript.workplace.write(
            Documents.shopLater.replacing(#""unlisted": "x","#, with: #""brand_new": true,"#), to: "shop.json")
        for line in [
            "fetch --quiet", "activate --dry-run", "activate --dry-run --json", "activate --dry-run --read-only",
            "get theme", "activate", "get theme",
        ] { transcript.run(line) }
        transcript.expectSnapshot("activate-dry-run")
    }
}
