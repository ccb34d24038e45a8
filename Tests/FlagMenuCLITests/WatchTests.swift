import Foundation
import TestSupport
import Testing

#if Network
import VendorServers
#endif

extension Workplace {
    /// Runs `body` while `flagmenu watch` writes to the file `lines`, then interrupts it.
    func watching(
        _ arguments: String, environment: [String: String?] = [:],
        _ body: (_ lines: @escaping () -> [String]) throws -> Void
    ) throws -> Int32 {
        let process = try start(
            ["watch"] + arguments.split(separator: " ").map(String.init), environment: environment)
        try body { (self.read("lines") ?? "").split(separator: "\n").map(String.init) }
        kill(process.id, SIGINT)
        return process.end(before: Clock.seconds() + 30)
    }
}

/// `flagmenu watch` prints one JSON line for each change of an effective value until it is interrupted.
@Suite(.mayBlock) struct WatchTests {
    private let workplace = Workplace()

    /// Runs `body` while `flagmenu watch` reports changes of the flags `a`, `b` and `probe` in a file.
    private func watching(_ arguments: String, _ body: (_ lines: @escaping () -> [String]) throws -> Void) throws
        -> Int32
    {
        workplace.write(#"{"a": "1", "b": "1", "probe": "0"}"#, to: "remote.json")
        workplace.write(#"{"source": "remote.json", "store": "store"}"#, to: "flagmenu.json")
        return try workplace.watching(arguments) { lines in
            try awaitReady(lines)
            try body(lines)
        }
    }

    /// Waits for a line.
    private func expect(
        _ fact: String, in lines: () -> [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isPrinted = Clock.wait { lines().contains { $0.contains(fact) } }
        #expect(isPrinted, "\(fact): \(lines())", sourceLocation: sourceLocation)
    }

    /// The last line about the flag `a`. A reading may also report the flag `probe`, which follows.
    private func lastLine(_ lines: [String]) -> String? { lines.last { $0.contains(#""key":"a""#) } }

    /// Makes changes until the watch, which may not be running yet, reports one.
    private func awaitReady(_ lines: () -> [String]) throws {
        var count = 100
        try #require(
            Clock.wait {
                count += 1
                _ = workplace.flagmenu("set probe \(count) --new -q")
                return !lines().isEmpty
            }, "\(workplace.read("words") ?? "")")
    }

    @Test func `a store that is replaced continuously is reported with its last value`() throws {
        _ = try watching("a probe") { lines in
            let script = """
                flagmenu set a 2 && cp store/overrides.json two && flagmenu set a 3 && cp store/overrides.json three
                i=0; while [ $i -lt 300 ]; do
                    cp two next && mv next store/overrides.json; cp three next && mv next store/overrides.json; i=$((i+1))
                done
                """
            #expect(workplace.shell(script, timeout: 60).status == 0)
            try #require(Clock.wait { lastLine(lines())?.contains(#""new":"3""#) == true })
            #expect(workplace.flagmenu("set a 4").status == 0)
            #expect(
                Clock.wait { lastLine(lines())?.contains(#""old":"3","new":"4""#) == true }, "\(lines().suffix(2))"
            )
        }
    }

    @Test func `watch prints changes of overrides and sources`() throws {
        let status = try watching("") { lines in
            #expect(workplace.flagmenu("set a 2").status == 0)
            expect(#""key":"a","old":"1","new":"2","layer":"override""#, in: lines)
            workplace.write(#"{"a": "1", "b": "3", "probe": "0"}"#, to: "remote.json")
            expect(#""key":"b","old":"1","new":"3","layer":"remote""#, in: lines)
            workplace.write(#"{"a": "1", "b""#, to: "remote.json")
            #expect(Clock.wait { (workplace.read("words") ?? "").contains("line 1, column") })
            #expect(workplace.flagmenu("reset a -q").status == 0)
            // A broken source keeps the last good values.
            expect(#""key":"a","old":"2","new":"1","layer":"remote""#, in: lines)
            for line in lines() {
                #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
            }
        }
        #expect(status == 130)
    }

    @Test func `watch prints the end of an override when it comes`() throws {
        _ = try watching("a probe") { lines in
            #expect(workplace.flagmenu("set a 2 --note BUG-1 --for 4s").status == 0)
            expect(#""key":"a","old":"1","new":"2","layer":"override","note":"BUG-1","endsAt":"20"#, in: lines)
            expect(#""key":"a","old":"2","new":"1","layer":"remote"}"#, in: lines)
        }
    }

    @Test func `unreadable overrides are not a change`() throws {
        _ = try watching("a probe") { lines in
            #expect(workplace.flagmenu("set a 2").status == 0)
            #expect(Clock.wait { lastLine(lines())?.contains(#""new":"2""#) == true })
            func changes() -> Int { lines().count { $0.contains(#""key":"a""#) } }
            let count = changes()
            // In one step: a file that is missing for a moment has no overrides.
            workplace.shell("cd store && cp -p overrides.json kept && mkdir folder && ln -s folder link").expect(0)
            #expect(rename(workplace.place("store/link"), workplace.place("store/overrides.json")) == 0)
            #expect(Clock.wait { (workplace.read("words") ?? "").contains("overrides.json") })
            #expect(rename(workplace.place("store/kept"), workplace.place("store/overrides.json")) == 0)
            #expect(workplace.flagmenu("set a 3").status == 0)
            #expect(Clock.wait { lastLine(lines())?.contains(#""old":"2","new":"3""#) == true }, "\(lines())")
            #expect(changes() == count + 1, "\(lines())")
        }
    }

    #if Network
    @Test func `watch follows services`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        workplace.write(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "pollSeconds": 1}}"#, to: "flagmenu.json")
        _ = try workplace.watching("limit --initial") { lines in
            try #require(Clock.wait { lines().contains { $0.contains(#""new":"42""#) } }, "\(lines())")
            server.replace([.init("limit", "43")])
            #expect(
                Clock.wait { lines().last?.contains(#""key":"limit","old":"42","new":"43","layer":"remote""#) == true },
                "\(lines()) \(workplace.read("words") ?? "")")
            #expect(workplace.flagmenu("get limit").text == "43\n", "the change is active for other commands")
        }
    }
    #endif

    @Test func `watch prints changes caused by a context`() throws {
        workplace.write(ContextCommandTests.server, to: "shop.template.json")
        workplace.write(#"{"probe": "0"}"#, to: "probe.json")
        workplace.write(#"{"app": "shop", "source": ["shop.template.json", "probe.json"]}"#, to: "flagmenu.json")
        let status = try workplace.watching("") { lines in
            try awaitReady(lines)
            #expect(workplace.flagmenu("context country=FR").status == 0)
            expect(#""key":"menu","old":"standard","new":"carte""#, in: lines)
        }
        #expect(status == 130)
    }

    @Test func `--initial prints one line for each flag first`() throws {
        workplace.write(#"{"b": "1", "a": "2"}"#, to: "remote.json")
        let project = #"{"source": "remote.json", "defaults": "defaults.json"}"#
        workplace.write(project, to: "flagmenu.json")
        workplace.write(#"{"c": "3"}"#, to: "defaults.json")
        #expect(workplace.flagmenu("set a 4").status == 0)
        _ = try workplace.watching("--initial") { lines in
            try #require(Clock.wait { lines().count == 3 }, "\(lines())")
            let expectedEnds = [
                #""key":"a","old":null,"new":"4","layer":"override"}"#,
                #""key":"b","old":null,"new":"1","layer":"remote"}"#,
                #""key":"c","old":null,"new":"3","layer":"default"}"#,
            ]
            for (line, end) in zip(lines(), expectedEnds) { #expect(line.hasSuffix(end), "\(line)") }
        }
        _ = try workplace.watching("--initial b") { lines in
            try #require(Clock.wait { !lines().isEmpty })
            #expect(lines().count == 1 && lines()[0].contains(#""key":"b""#), "\(lines())")
        }
    }

    @Test func `watch prints only the named keys`() throws {
        let status = try watching("a probe") { lines in
            #expect(workplace.flagmenu("set b 2").status == 0)
            #expect(workplace.flagmenu("set a 2").status == 0)
            expect(#""key":"a""#, in: lines)
            #expect(!lines().contains { $0.contains(#""key":"b""#) })
        }
        #expect(status == 130)
        #expect(workplace.flagmenu("watch nosuch").status == 1)
    }
}
