import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// Random actions of two processes on a file with overrides that end, against a list of changes in memory.
@Suite(.slow, .mayBlock, .timeLimit(.minutes(5))) struct EndingWalkTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `in a random walk, nothing is lost, and undo and redo find what was there`(_ seed: UInt64) throws {
        var walk = EndingWalk(seed: seed)
        for step in 0..<1_000 {
            let what = try walk.step()
            let seen = walk.folder.store(clock: walk.clock).read()
            #expect(seen.condition == .sound || seen.condition == .missing)
            try #require(seen.table.overrides == walk.visible, "seed \(seed), step \(step): \(what)")
        }
        let records = try walk.folder.store().history()
        #expect(records.contains { $0.isEnd } && records.contains { $0.undoes != nil && $0.redoes == nil })
        #expect(walk.lostCount > 5 && walk.madeCount > 5, "some writers were killed before their change was made")
    }
}

private struct EndingWalk {
    typealias Change = (key: String, before: FlagOverride?, after: FlagOverride?)

    /// What the file has, also what has ended, and the changes to undo and to redo.
    private struct Model {
        var entries: [String: FlagOverride] = [:]
        var undoable: [[Change]] = []
        var redoable: [[Change]] = []
    }

    let folder = StoreFolder()
    let clock = StoreClock()
    /// How many changes of killed writers were lost as a whole, and how many were made as a whole.
    private(set) var (lostCount, madeCount) = (0, 0)
    private var model = Model()
    private var random: SeededGenerator
    private var apps: [(id: String, lock: ProcessLock)] = []
    private var appCount = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private var reading: ClockReading {
        var reading = clock.reading
        reading.running = Set(apps.map(\.id))
        return reading
    }

    /// What readers must see.
    var visible: FlagTable<FlagOverride> {
        let (entries, _) = split(model)
        return FlagTable(entries)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

    /// Makes a random step, and returns what it was.
    mutating func step() throws -> String {
        let kind = number(0...99)
        switch kind {
        case ..<20: clock.pass(number(0...10))
        case ..<24: clock.pass(number(10...5_000))
        case ..<29: clock.setWall(by: number(-5_000...5_000))
        case ..<30:
            apps = []
            try awaitEnds()
            clock.reboot()
        case ..<34: try start()
        case ..<38:
            guard !apps.isEmpty else { break }
            apps.removeFirst()
            try awaitEnds()
        case ..<80: try write(edits)
        case ..<91: try reverse(isUndo: true)
        default: try reverse(isUndo: false)
        }
        return "\(kind)"
    }

    private var edits: [OverrideEdit] {
        mutating get {
            let key = "k\(number(0...3))"
            let life: OverrideLife =
                switch number(0...4) {
                case 0: .forever
                case 1, 2: .lasting(.seconds(number(1...60)))
                case 3: .until(FlagTimestamp(seconds: clock.now().seconds + number(1...60)))
                default: .untilRestart
                }
            return switch number(0...9) {
            case 0: [.clear(key: key)]
            case 1: [.note(key: key, "note \(number(0...1))")]
            case 2: [.end(key: key, life)]
            case 3, 4: [.set(key: key, value: "\(number(0...9))")]
            default: [.set(key: key, value: "\(number(0...9))"), .end(key: key, life)]
            }
        }
    }

    // Apps.

    private func announcement(_ id: String) -> String {
        FilePath.join(AppFolders.running(in: folder.path), id + AppFolders.announcementSuffix)
    }

    private mutating func start() throws {
        appCount += 1
        let id = "app\(appCount)"
        apps.append((id, try #require(try ProcessLock(announcement(id)))))
    }

    /// A process that another test starts has the locks, too, until it calls exec.
    private func awaitEnds() throws {
        let running = Set(apps.map(\.id))
        for number in 1...max(1, appCount) where !running.contains("app\(number)") {
            try #require(Clock.wait { !ProcessLock.isLocked(announcement("app\(number)")) })
        }
    }

    // Changes.

    /// The overrides that have not ended, and the removals of the others.
    private func split(_ model: Model) -> (entries: [String: FlagOverride], ended: [Change]) {
        let now = reading
        var (entries, ended): ([String: FlagOverride], [Change]) = ([:], [])
        for (key, override) in model.entries {
            if override.end?.hasEnded(at: now) == true {
                ended.append((key, override, nil))
            } else {
                entries[key] = override
                entries[key]?.end = override.end?.corrected(at: now)
            }
        }
        return (entries, ended)
    }

    private mutating func store(_ files: FileOperations = .live) -> OverrideStore {
        folder.store(author: number(0...1) == 0 ? "ana" : "bob", files: files, clock: clock)
    }

    private mutating func write(_ edits: [OverrideEdit]) throws {
        var new = model
        let ended: [Change]
        (new.entries, ended) = split(model)
        var table = FlagTable(new.entries)
        let author = number(0...1) == 0 ? "ana" : "bob"
        for edit in edits {
            if case .end(let key, .untilRestart) = edit, apps.isEmpty {
                table.apply(.end(key: key, .forever), at: reading, by: author)
            } else {
                table.apply(edit, at: reading, by: author)
            }
        }
        let changes = table.changedKeys(from: FlagTable(new.entries)).map(\.string).filter { key in
            let (before, after) = (new.entries[key], table[key])
            return before?.value != after?.value || before?.note != after?.note || before?.end != after?.end
        }.map { (key: $0, before: new.entries[$0], after: table[$0]) }
        for change in changes { new.entries[change.key] = change.after }
        if !ended.isEmpty { new.undoable.append(ended) }
        new.undoable.append(changes)
        new.redoable = []
        // One writer in five is killed.
        let isKilled = number(0...4) == 0
        let plan = FaultPlan(step: isKilled ? Int(number(0...120)) : -1, isKilled ? .death : .error(EIO))
        let store = folder.store(author: author, files: .live(failing: plan), clock: clock)
        let before = folder.store(clock: clock).read().table.revision
        let result = Result { () throws(StorageError) in try store.apply(edits) }
        if !isKilled { _ = try result.get() }
        let isDone = folder.store(clock: clock).read().table.revision > before
        #expect(isDone == !changes.isEmpty || isKilled)
        if isKilled, !changes.isEmpty { if isDone { madeCount += 1 } else { lostCount += 1 } }
        if isDone { model = new }
    }

    private mutating func reverse(isUndo: Bool) throws {
        var (entries, ended) = split(model)
        if isUndo, !ended.isEmpty {
            let back = ended.map { end -> Change in
                var override = end.before
                override?.end = nil
                return (end.key, nil, override)
            }
            for change in back { entries[change.key] = change.after }
            model.entries = entries
            model.redoable.append(back)
            _ = try store().undo()
            return
        }
        guard let step = (isUndo ? model.undoable : model.redoable).last else {
            let store = store()
            #expect(throws: StorageError.self) { try isUndo ? store.undo() : store.redo() }
            return
        }
        let now = reading
        let applied = step.filter { model.entries[$0.key]?.value == $0.after?.value }.map { change -> Change in
            var former = change.before
            if former?.end?.hasEnded(at: now) == true { former?.end = nil }
            return (change.key, change.after, former)
        }
        for change in applied { entries[change.key] = change.after }
        ended.removeAll { end in applied.contains { $0.key == end.key } }
        model.entries = entries
        if isUndo { model.undoable.removeLast() } else { model.redoable.removeLast() }
        if !ended.isEmpty { model.undoable.append(ended) }
        if isUndo { model.redoable.append(applied) } else { model.undoable.append(applied) }
        let store = store()
        _ = try isUndo ? store.undo() : store.redo()
    }
}
