import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The number of keys for common tasks in a list of 60 flags; no task may need more keys than today.
@Suite struct KeystrokesTests {
    struct Job: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: String
        let limit: Int
        let isDone: @Sendable (MenuDriver) -> Bool
    }

    static let jobs = [
        Job(testDescription: "toggle a flag found by its name", keys: "/voi<tab>", limit: 5) {
            $0.saved["voice_search"] == "true"
        },
        Job(testDescription: "choose a variant", keys: "/lay<enter><enter>3", limit: 7) {
            $0.saved["checkout_layout"] == "sheet"
        },
        Job(testDescription: "write a number", keys: "/radi<enter><enter>25<enter>", limit: 10) {
            $0.saved["pickup_radius"] == "25"
        },
        Job(testDescription: "set five kill switches", keys: "/kill<enter>vGV<space>", limit: 10) { menu in
            menu.saved.count == 7 && (0..<5).allSatisfy { menu.saved["kill_switch_\($0)"] == "true" }
        },
        Job(testDescription: "list the overridden flags", keys: "m", limit: 1) {
            $0.listedKeys == ["guest_checkout", "login_variant"]
        },
        Job(testDescription: "clear an override", keys: "/gue<enter>x", limit: 6) {
            $0.saved == ["login_variant": "B"]
        },
        Job(testDescription: "clear all overrides", keys: "Cy", limit: 2) { $0.saved.isEmpty },
        Job(testDescription: "undo the last change", keys: "u", limit: 1) { $0.saved.count == 1 },
        Job(testDescription: "fetch and activate remote values", keys: "fy", limit: 2) {
            $0.value("voice_search") == "true"
        },
        Job(testDescription: "explain the value of a flag", keys: "/gue<enter>i", limit: 6) { menu in
            menu.lines.contains { $0.contains("set by ana") }
        },
        Job(testDescription: "copy the overrides for a bug report", keys: "yb", limit: 2) { menu in
            menu.effects.contains {
                if case .share(_, _, let report?) = $0 { report.contains("login_variant") } else { false }
            }
        },
        Job(testDescription: "undo the last two changes", keys: "HjU", limit: 3) {
            $0.saved.isEmpty
        },
    ]

    /// The shop's document, before or after the change of voice search.
    private static func document(voiceSearch: Bool) -> String {
        let plain = (0..<50).map { ("feature_\($0)", "false", "false|true") }
        let flags =
            (0..<5).map { ("kill_switch_\($0)", "false", "false|true") } + plain + [
                ("voice_search", "\(voiceSearch)", "false|true"), ("checkout_layout", "steps", "steps|one_page|sheet"),
                ("pickup_radius", "7.5", ""), ("guest_checkout", "false", "false|true"),
                ("login_variant", "A", "A|B|C"),
            ]
        let values = flags.map { #""\#($0.0)": "\#($0.1)""# }.joined(separator: ", ")
        let items = flags.map { #"{"key": "\#($0.0)", "value": "\#($0.2)"}"# }.joined(separator: ", ")
        return #"{\#(values), "config_categories": [{"category": "Shop", "items": [\#(items)]}]}"#
    }

    @Test(arguments: jobs) func `a common task needs no more keys than its limit`(job: Job) {
        var menu = MenuDriver(.snapshot(Self.document(voiceSearch: false)))
        menu.changeElsewhere([.set(key: "guest_checkout", value: "true")])
        menu.changeElsewhere([.set(key: "login_variant", value: "B")])
        menu.remote = .snapshot(Self.document(voiceSearch: true))
        menu.press(job.keys)
        #expect(job.isDone(menu), "\(menu.saved) \(menu.message ?? "")\n\(menu.text)")
        #expect(KeyScript.parse(job.keys).count <= job.limit)
    }
}
