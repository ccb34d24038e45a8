import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// The last declarations of programs, which stay known after the programs have ended.
@Suite struct KeptDeclarationsTests {
    private let folder = StoreFolder()
    private var place: String { folder.path + "/declared" }
    private static let flag = DeclaredFlag(
        key: "theme", type: .string, defaultValue: "dark",
        facts: DeclaredFlag.Facts(title: "Theme", group: "Look", options: ["dark", "light"]),
        use: FlagUse(value: "light", layer: .override, since: 5, readAt: 7, wasRead: true))

    private func write(_ name: String, at seconds: Int64 = 1) throws {
        try KeptDeclarations(in: folder.path).write(
            DeclaredFlags.Program(name: name, seenAt: nil, flags: [Self.flag]), at: FlagTimestamp(seconds: seconds))
    }

    private func read() -> KeptDeclarations.Reading { KeptDeclarations(in: folder.path).read() }

    @Test func `the declaration is read with its time and without what the app uses`() throws {
        #expect(read() == KeptDeclarations.Reading())
        try write("shop", at: 5)
        try write("admin", at: 9)
        try write("shop", at: 7)
        #expect(read().programs.map(\.name) == ["admin", "shop"] && read().warnings == [])
        let shop = try #require(read().programs.last)
        #expect(shop.seenAt == FlagTimestamp(seconds: 7) && shop.flags == [Self.flag.withoutUse])
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 2, "no temporary file is left")
    }

    @Test func `files are read again only after a change`() throws {
        try write("shop", at: 5)
        let first = read()
        let kept = KeptDeclarations(in: folder.path)
        #expect(kept.read(after: first) == first)
        try write("shop", at: 6)
        #expect(kept.read(after: first).programs.map(\.seenAt) == [FlagTimestamp(seconds: 6)])
        try FileManager.default.removeItem(atPath: "\(place)/shop.declared.json")
        #expect(kept.read(after: first).programs.isEmpty)
    }

    @Test func `any other file is ignored with a warning`() throws {
        try write("shop")
        let linked = "\(place)/linked.declared.json"
        try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: "\(place)/shop.declared.json")
        try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(place)/bad.declared.json"))
        try Data().write(to: URL(fileURLWithPath: "\(place)/empty.declared.json"))
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(place)/notes.txt"))
        let huge = "\(place)/huge.declared.json"
        try Data().write(to: URL(fileURLWithPath: huge))
        #expect(truncate(huge, 1 << 30) == 0)
        let reading = read()
        #expect(reading.programs.map(\.name) == ["shop"])
        let reasons = ["it has no \"format\"", "it has more than", "it is a symbolic link", "its name is not that of"]
        #expect(reading.warnings.count == reasons.count)
        for reason in reasons { #expect(reading.warnings.contains { $0.contains(reason) }, "\(reading.warnings)") }
        let foreign = KeptDeclarations(in: folder.path, files: .live, user: getuid() + 1).read()
        #expect(foreign.programs == [] && foreign.warnings.contains { $0.contains("belongs to another user") })
    }

    @Test func `a folder that cannot be read is not a missing folder`() throws {
        #expect(read().warnings == [])
        try folder.write("in the way", to: "declared")
        #expect(read().warnings.count == 1 && read().warnings[0].hasPrefix("\(place) cannot be read (Not a directory)"))
    }

    @Test func `a link is replaced, and not its target`() throws {
        try write("shop")
        let target = folder.path + "/precious"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
        let path = "\(place)/shop.declared.json"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        try write("shop")
        #expect(read().programs.map(\.name) == ["shop"])
        #expect(try folder.text(of: "precious") == "precious")
    }

    @Test func `only the programs that were seen last are kept`() throws {
        for number in 0..<KeptDeclarations.programLimit + 5 { try write("program \(number)", at: Int64(number)) }
        let names = read().programs.map(\.name)
        #expect(names.count == KeptDeclarations.programLimit)
        #expect(names.first == "program \(KeptDeclarations.programLimit + 4)" && !names.contains("program 0"))
    }

    @Test(arguments: ["../up", ".hidden", String(repeating: "x", count: 300)])
    func `a name that is not one of a file is kept, too`(name: String) throws {
        try write(name)
        #expect(read().programs.map(\.name) == [name])
        #expect(try folder.names() == ["declared"])
    }
}
