#if Server
import FlagModel
import FlagRemote
import FlagStorage
import FlagTesting
import Flags
import Foundation
import TestSupport
import Testing

@testable import FlagServer

/// Server: overrides of clients.
@Suite(.limitedParallelism) struct ClientSetsTests {
    private let folder = Workplace()

    private func sets(limit: Int = 100) -> ClientSets {
        ClientSets(below: folder.path, limit: limit, now: { FlagTimestamp(seconds: 0) })
    }

    /// Changes the set of a client.
    private func apply(_ edits: [OverrideEdit], to client: String, of sets: ClientSets) throws {
        _ = try sets.store(of: client).apply(edits)
    }

    @Test func `the sets are on disk for the next start, and ids are equal if their bytes are`() throws {
        let ids = ["..", "../../ana %2F", ".hidden", "a/b", "ana@example.com", "rene\u{301}", "ren\u{E9}"]
        for (number, id) in ids.enumerated() { try apply([.set(key: "flag", value: "\(number)")], to: id, of: sets()) }
        let sets = sets()
        #expect(Set(sets.counts.keys) == Set(ids.map { FlagText($0) }))
        for (number, id) in ids.enumerated() { #expect(sets.overrides(of: id)?["flag"]?.value == "\(number)") }
        #expect(sets.overrides(of: "bob") == nil)
    }

    @Test func `clients whose ids look the same have their own values`() async throws {
        let server = try await TestServer(["flag": "a"])
        let ids = [("ren%C3%A9", "ren\u{E9}", "b"), ("rene%CC%81", "rene\u{301}", "c")]
        for (encoded, _, value) in ids {
            let path = "/api/v1/overrides/flag?client=\(encoded)"
            #expect(try await server.write(.put, path, #"{"value": "\#(value)"}"#).status == 200)
        }
        for (_, id, value) in ids {
            let text = try await server.evaluate("flag", #"{"targetingKey": "\#(id)"}"#).text
            #expect(text.contains(#""value":"\#(value)""#), "\(text)")
        }
    }

    @Test func `sets beyond the limit are read again when their clients ask, and keep their undo`() throws {
        let sets = sets(limit: 2)
        for id in ["ana", "bob", "eve"] { try apply([.set(key: "flag", value: id)], to: id, of: sets) }
        #expect(sets.counts.count == 2 && sets.keys == nil)
        for id in ["ana", "bob", "eve"] { #expect(sets.overrides(of: id)?["flag"]?.value == id) }
        #expect(sets.counts.count == 2 && sets.hasSet(of: "ana") && !sets.hasSet(of: "zoe"))
        try apply([.clearAll], to: "ana", of: sets)
        for id in ["bob", "eve"] { _ = sets.overrides(of: id) }
        #expect(sets.hasSet(of: "ana"))
        _ = try sets.store(of: "ana").undo()
        #expect(sets.overrides(of: "ana")?["flag"]?.value == "ana")
    }

    @Test func `an override of a client is not served after its end`() throws {
        let clock = ManualClock(FlagTimestamp(seconds: 0))
        let sets = ClientSets(below: folder.path, limit: 100, now: { clock.now })
        let end = FlagTimestamp(seconds: 10)
        try apply([.set(key: "flag", value: "a"), .end(key: "flag", .until(end))], to: "ana", of: sets)
        #expect(sets.overrides(of: "ana")?["flag"]?.value == "a")
        clock.turn(by: 10)
        #expect(sets.overrides(of: "ana") == [:])
    }

    @Test func `a start reads only as many sets as stay in memory`() throws {
        for number in 0..<20 { folder.write("{}", to: "clients/client-\(number)/overrides.json") }
        try apply([.set(key: "flag", value: "a")], to: "zoe", of: sets())
        let sets = sets(limit: 3)
        #expect(sets.counts.count == 3 && sets.counts["zoe"] == nil)
        #expect(sets.overrides(of: "zoe")?["flag"]?.value == "a")
        #expect(sets.overrides(of: "nobody") == nil)
    }

    @Test func `a change by another process is in the next evaluation`() async throws {
        let server = try await TestServer(["flag": "a"], in: folder)
        let set = try await server.write(.put, "/api/v1/overrides/flag?client=ana", #"{"value": "b"}"#)
        #expect(set.status == 200, "\(set.text)")
        let store = OverrideStore(
            directory: folder.place("state/clients/ana"), author: "ben", now: { FlagTimestamp(seconds: 0) })
        for value in ["c", "d"] {
            _ = try store.apply([.set(key: "flag", value: value)])
            let text = try await server.evaluate("flag", #"{"targetingKey": "ana"}"#).text
            #expect(text.contains(#""value":"\#(value)""#), "\(text)")
        }
    }

    @Test(.mayBlock) func `the folder of a client that another process makes is found`() throws {
        let sets = sets()
        #expect(sets.overrides(of: "ana") == nil)
        try apply([.set(key: "flag", value: "a")], to: "ana", of: self.sets())
        #expect(Clock.wait { sets.overrides(of: "ana")?["flag"]?.value == "a" }, "the folder is not found")
    }

    /// The places of a link in a store, what it leads to in a folder outside, and whether that exists.
    private static let links = [
        ("clients/ana", "", true), ("clients/ana", "none", false), ("clients/ana", "overrides.json", true),
        ("clients", "", true), ("clients", "none", false), ("clients/ana/overrides.json", "overrides.json", true),
        ("clients/ana/overrides.json", "none", false), ("clients/ana/history.jsonl", "none", false),
        ("clients/ana/overrides.lock", "none", false),
    ]

    @Test(arguments: links)
    func `a link in a client's folder, or instead of it, leads nowhere`(
        place: String, target: String, exists: Bool
    ) async throws {
        let evil = #"{"format": 1, "overrides": {"flag": {"value": "evil"}}}"#
        folder.write(evil, to: "outside/overrides.json")
        folder.write(evil, to: "outside/ana/overrides.json")
        let link = folder.place("state/\(place)")
        try FileManager.default.createDirectory(
            atPath: FilePath.folder(of: link), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.place("outside/\(target)"))
        #expect(FileManager.default.fileExists(atPath: link) == exists)
        let server = try await TestServer(["flag": "a"], in: folder)
        for (method, path, body) in [
            (SourceRequest.Method.put, "overrides/flag?client=ana", #"{"value": "b"}"#),
            (.delete, "overrides?client=ana", ""),
        ] {
            let response = try await server.write(method, "/api/v1/\(path)", body)
            // Without a set, a client has nothing to clear.
            #expect(response.status == 403 || method == .delete && response.text.contains(#""changes":[]"#))
            #expect(method == .delete || response.text.contains("\(link) is a symbolic link"), "\(response.text)")
        }
        #expect(try await server.send(.get, "/api/v1/overrides?client=ana").text.contains("evil") == false)
        #expect(try await server.evaluate("flag", #"{"targetingKey": "ana"}"#).text.contains(#""value":"a""#))
        #expect(folder.names(in: "outside") == ["ana", "overrides.json"])
        #expect(folder.names(in: "outside/ana") == ["overrides.json"])
        #expect(folder.read("outside/overrides.json") == evil && folder.read("outside/ana/overrides.json") == evil)
        try FileManager.default.removeItem(atPath: link)
        #expect(try await server.write(.put, "/api/v1/overrides/flag?client=ana", #"{"value": "b"}"#).status == 200)
    }

    @Test func `a link that replaces the overrides of a client is not read`() throws {
        let sets = sets()
        try apply([.set(key: "flag", value: "a")], to: "ana", of: sets)
        #expect(sets.overrides(of: "ana")?["flag"]?.value == "a")
        folder.write(#"{"format": 1, "overrides": {"flag": {"value": "evil"}}}"#, to: "outside.json")
        let path = folder.place("clients/ana/overrides.json")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.place("outside.json"))
        #expect(sets.overrides(of: "ana")?["flag"]?.value == "a")
    }

    @Test func `writers at the same time leave the newest overrides`() async throws {
        let sets = sets()
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<10 {
                        try? apply([.set(key: "flag \(writer)", value: "\(number)")], to: "ana", of: sets)
                    }
                }
            }
        }
        let overrides = sets.overrides(of: "ana")?.mapValues(\.value)
        #expect(overrides == ["flag 0": "9", "flag 1": "9", "flag 2": "9", "flag 3": "9"])
    }
}
#endif
