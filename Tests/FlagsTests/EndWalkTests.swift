import FlagModel
import TestSupport
import Testing

@testable import Flags

/// The rule of ends, and how long an open store waits for them, against the true time, which only the model knows.
// One after another: on two cores, the tests that run beside it measure real time.
@Suite(.slow, .serialized, .timeLimit(.minutes(10))) struct EndWalkTests {
    /// A million steps in all.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `in a random walk, no override ends early, none is used late, and none is lost`(_ seed: UInt64) {
        var machine = SimulatedMachine(seed: seed)
        for _ in 0..<250_000 where machine.failure == nil { machine.step() }
        #expect(machine.failure == nil, "seed \(seed), step \(machine.stepCount)")
        #expect(machine.endCounts.allSatisfy { $0 > 100 }, "durations, moments and restarts: \(machine.endCounts)")
        #expect(machine.latest > 0 && machine.latest <= 1_000, "milliseconds")
    }
}

/// A machine with a file of overrides and two processes that have it open. Times are in milliseconds.
private struct SimulatedMachine {
    /// An override in the file.
    struct Held {
        let life: OverrideLife
        var end: OverrideEnd?
        let setAt: Int64
        let boot: Int
        let processes: Set<String>
        /// When a duration ends by the wall clock, as far as the last writer could know.
        var wallEnd: Int64 = 0
    }

    /// An open store: what its readers see, and its timer.
    struct Reader {
        var isSeen = [Bool](repeating: false, count: 3)
        /// How long each override was seen after its end, while the machine was awake.
        var overdue = [Int64](repeating: 0, count: 3)
        var timer: FlagTimestamp?
        var (awakeEnd, wallEnd): (Int64, Int64) = (.max, .max)
        /// Neither timer of a process measures the time of a sleep if the wall clock is set back, too.
        var (hasSlept, isSetBack) = (false, false)
    }

    private(set) var failure: String?
    private(set) var stepCount = 0
    /// How many durations, moments and restarts have ended.
    private(set) var endCounts = [0, 0, 0]
    /// The longest time for which an override was seen after its end.
    private(set) var latest: Int64 = 0

    private var random: SeededGenerator
    private var time: Int64 = 0
    private var wallOffset: Int64 = 1_795_255_200_123
    private var awake: Int64 = 0
    private var (boot, bootName, bootedAt): (Int, String, Int64) = (0, "boot 0", -5_000)
    private var (running, processCount): (Set<String>, Int) = ([], 0)
    private var file = [Held?](repeating: nil, count: 3)
    private var readers = [Reader(), Reader()]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private var wall: Int64 { time + wallOffset }
    private var clock: ClockReading {
        ClockReading(
            now: FlagTimestamp(milliseconds: wall), machine: MachineTime(boot: bootName, milliseconds: time - bootedAt),
            running: running)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

    mutating func step() {
        stepCount += 1
        let index = Int(number(0...2))
        switch number(0...99) {
        case ..<45: pass(number(0...3_000))
        case ..<53: pass(number(0...10_000_000))
        case ..<58: sleep(number(0...40_000_000))
        case ..<63: setClock(by: number(-3_000...3_000))
        case ..<66: setClock(by: number(-90_000_000...90_000_000))
        case ..<67: reboot(after: number(10_000...3_600_000))
        case ..<71:
            processCount += 1
            running.insert("process \(processCount)")
        case ..<75: if let process = running.min() { running.remove(process) }
        case ..<76: open(Int(number(0...1)))
        case ..<90:
            let life = life
            write { $0.set(index, for: life) }
        case ..<94:
            let life = life
            write { if $0.file[index] != nil { $0.set(index, for: life) } }
        // A note, which changes no end.
        case ..<97: write { _ in }
        case ..<98: write { $0.file[index] = nil }
        // A writer that is killed before it replaces the file.
        default: write(isKilled: true) { $0.file[index] = nil }
        }
    }

    private var life: OverrideLife {
        mutating get {
            switch number(0...9) {
            case 0: .forever
            case 1...3: .lasting(.seconds(number(1...20)))
            case 4: .lasting(.seconds(number(60...20_000)))
            case 5, 6: .until(FlagTimestamp(milliseconds: wall + number(1_000...20_000)))
            case 7: .until(FlagTimestamp(milliseconds: wall + number(60_000...90_000_000)))
            default: .untilRestart
            }
        }
    }

    private mutating func set(_ index: Int, for life: OverrideLife) {
        // As the store does it.
        let life = life == .untilRestart && running.isEmpty ? .forever : life
        var held = Held(life: life, end: life.end(at: clock), setAt: time, boot: boot, processes: running)
        if case .lasting(let duration) = life { held.wallEnd = wall + duration.components.seconds * 1_000 }
        file[index] = held
    }

    // The model.

    /// Whether an override must have ended, and whether it may have: after a reboot, the wall clock decides, which is
    /// stored and read in whole seconds.
    private func isDue(_ held: Held) -> (surely: Bool, possibly: Bool) {
        guard case .untilRestart = held.life else {
            guard let end = endTime(of: held) else { return (false, false) }
            let isInexact = hasRebooted(held)
            return (time >= end + (isInexact ? 1_000 : 0), time >= end - (isInexact ? 2_000 : 0))
        }
        let isDue = !held.processes.isEmpty && held.processes.isDisjoint(with: running)
        return (isDue, isDue)
    }

    /// When an override ends, if nobody sets the wall clock until then.
    private func endTime(of held: Held) -> Int64? {
        switch held.life {
        case .until(let time): time.milliseconds - wallOffset
        case .lasting(let duration):
            hasRebooted(held) ? held.wallEnd - wallOffset : held.setAt + duration.components.seconds * 1_000
        default: nil
        }
    }

    private func hasRebooted(_ held: Held) -> Bool {
        if case .lasting = held.life { held.boot != boot } else { false }
    }

    // Processes.

    private mutating func write(isKilled: Bool = false, _ change: (inout SimulatedMachine) -> Void) {
        let (old, clock) = (file, clock)
        for index in file.indices {
            guard var held = file[index], let end = held.end else { continue }
            if end.hasEnded(at: clock) {
                check(isDue(held).possibly, "a writer removed an override before its end", held)
                if !isKilled { count(held) }
                file[index] = nil
            } else {
                check(!isDue(held).surely, "a writer kept an override after its end", held)
                held.end = end.corrected(at: clock)
                if case .lasting(let duration) = held.life, held.boot == boot {
                    held.wallEnd = wall + held.setAt + duration.components.seconds * 1_000 - time
                }
                file[index] = held
            }
        }
        change(&self)
        if isKilled { file = old } else { for reader in readers.indices { read(reader) } }
    }

    private mutating func count(_ held: Held) {
        switch held.life {
        case .lasting: endCounts[0] += 1
        case .until: endCounts[1] += 1
        case .untilRestart: endCounts[2] += 1
        default: break
        }
    }

    private mutating func open(_ number: Int) {
        readers[number] = Reader()
        read(number)
    }

    private mutating func read(_ number: Int) {
        let clock = clock
        var reader = readers[number]
        var next: FlagTimestamp?
        for index in file.indices {
            reader.overdue[index] = 0
            guard let held = file[index] else {
                reader.isSeen[index] = false
                continue
            }
            reader.isSeen[index] = held.end?.hasEnded(at: clock) != true
            let due = isDue(held)
            check(reader.isSeen[index] ? !due.surely : due.possibly, "a reader is wrong", held)
            if reader.isSeen[index], let time = held.end?.corrected(at: clock).time { next = min(time, next ?? time) }
        }
        if next != reader.timer {
            reader.timer = next
            let wait = next.map { Int64(EndTimer.wait(until: $0, now: clock.now)) }
            (reader.awakeEnd, reader.wallEnd) = (wait.map { awake + $0 } ?? .max, wait.map { wall + $0 } ?? .max)
            (reader.hasSlept, reader.isSetBack) = (false, false)
        }
        readers[number] = reader
    }

    // Time.

    private func left(_ reader: Reader) -> Int64 {
        reader.timer == nil ? .max : min(reader.awakeEnd - awake, reader.wallEnd - wall)
    }

    private mutating func fire() {
        for number in readers.indices where left(readers[number]) <= 0 {
            readers[number].timer = nil
            read(number)
        }
    }

    /// Lets time pass while the machine is awake.
    private mutating func pass(_ duration: Int64) {
        let end = time + duration
        while true {
            fire()
            guard time < end else { return }
            let pause = min(end - time, left(readers[0]), left(readers[1]))
            for number in readers.indices { observe(number, for: pause) }
            time += pause
            awake += pause
        }
    }

    private mutating func observe(_ number: Int, for duration: Int64) {
        for index in file.indices where readers[number].isSeen[index] {
            guard let held = file[index], let end = endTime(of: held) else { continue }
            let late = time + duration - max(time, end + (hasRebooted(held) ? 1_000 : 0))
            guard late > 0, !(readers[number].hasSlept && readers[number].isSetBack) else { continue }
            readers[number].overdue[index] += late
            latest = max(latest, readers[number].overdue[index])
            check(readers[number].overdue[index] <= 1_000, "a reader used an override after its end", held)
        }
    }

    private mutating func sleep(_ duration: Int64) {
        time += duration
        for number in readers.indices { readers[number].hasSlept = true }
        fire()
    }

    private mutating func setClock(by change: Int64) {
        wallOffset += change
        if change < 0 { for number in readers.indices { readers[number].isSetBack = true } }
        fire()
    }

    private mutating func reboot(after duration: Int64) {
        time += duration
        (boot, bootedAt) = (boot + 1, time)
        bootName = "boot \(boot)"
        running = []
        for number in readers.indices { open(number) }
    }

    private mutating func check(_ isRight: Bool, _ what: String, _ held: Held) {
        if !isRight, failure == nil { failure = "\(what): \(held), at \(clock), true time \(time)" }
    }
}
