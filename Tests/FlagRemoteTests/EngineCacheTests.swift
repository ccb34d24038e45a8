import FlagRemote
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EngineCacheTests {
    private let place = EnginePlace()

    /// Ways to damage a cache file.
    enum Damage: CaseIterable {
        case empty, cutHeader, cutContent, zeros, noObject, olderFormat, newerFormat, otherSource, noTime

        func file(_ text: String) -> String {
            let end = text.firstIndex(of: "\n") ?? text.endIndex
            return switch self {
            case .empty: ""
            case .cutHeader: String(text[..<end].dropLast(9))
            case .cutContent: String(text.dropLast())
            case .zeros: text[...end] + String(repeating: "\0", count: 8)
            case .noObject: text[...end] + "1"
            case .olderFormat: text.replacing("\"format\":2", with: "\"format\":1")
            case .newerFormat: text.replacing("\"format\":2", with: "\"format\":3")
            case .otherSource: text.replacing("\"source\":\"a\"", with: "\"source\":\"b\"")
            case .noTime: text.replacing("\"fetchedAt\"", with: "\"fetched\"")
            }
        }
    }

    /// Caches a response, and returns its file.
    private func cached(_ identity: SourceIdentity = "a") async throws -> String {
        _ = await place.engine([MemorySource(identity, #"{"a": 1}"#)]).fetch(.all)
        return try #require(place.cache.path(ofActive: identity))
    }

    /// Also if the response is the one that the file had.
    @Test(arguments: Damage.allCases, ["1", "2"])
    func `a damaged or foreign cache file is ignored without an error, and the next response replaces it`(
        damage: Damage, response: String
    ) async throws {
        let file = try await cached()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let damagedText = damage.file(text)
        #expect(damagedText != text && place.engine([MemorySource("a")]).value() == "1")
        try damagedText.write(toFile: file, atomically: true, encoding: .utf8)
        let engine = place.engine([MemorySource("a", #"{"a": \#(response)}"#)])
        #expect(engine.value() == nil && engine.current.status == .idle && engine.current.errors.isEmpty)
        #expect(await engine.fetch(.withoutValues) == .fetchedFromRemote)
        #expect(place.engine([MemorySource("a")]).value() == response)
    }

    @Test func `a cache file that is too large is not decoded`() async throws {
        let file = try await cached()
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.truncate(atOffset: UInt64(SourceFileBytes.sizeLimit) + 1)
        try handle.close()
        let source = MemorySource("a")
        #expect(place.engine([source]).value() == nil && source.decodeCount == 0)
    }

    /// Things at the path of a cache file that prevent writing it.
    enum Replacement: CaseIterable {
        case folder, pipe, endlessLink

        func put(at path: String) throws {
            switch self {
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .endlessLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            }
        }
    }

    @Test(arguments: Replacement.allCases)
    func `values that cannot be cached still apply, and cacheError is set until they are cached`(
        replacement: Replacement
    ) async throws {
        let file = try await cached()
        try FileManager.default.removeItem(atPath: file)
        try replacement.put(at: file)
        let engine = place.engine([MemorySource("a", #"{"a": 2}"#)])
        #expect(engine.value() == nil && engine.current.errors.isEmpty)
        #expect(await engine.fetch(.all) == .fetchedFromRemote)
        #expect(engine.value() == "2" && engine.current.status == .loaded(at: place.clock.now))
        #expect(engine.current.cacheError?.contains("could not be cached") == true)
        try FileManager.default.removeItem(atPath: file)
        #expect(engine.save() == nil && engine.current.cacheError == nil)
        #expect(place.engine([MemorySource("a")]).value() == "2")
    }

    @Test func `the most recently used cached environment of a service is found`() async throws {
        for identity in ["shop.one", "shop.two", "shop2.three"] as [SourceIdentity] {
            _ = try await cached(identity)
            place.clock.turn(by: 1)
        }
        #expect(place.cache.cachedIdentity(of: "shop") == "shop.two")
        #expect(place.cache.cachedIdentity(of: "shop.one") == "shop.one")
        #expect(place.cache.cachedIdentity(of: "bank") == nil)
    }
}
