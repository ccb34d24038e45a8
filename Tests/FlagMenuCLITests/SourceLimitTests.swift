import TestSupport
import Testing

/// A run has at most 64 sources.
@Suite struct SourceLimitTests {
    private let workplace = Workplace()

    private func names(_ count: Int) -> [String] {
        (0..<count).map { number in
            workplace.write(#"{"f\#(number)": "1"}"#, to: "s\(number)")
            return "s\(number)"
        }
    }

    private func list(_ names: [String]) -> String { names.map { #""\#($0)""# }.joined(separator: ", ") }

    @Test func `64 sources are read`() {
        let names = names(64)
        workplace.write(
            #"{"app": "shop", "source": "s0", "sources": [\#(list(Array(names.dropFirst())))]}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("get f63").text == "1\n")
        #expect(workplace.flagmenu(["get", "f63"] + names.flatMap { ["--source", $0] }).text == "1\n")
    }

    @Test(arguments: ["get f0", "set f0 2", "doctor", "menu", "trust"])
    func `more sources in a project file are an error`(line: String) {
        workplace.write(#"{"app": "shop", "source": "s0", "sources": [\#(list(names(64)))]}"#, to: "flagmenu.json")
        workplace.flagmenu(line).expect(2, anywhere: "flagmenu.json names 65 sources, and the limit is 64.")
        workplace.write(
            #"{"app": "shop", "sources": [\#(list((0..<4_000).map { "s\($0)" }))]}"#, to: "flagmenu.json")
        workplace.flagmenu(line).expect(2, anywhere: "names 4000 sources")
    }

    @Test func `more typed sources are an error`() {
        let names = names(65)
        workplace.flagmenu(["doctor"] + names.flatMap { ["--source", $0] }).expect(2, text: "--source names 65 sources")
        workplace.flagmenu("get f0", environment: ["FLAGMENU_SOURCE": names.joined(separator: ";")]).expect(
            2, errors: "FLAGMENU_SOURCE names 65 sources")
    }
}
