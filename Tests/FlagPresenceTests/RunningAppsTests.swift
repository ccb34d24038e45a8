import FlagModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagPresence
@testable import FlagStorage

/// The announcements of running apps.
@Suite(.slow) struct RunningAppsTests {
    private let folder = Workplace()
    private var place: String { folder.path + "/running" }
    private var names: [String] { folder.names(in: "running") }
    private static let flag = DeclaredFlag(
        key: "theme", type: .string, defaultValue: "dark",
        facts: DeclaredFlag.Facts(title: "Theme", needsRestart: true, options: ["dark", "light"]),
        use: FlagUse(
            value: "light", layer: .override, since: 5, readAt: 7, wasRead: true, firstValue: "dark",
            rejection: "No \"x\"."))

    private func announce(
        _ name: String, process: Int32 = 4242, in other: String? = nil, id: String? = nil,
        using used: String = "/tmp/o",
        files: FileOperations = .live
    ) throws -> PresenceFile {
        let file = PresenceFile(in: other ?? folder.path, id: id ?? PresenceFile.makeID(), files: files)
        let app = RunningApp(
            id: file.id, name: name, process: process, startedAt: 3, overrideFolder: used, flags: [Self.flag])
        try file.write(app.text(flags: app.flags.map { $0.json.text(indented: false) }))
        return file
    }

    private func read() -> RunningApps.Reading { RunningApps(in: [folder.path]).read() }

    @Test func `an app is listed until it ends`() throws {
        #expect(read() == RunningApps.Reading())
        let file = try announce("shop")
        let app = try #require(read().apps.first)
        #expect(app.name == "shop" && app.process == 4242 && app.startedAt == 3 && app.overrideFolder == "/tmp/o")
        #expect(app.flags == [Self.flag])
        let second = try announce("other")
        #expect(read().apps.map(\.name).sorted() == ["other", "shop"])
        second.end()
        file.end()
        let ended = read()
        #expect(ended.apps == [] && ended.warnings == [] && names.count == 2)
        #expect(ended.ended.map(\.name).sorted() == ["other", "shop"] && ended.ended.allSatisfy { $0.seenAt != nil })
        #expect(ended.declared.flags == [Self.flag.withoutUse])
        try file.write("{}")
        #expect(read().apps == [], "an ended file stays ended")
    }

    @Test func `only the newest file of an ended program stays`() throws {
        var last = ""
        for process in 1...5 {
            let file = try announce("shop", process: Int32(process))
            file.end()
            last = "\(file.id).app.json"
            // The clock of the file system is too coarse for files that follow each other.
            let time = Date(timeIntervalSinceNow: Double(process - 60))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: "\(place)/\(last)")
        }
        try announce("other").end()
        #expect(read().ended.map(\.name).sorted() == ["other", "shop"])
        #expect(names.count == 2 && names.contains(last))
        let newest = try announce("shop")
        #expect(read().ended.map(\.name) == ["other"] && names.count == 2, "a running program needs no old file")
        newest.end()
        #expect(read().declared.declarations(of: "theme").map(\.program).sorted() == ["other", "shop"])
    }

    /// As of a release build beside an ended debug build.
    @Test func `a running program without flags leaves the file of an ended one`() throws {
        try announce("shop").end()
        let closed = PresenceFile(in: folder.path)
        let app = RunningApp(
            id: closed.id, name: "shop", process: 1, startedAt: 3, ignoredOverrides: 2, flags: [])
        try closed.write(app.text(flags: []))
        #expect(read().apps.count == 1 && read().declared.contains("theme"))
        closed.end()
        #expect(read().declared.contains("theme") && names.count == 1)
    }

    @Test func `at most fifty ended programs are known`() throws {
        for number in 0..<60 { try announce("program \(number)").end() }
        #expect(read().ended.count == 50 && names.count == 50)
    }

    @Test func `an unchanged file is not read again`() throws {
        let file = try announce("shop")
        try announce("other").end()
        let reads = ChangeCounter()
        var files = FileOperations.live
        files.read = { (descriptor, bytes) throws(SystemError) in
            reads.add()
            return try FileOperations.live.read(descriptor, bytes)
        }
        let apps = RunningApps(in: [folder.path], files: files)
        let first = apps.read()
        let count = reads.count
        #expect(count > 0 && apps.read(after: first) == first && reads.count == count)
        file.end()
        let second = apps.read(after: first)
        #expect(second.apps == [] && second.ended.map(\.name).sorted() == ["other", "shop"] && reads.count == count)
    }

    @Test func `a replaced announcement is read`() throws {
        let file = try announce("shop")
        for number in 0..<50 {
            let app = RunningApp(id: file.id, name: "shop \(number)", process: 1, startedAt: 1, flags: [])
            try file.write(app.text(flags: []))
            #expect(read().apps.map(\.name) == ["shop \(number)"])
        }
        #expect(names.count == 1)
    }

    /// As after `kill -9`: the kernel has released the lock, and the file is still there.
    @Test func `a file without a lock is a leftover even if its process id is used again`() throws {
        let file = try announce("shop", process: getpid())
        let text = try #require(folder.read("running/\(file.id).app.json"))
        for name in ["0123456789abcdef.app.json", ".0123456789abcdef.app.json"] {
            folder.write(text, to: "running/\(name)")
        }
        #expect(read().apps.count == 1)
        #expect(names == ["\(file.id).app.json"])
    }

    /// A file that a program locks is not trusted because of that.
    @Test(
        arguments: [
            ("", "it is not JSON"), ("[1]", "it has no \"format\""), ("{\"format\":2}", "its format 2 is not known"),
            ("{\"format\":1,\"id\":\"x\"}", "it lacks an id"),
            (
                #"{"format":1,"id":"x","name":"x","process":1,"startedAt":-9223372036854775808,"flags":[]}"#,
                "it lacks an id"
            ), ("\u{0}\u{1}", "it is not JSON"),
        ])
    func `malformed announcement is ignored with a warning`(text: String, reason: String) throws {
        let file = PresenceFile(in: folder.path)
        try file.write(text)
        let reading = read()
        #expect(reading.apps.isEmpty && reading.warnings.count == 1 && reading.isIncomplete)
        #expect(reading.warnings.first?.contains(reason) == true, "\(reading.warnings)")
    }

    /// Times are subtracted, which must not overflow.
    @Test func `times that no clock has are left out`() throws {
        let file = PresenceFile(in: folder.path)
        let (least, most) = (Int64.min, Int64.max)
        let client = #"{"name":"a","firstAt":\#(least),"lastAt":\#(least),"flags":[]}"#
        let use = #"{"value":"true","layer":"override","since":1,"readAt":\#(least),"wasRead":true}"#
        let late = #"{"value":"true","layer":"override","since":\#(most),"wasRead":true}"#
        try file.write(
            #"{"format":1,"id":"\#(file.id)","name":"x","process":1,"startedAt":1,"clients":[\#(client)],"flags":["#
                + #"{"key":"a","type":"bool","use":\#(use)},{"key":"b","type":"bool","use":\#(late)}]}"#)
        let app = try #require(read().apps.first)
        #expect(app.flag("a")?.use?.readAt == nil && app.flag("b")?.use == nil && app.clients.isEmpty)
    }

    @Test func `a folder that cannot be read has a warning`() throws {
        folder.write("", to: "running")
        let reading = read()
        #expect(reading.isIncomplete && reading.warnings.first?.contains("cannot be read") == true)
    }

    @Test func `huge and other files are ignored with a warning`() throws {
        let file = try announce("shop")
        #expect(truncate("\(place)/\(file.id).app.json", 1 << 30) == 0)
        #expect(read().warnings.first?.contains("more than") == true)
        folder.write("", to: "running/notes.txt")
        #expect(read().warnings.contains { $0.contains("its name is not that of an announcement") })
        #expect(names.contains("notes.txt"), "other files are not removed")
        file.end()
    }

    @Test func `other kinds of files never block and are ignored with a warning`() throws {
        let file = try announce("shop")
        defer { file.end() }
        #expect(mkfifo("\(place)/1111111111111111.app.json", 0o600) == 0)
        #expect(mkdir("\(place)/2222222222222222.app.json", 0o700) == 0)
        #expect(symlink("/dev/zero", "\(place)/3333333333333333.app.json") == 0)
        #expect(symlink("\(file.id).app.json", "\(place)/4444444444444444.app.json") == 0)
        let reading = read()
        #expect(reading.apps.map(\.name) == ["shop"])
        for reason in ["a named pipe", "a directory", "a symbolic link"] {
            #expect(reading.warnings.contains { $0.contains("it is \(reason)") }, "\(reading.warnings)")
        }
        #expect(reading.warnings.count == 4 && names.count == 5)
    }

    @Test func `a copy of an announcement under another name is ignored`() throws {
        let (file, copy) = (try announce("shop"), PresenceFile(in: folder.path))
        try copy.write(try #require(folder.read("running/\(file.id).app.json")))
        let reading = read()
        #expect(reading.apps.map(\.id) == [file.id])
        #expect(reading.warnings.first?.contains("its name is not that of the process in it") == true)
    }

    /// Whatever the bytes, reading ends, and only the announcement of this process is shown.
    @Test func `damaged bytes are never trusted`() throws {
        let file = try announce("shop")
        let path = "\(place)/\(file.id).app.json"
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SeededGenerator(seed: 22)
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random)) }
            // In place, so that the file keeps its lock.
            try Data(damaged).write(to: URL(fileURLWithPath: path))
            let reading = read()
            #expect(reading.apps.count + reading.warnings.count == 1)
            #expect(reading.apps.allSatisfy { $0.id == file.id })
        }
        try file.write(String(repeating: "[", count: 200_000))
        #expect(read().warnings.first?.contains("it is not JSON") == true)
    }

    /// A later version may add members, and an earlier one has fewer.
    @Test func `unknown and missing members are accepted`() throws {
        let file = PresenceFile(in: folder.path)
        try file.write(
            #"{"format":1,"id":"\#(file.id)","name":"n","process":1,"startedAt":2,"later":{},"flags":[{"key":"k","#
                + #""type":"bool","later":1,"use":{"layer":"remote","since":3,"later":[]}},{"key":"odd","type":"later"}]}"#
        )
        let flag = try #require(read().apps.first?.flags.first)
        #expect(flag.key == "k" && !flag.facts.needsRestart && flag.use?.firstValue == nil)
        #expect(read().apps.first?.flags.count == 1 && read().warnings.isEmpty)
    }

    /// A reader that comes between opening and locking a new file removes it as a leftover.
    @Test(arguments: [true, false])
    func `an announcement is never published without its lock`(readerIsDone: Bool) throws {
        var files = FileOperations.live
        let count = ChangeCounter()
        let readers = Mutex<[Int32]>([])
        files.lock = { [place, folder] descriptor throws(SystemError) in
            count.add()
            for name in folder.names(in: "running") where name.hasPrefix(".") && count.count <= 3 {
                if readerIsDone {
                    unlink("\(place)/\(name)")
                } else {
                    let reader = open("\(place)/\(name)", O_RDONLY)
                    _ = flock(reader, LOCK_SH | LOCK_NB)
                    readers.withLock { $0.append(reader) }
                }
            }
            return try FileOperations.live.lock(descriptor)
        }
        let file = try announce("shop", files: files)
        readers.withLock { $0.forEach { close($0) } }
        #expect(read().apps.map(\.id) == [file.id], "the announcement has its lock")
        #expect(count.count == 4 && names == ["\(file.id).app.json"])
    }

    @Test func `an app in several folders is listed once`() throws {
        let (state, store) = (folder.path + "/state", folder.path + "/store")
        let file = try announce("shop", in: state)
        let copy = try announce("shop", in: store, id: file.id)
        let older = try announce("older", in: store, id: "0000000000000001")
        let reading = RunningApps(in: [state, store]).read()
        #expect(reading.apps.map(\.name) == ["older", "shop"] && reading.warnings == [])
        for file in [file, copy, older] { file.end() }
    }

    @Test func `a folder of overrides is the same through a link`() throws {
        let store = folder.path + "/store"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        let file = try announce("shop", in: store, using: link)
        #expect(RunningApps(in: [store + "/"]).read().apps.map(\.overrideFolder) == [store])
        #expect(RunningApps(in: [link]).read().apps.map(\.overrideFolder) == [link])
        file.end()
        let other = try announce("other", in: store, using: folder.path)
        #expect(RunningApps(in: [store]).read().apps.map(\.overrideFolder) == [folder.path])
        other.end()
    }

    @Test func `a watch reports start change and end`() throws {
        let counter = ChangeCounter()
        let watch = try #require(RunningApps(in: [folder.path]).watch { counter.add() }.first)
        defer { watch.cancel() }
        // A user has 128 inotify instances on Linux. While other programs hold them all, a folder is polled, and the end
        // of an app changes no name in it.
        #expect(Clock.wait { !watch.isPolling })
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
