/// When an override ends by itself.
///
/// An override never ends early by its own rule: if the machine cannot know, as after a reboot with a changed wall clock,
/// it may end late.
public enum OverrideEnd: Sendable, Hashable {
    /// At a time of the wall clock, whatever the clock is set to.
    case moment(FlagTimestamp)
    /// After a duration, which counts also while the machine sleeps. Until a reboot, only the time since the boot
    /// decides, so that a changed wall clock does not matter; after a reboot, the wall clock decides.
    case duration(until: FlagTimestamp, MachineTime)
    /// When all of these processes of the app have ended, by the ids of their announcements.
    case restart(of: [String])

    /// The end of an override that is set now for a duration.
    package init(after duration: Duration, at clock: ClockReading) {
        let time = FlagTimestamp(seconds: clock.now.seconds + duration.secondsRoundedUp)
        guard let machine = clock.machine else {
            self = .moment(time)
            return
        }
        let end = machine.milliseconds + duration.secondsRoundedUp * 1_000
        self = .duration(until: time, MachineTime(boot: machine.boot, milliseconds: end))
    }

    /// The time of the wall clock at which the override ends, as far as is known; `nil` if it ends with processes.
    public var time: FlagTimestamp? {
        switch self {
        case .moment(let time), .duration(let time, _): time
        case .restart: nil
        }
    }

    /// The processes with which the override ends; `nil` if it ends at a time.
    package var processes: [String]? { if case .restart(let processes) = self { processes } else { nil } }

    /// Whether the override has ended.
    package func hasEnded(at clock: ClockReading) -> Bool {
        switch self {
        case .moment(let time): time <= clock.now
        case .duration(let time, let end): end.left(at: clock).map { $0 <= 0 } ?? (time <= clock.now)
        case .restart(let processes): !processes.contains(where: clock.running.contains)
        }
    }

    /// The same end, with the ``time`` that a wall clock which was changed since will show then.
    package func corrected(at clock: ClockReading) -> OverrideEnd {
        guard case .duration(let time, let end) = self, let left = end.left(at: clock) else { return self }
        let seconds = left > 0 ? (left + 999) / 1_000 : left / 1_000
        let shown = FlagTimestamp(seconds: clock.now.seconds + seconds)
        // The fractions of the clocks differ, so the time may be a second later although nobody changed a clock.
        return 0...1 ~= shown.seconds - time.seconds ? self : .duration(until: shown, end)
    }
}

/// The time since a machine started, so that an override ends on time even if the clock is changed.
public struct MachineTime: Sendable, Hashable {
    /// Identifies the boot.
    public let boot: String
    /// The milliseconds since the boot.
    public let milliseconds: Int64

    /// The latest time in a file: 2^53 milliseconds. Sums and differences of such times do not overflow.
    fileprivate static let limit = 1 << 53

    /// A time since a boot.
    public init(boot: String, milliseconds: Int64) { (self.boot, self.milliseconds) = (boot, milliseconds) }

    /// The milliseconds until this time; `nil` if the machine was started again since, or if that is not known.
    fileprivate func left(at clock: ClockReading) -> Int64? {
        guard let machine = clock.machine, machine.boot == boot else { return nil }
        return milliseconds - machine.milliseconds
    }

    fileprivate var json: JSONOutput {
        .object([("boot", .string(boot)), ("milliseconds", .integer(Int(milliseconds)))])
    }
}

/// Everything that decides whether an override has ended, at one moment.
public struct ClockReading: Sendable, Hashable {
    /// The wall clock.
    public var now: FlagTimestamp
    /// The time since the boot; `nil` if the system does not tell it.
    public var machine: MachineTime?
    /// The ids of the running processes of the app, at least of those that overrides depend on.
    public var running: Set<String>

    /// A reading of the clocks.
    public init(now: FlagTimestamp, machine: MachineTime? = nil, running: Set<String> = []) {
        (self.now, self.machine, self.running) = (now, machine, running)
    }
}

extension OverrideEnd {
    /// The members of an override's entry in a file.
    package var membersJSON: [(String, JSONOutput)] {
        switch self {
        case .moment(let time): [("endsAt", .string(time.rfc3339))]
        case .duration(let time, let end):
            [("endsAt", .string(time.rfc3339)), ("endsAfterBoot", end.json)]
        case .restart(let processes): [("endsWith", .array(processes.map(JSONOutput.string)))]
        }
    }

    /// The names of ``membersJSON``.
    package static let memberNames = ["endsAt", "endsAfterBoot", "endsWith"]

    /// Reads the end from an override's entry; `nil` if it has none.
    package init?(reading entry: JSONValue) {
        if let processes = entry["endsWith"], processes.kind == .array {
            self = .restart(of: processes.elements.compactMap { $0.text?.string })
            return
        }
        guard let time = entry["endsAt"]?.text.flatMap({ FlagTimestamp(rfc3339: $0) }) else { return nil }
        guard let end = entry["endsAfterBoot"], let boot = end["boot"]?.text,
            let milliseconds = end["milliseconds"]?.wholeNumber, 0...MachineTime.limit ~= milliseconds
        else {
            self = .moment(time)
            return
        }
        self = .duration(until: time, MachineTime(boot: boot.string, milliseconds: Int64(milliseconds)))
    }
}
