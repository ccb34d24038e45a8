import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// The announcements of running apps.
@Suite struct RunningAppsTests {
    private let folder = StoreFolder()
    private var place: String { folder.path + "/running" }
    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted() }
    private static let flag = DeclaredFlag(
        key: "theme", type: .string, defaultValue: "dark",
        facts: DeclaredFlag.Facts(title: "Theme", options: ["dark", "light"]),
        use: FlagUse(value: "light", layer: .override, since: 5, readAt: 7, wasRead: true, rejection: "No \"x\"."))

    private func announce(_ name: String, process: Int32 = 4242) throws -> PresenceFile {
        let file = PresenceFile(in: folder.path)
        let app = RunningApp(
            id: file.id, name: name, process: process, startedAt: 3, overrideFolder: "/tmp/o", flags: [Self.flag])
        try file.write(app.text(flags: app.flags.map { $0.json.text(indented: false) }))
        return file
    }

    private func read() -> RunningApps.Reading { RunningApps(in: folder.path).read() }

    @Test func anAppIsListedUntilItEnds() throws {
        #expect(read() == RunningApps.Reading())
        let file = try announce("shop")
        let app = try #require(read().apps.first)
        #expect(app.name == "shop" && app.process == 4242 && app.startedAt == 3 && app.overrideFolder == "/tmp/o")
        #expect(app.flags == [Self.flag])
        let second = try announce("other")
        #expect(read().apps.map(\.name).sorted() == ["other", "shop"])
        second.end()
        file.end()
        #expect(read() == RunningApps.Reading() && names == [])
        try file.write("{}")
        #expect(names == [], "an ended file stays ended")
    }

    @Test func aReplacedAnnouncementIsRead() throws {
        let file = try announce("shop")
        for number in 0..<50 {
            let app = RunningApp(id: file.id, name: "shop \(number)", process: 1, startedAt: 1, flags: [])
            try file.write(app.text(flags: []))
            #expect(read().apps.map(\.name) == ["shop \(number)"])
        }
        #expect(names.count == 1)
    }

    /// As after `kill -9`: the kernel has released the lock, and the file is still there.
    @Test func aFileWithoutALockIsALeftoverEvenIfItsProcessIdIsUsedAgain() throws {
        let file = try announce("shop", process: getpid())
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(file.id).app.json"))
        let leftover = "\(place)/0123456789abcdef.app.json"
        try bytes.write(to: URL(fileURLWithPath: leftover))
        try bytes.write(to: URL(fileURLWithPath: "\(place)/.0123456789abcdef.app.json"))
        #expect(read().apps.count == 1)
        #expect(names == ["\(file.id).app.json"])
    }

    /// A file that a program locks is not trusted because of that.
    @Test(
        arguments: [
            ("", "it is not JSON"), ("[1]", "it has no \"format\""), ("{\"format\":2}", "its format 2 is not known"),
            ("{\"format\":1,\"id\":\"x\"}", "it lacks an id"), ("\u{0}\u{1}", "it is not JSON"),
        ])
    func malformedAnnouncementIsIgnoredWithAWarning(text: String, reason: String) throws {
        let file = PresenceFile(in: folder.path)
        try file.write(text)
        let reading = read()
        #expect(reading.apps.isEmpty && reading.warnings.count == 1)
        #expect(reading.warnings.first?.contains(reason) == true, "\(reading.warnings)")
    }

    @Test func hugeLinkedForeignAndOtherFilesAreIgnoredWithAWarning() throws {
        let file = try announce("shop")
        let path = "\(place)/\(file.id).app.json"
        #expect(truncate(path, 1 << 30) == 0)
        #expect(read().warnings.first?.contains("more than") == true)
        file.end()
        let linked = try announce("linked")
        let link = "\(place)/fedcba9876543210.app.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
        let reading = read()
        #expect(reading.apps.map(\.name) == ["linked"])
        #expect(reading.warnings.first?.contains("it is a symbolic link") == true)
        let foreign = RunningApps(in: folder.path, files: .live, user: getuid() + 1).read()
        #expect(foreign.apps.isEmpty && foreign.warnings.contains { $0.contains("belongs to another user") })
        try Data().write(to: URL(fileURLWithPath: "\(place)/notes.txt"))
        #expect(read().warnings.contains { $0.contains("its name is not that of an announcement") })
        #expect(names.contains("notes.txt"), "other files are not removed")
        linked.end()
    }

    @Test func aWatchReportsStartChangeAndEnd() throws {
        let counter = ChangeCounter()
        let watch = try RunningApps(in: folder.path).watch { counter.add() }
        defer { watch.cancel() }
        let file = try announce("shop")
        #expect(counter.wait { counter.count > 0 })
        let started = counter.count
        try file.write("{}")
        #expect(counter.wait { counter.count > started })
        let changed = counter.count
        file.end()
        #expect(counter.wait { counter.count > changed })
    }
}
