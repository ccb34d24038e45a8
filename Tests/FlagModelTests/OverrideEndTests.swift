import FlagModel
import Testing

@Suite struct OverrideEndTests {
    /// 2026-11-21T10:00:00Z.
    static let start = FlagTimestamp(seconds: 1_795_255_200)

    /// A reading some seconds after the start by the wall clock, and some milliseconds after the boot.
    private static func clock(_ wall: Int64, _ machine: (String, Int64)? = nil, _ running: Set<String> = [])
        -> ClockReading
    {
        ClockReading(
            now: FlagTimestamp(seconds: start.seconds + wall),
            machine: machine.map { MachineTime(boot: $0, milliseconds: $1) }, running: running)
    }

    private static func moment(_ wall: Int64) -> OverrideEnd { .moment(FlagTimestamp(seconds: start.seconds + wall)) }

    /// An end after an hour, set 5 seconds after boot `a`.
    static let hour = OverrideEnd(after: .seconds(3_600), at: clock(0, ("a", 5_000)))

    /// Ends, clocks, and whether the end has come.
    static let rule: [(OverrideEnd, ClockReading, Bool)] = [
        (moment(10), clock(9), false),
        (moment(10), clock(10), true),
        (moment(10), clock(-90_000), false),
        (moment(10), clock(9, ("a", .max)), false),
        // The time since the boot decides, whatever the wall clock shows.
        (hour, clock(3_600, ("a", 3_604_999)), false),
        (hour, clock(3_599, ("a", 3_605_000)), true),
        (hour, clock(900_000, ("a", 6_000)), false),
        (hour, clock(-900_000, ("a", 3_605_000)), true),
        // After a reboot, and if the system does not tell the time since the boot, the wall clock decides.
        (hour, clock(3_599, ("b", 9_000_000)), false),
        (hour, clock(3_600, ("b", 1)), true),
        (hour, clock(3_599), false),
        (hour, clock(3_600), true),
        (OverrideEnd(after: .seconds(60), at: clock(0)), clock(59, ("a", 1)), false),
        (OverrideEnd(after: .seconds(60), at: clock(0)), clock(60, ("a", 1)), true),
        // All processes must have ended.
        (.restart(of: ["p", "q"]), clock(0, nil, ["p", "q"]), false),
        (.restart(of: ["p", "q"]), clock(0, nil, ["q", "r"]), false),
        (.restart(of: ["p", "q"]), clock(0, nil, ["r"]), true),
        (.restart(of: ["p"]), clock(0), true),
    ]

    @Test(arguments: rule) func `one rule decides whether an override has ended`(
        _ end: OverrideEnd, _ clock: ClockReading, _ hasEnded: Bool
    ) {
        #expect(end.hasEnded(at: clock) == hasEnded)
    }

    /// Clocks, and when an end after an hour comes by them, in seconds after the start.
    @Test(
        arguments: [
            (clock(0, ("a", 5_000)), 3_600),
            // Fractions of a second alone change nothing.
            (clock(1_000, ("a", 1_004_001)), 3_600), (clock(1_000, ("a", 1_005_900)), 3_600),
            (clock(1_300, ("a", 1_005_000)), 3_900), (clock(-90_000, ("a", 1_005_000)), -87_400),
            (clock(1_300, ("a", 1_005_001)), 3_900), (clock(1_300, ("a", 1_004_999)), 3_901),
            // Another boot, or none: nobody knows better.
            (clock(9_000, ("b", 1_005_000)), 3_600), (clock(9_000), 3_600),
        ] as [(ClockReading, Int64)])
    func `the time of an end follows a changed wall clock`(_ clock: ClockReading, _ wall: Int64) {
        let corrected = Self.hour.corrected(at: clock)
        #expect(corrected.time?.seconds == Self.start.seconds + wall)
        #expect(corrected.corrected(at: clock) == corrected)
        #expect(corrected.hasEnded(at: clock) == Self.hour.hasEnded(at: clock))
    }

    @Test func `other ends need no correction`() {
        let clock = Self.clock(1_000, ("a", 5_000))
        for end in [Self.moment(10), .restart(of: ["p"])] { #expect(end.corrected(at: clock) == end) }
    }

    @Test func `a duration of fractions is rounded up`() {
        let end = OverrideEnd(after: .milliseconds(1_500), at: Self.clock(0, ("a", 100)))
        #expect(
            end
                == .duration(
                    until: FlagTimestamp(seconds: Self.start.seconds + 2), MachineTime(boot: "a", milliseconds: 2_100)))
    }

    @Test(arguments: [moment(10), hour, .restart(of: []), .restart(of: ["p", "q"])])
    func `an end is read as it was written`(_ end: OverrideEnd) throws {
        let text = JSONOutput.object(end.membersJSON).text()
        #expect(OverrideEnd(reading: try JSONDocument(parsing: Array(text.utf8)).root) == end)
        #expect(end.membersJSON.map(\.0).allSatisfy(OverrideEnd.memberNames.contains))
    }

    private static func tooFar(_ milliseconds: String) -> String {
        #"{"endsAt": "2026-11-21T10:00:10Z", "endsAfterBoot": {"boot": "a", "milliseconds": \#(milliseconds)}}"#
    }

    /// Entries written by hand, and their ends; a damaged end never becomes an earlier one.
    @Test(
        arguments: [
            ("{}", nil), (#"{"endsAt": "tomorrow"}"#, nil), (#"{"endsAt": 7}"#, nil),
            (#"{"endsAfterBoot": {"boot": "a", "milliseconds": 1}}"#, nil),
            (#"{"endsAt": "2026-11-21T10:00:10Z", "endsAfterBoot": 1}"#, moment(10)),
            (#"{"endsAt": "2026-11-21T12:00:10+02:00", "endsAfterBoot": {"boot": "a"}}"#, moment(10)),
            (tooFar("9223372036854775807"), moment(10)), (tooFar("-9223372036854775808"), moment(10)),
            (#"{"endsWith": ["p", 1], "endsAt": "2026-11-21T10:00:10Z"}"#, .restart(of: ["p"])),
        ] as [(String, OverrideEnd?)])
    func `an end written by hand is read as far as it is valid`(_ entry: String, _ end: OverrideEnd?) throws {
        let read = OverrideEnd(reading: try JSONDocument(parsing: Array(entry.utf8)).root)
        #expect(read == end)
        #expect(read?.corrected(at: Self.clock(0, ("a", 1))) == end)
    }

    @Test func `the nearest end is the next`() {
        let table = OverrideTable(overrides: [
            "a": FlagOverride(value: "1", end: Self.hour), "b": FlagOverride(value: "1", end: Self.moment(10)),
            "c": FlagOverride(value: "1", end: .restart(of: ["p"])), "d": FlagOverride(value: "1"),
        ])
        #expect(table.nextEnd == Self.moment(10).time)
        #expect(OverrideTable(overrides: ["d": FlagOverride(value: "1")]).nextEnd == nil)
    }
}

@Suite struct OverrideLifeTests {
    /// 2026-11-21T16:00:00Z; in the tests, local clocks are an hour ahead.
    static let now = FlagTimestamp(seconds: 1_795_276_800)

    private static func until(_ time: String) -> OverrideLife? { FlagTimestamp(rfc3339: time).map(OverrideLife.until) }

    /// What people type, and what it means.
    @Test(
        arguments: [
            ("2h", .lasting(.seconds(7_200))), ("90m", .lasting(.seconds(5_400))), ("1s", .lasting(.seconds(1))),
            (" 3d ", .lasting(.seconds(259_200))), ("1000000d", .lasting(.seconds(86_400_000_000))),
            ("never", .forever), ("restart", .untilRestart),
            ("18:00", until("2026-11-21T17:00:00Z")),
            // A time of day that has passed is tomorrow's, also if it is now.
            ("17:00", until("2026-11-22T16:00:00Z")), ("16:59", until("2026-11-22T15:59:00Z")),
            ("00:30", until("2026-11-21T23:30:00Z")),
            ("2026-12-01 18:00", until("2026-12-01T17:00:00Z")), ("2026-12-01T18:00", until("2026-12-01T17:00:00Z")),
            ("2026-12-01T18:00:00Z", until("2026-12-01T18:00:00Z")),
            ("2025-12-01 18:00", until("2025-12-01T17:00:00Z")),
            ("", nil), ("2", nil), ("h", nil), ("0h", nil), ("-1h", nil), ("1.5h", nil), ("2w", nil), ("2H", nil),
            ("1000001d", nil), ("99999999999999999999h", nil), ("25:00", nil), ("18:60", nil), ("8:00", nil),
            ("2026-02-30 18:00", nil), ("2026-12-01", nil), ("tomorrow", nil),
        ] as [(String, OverrideLife?)])
    func `a life is typed in a few ways`(_ text: String, _ life: OverrideLife?) {
        #expect(OverrideLife(typed: text, at: Self.now, utcOffset: { _ in 3_600 }) == life)
    }

    /// In the evening of the west, and in the morning of the east, the date differs from that in UTC.
    @Test(arguments: [(-8 * 3_600, "2026-11-21T17:00:00Z", "09:00"), (9 * 3_600, "2026-11-21T23:00:00Z", "08:00")])
    func `a time of day is that of the local clock`(_ offset: Int, _ time: String, _ typed: String) {
        #expect(OverrideLife(typed: typed, at: Self.now, utcOffset: { _ in offset }) == Self.until(time))
    }

    /// Summer time of an hour begins on 2026-11-22 at 02:00, and ends on 2026-11-24 at 03:00.
    @Test(arguments: [
        ("18:00", "2026-11-21T18:00:00Z"), ("2026-11-22 18:00", "2026-11-22T17:00:00Z"),
        ("2026-11-24 18:00", "2026-11-24T18:00:00Z"), ("15:00", "2026-11-22T14:00:00Z"),
    ])
    func `a time is that of the local clock then, also if summer time begins or ends before`(
        _ typed: String, _ time: String
    ) throws {
        let (begin, end) = (
            try #require(FlagTimestamp(rfc3339: "2026-11-22T02:00:00Z")),
            try #require(FlagTimestamp(rfc3339: "2026-11-24T02:00:00Z"))
        )
        let life = OverrideLife(typed: typed, at: Self.now) { begin <= $0 && $0 < end ? 3_600 : 0 }
        #expect(life == Self.until(time))
    }

    @Test(arguments: [("1d", 86_400), ("2h", 7_200), ("26h", 93_600), ("61m", 3_660), ("3601s", 3_601)])
    func `a duration has the largest unit of which it is a whole number`(_ text: String, _ seconds: Int) {
        #expect(OverrideLife.text(of: .seconds(seconds)) == text)
        #expect(OverrideLife(exported: text) == .lasting(.seconds(seconds)))
    }

    /// Ends, and their texts in an export, which have no clock.
    @Test(
        arguments: [
            (.restart(of: ["p"]), "restart"),
            (.moment(FlagTimestamp(seconds: now.seconds + 7_200)), "2h"),
            (
                .duration(until: FlagTimestamp(seconds: now.seconds + 61), MachineTime(boot: "a", milliseconds: 1)),
                "61s"
            ),
            // What ends just now is exported with the shortest life, as a life of nothing could not be read.
            (.moment(FlagTimestamp(seconds: now.seconds - 5)), "1s"),
            (.moment(FlagTimestamp(seconds: now.seconds + 100_000_000_000)), "1000000d"),
        ] as [(OverrideEnd, String)])
    func `an end is exported as a life that can be read`(_ end: OverrideEnd, _ text: String) {
        let life = OverrideLife(until: end, at: Self.now)
        #expect(life.exported == text)
        #expect(OverrideLife(exported: text) == life)
    }

    @Test(arguments: ["", "never", "18:00", "2", "0s", "-5s", "2026-12-01T18:00:00Z"])
    func `other texts in an export are no life`(_ text: String) {
        #expect(OverrideLife(exported: text) == nil)
    }

    @Test func `a life becomes an end when it is saved`() {
        let clock = ClockReading(
            now: Self.now, machine: MachineTime(boot: "a", milliseconds: 1_000), running: ["q", "p"])
        #expect(OverrideLife.forever.end(at: clock) == nil)
        #expect(OverrideLife.untilRestart.end(at: clock) == .restart(of: ["p", "q"]))
        #expect(OverrideLife.until(Self.now).end(at: clock) == .moment(Self.now))
        let end = FlagTimestamp(seconds: Self.now.seconds + 60)
        #expect(
            OverrideLife.lasting(.seconds(60)).end(at: clock)
                == .duration(until: end, MachineTime(boot: "a", milliseconds: 61_000)))
        #expect(OverrideLife.lasting(.seconds(60)).end(at: ClockReading(now: Self.now)) == .moment(end))
    }
}

@Suite struct OverrideEditTests {
    private static let clock = ClockReading(now: OverrideLifeTests.now)

    private func table(after edits: [OverrideEdit]) -> FlagTable<FlagOverride> {
        edits.reduce(into: [:]) { $0.apply($1, at: Self.clock, by: "ana") }
    }

    private func override(_ value: String, note: String? = nil, end: OverrideEnd? = nil) -> FlagOverride {
        FlagOverride(value: value, setAt: OverrideLifeTests.now, setBy: "ana", note: note, end: end)
    }

    @Test func `setting again drops the end and keeps the note`() {
        let first: [OverrideEdit] = [
            .set(key: "a", value: "1"), .note(key: "a", "why"), .end(key: "a", .until(OverrideLifeTests.now)),
        ]
        #expect(table(after: first) == ["a": override("1", note: "why", end: .moment(OverrideLifeTests.now))])
        #expect(table(after: first + [.set(key: "a", value: "1")]) == ["a": override("1", note: "why")])
        #expect(table(after: first + [.note(key: "a", ""), .end(key: "a", .forever)]) == ["a": override("1")])
        #expect(table(after: first + [.replaceAll(["a": "1"])]) == ["a": override("1")])
    }

    @Test func `note and end need an override`() {
        #expect(table(after: [.note(key: "a", "why"), .end(key: "a", .lasting(.seconds(1)))]).isEmpty)
    }

    @Test(
        arguments: [
            ([.note(key: "a", "x")], "note a"), ([.end(key: "a", .forever)], "end a"),
            ([.set(key: "a", value: "1"), .note(key: "a", "x"), .end(key: "a", .untilRestart)], "set a"),
            (
                [.replaceAll(["a": "1"]), .applyScenario(AppliedScenario(name: "checkout", overrides: ["a": "1"]))],
                "scenario checkout"
            ),
        ] as [([OverrideEdit], String)])
    func `edits have a label`(_ edits: [OverrideEdit], _ label: String) {
        #expect(edits.label == label)
    }

    /// Overrides, and how the scenario `checkout` with `a` and `b` is named then.
    @Test(
        arguments: [
            (["a": "1", "b": "2"], "checkout"), (["a": "1"], "checkout +1"), (["a": "9", "c": "3"], "checkout +3"),
            ([:], "checkout +2"),
        ] as [(FlagTable<String>, String)])
    func `deviations from a scenario are counted`(_ values: FlagTable<String>, _ words: String) {
        var table = OverrideTable(overrides: values.mapValues { FlagOverride(value: $0, note: "does not count") })
        #expect(table.scenarioWords == nil && table.deviationCount == 0)
        table.scenario = AppliedScenario(name: "checkout", overrides: ["a": "1", "b": "2"])
        #expect(table.scenarioWords == words)
    }

    @Test func `a scenario is read as it was written`() throws {
        var context = ContextOverride()
        context.apply(.set(name: "country", value: #""FR""#))
        context.apply(.set(name: "os", value: nil))
        context.apply(.decide(condition: "Beta", applies: true))
        let scenario = AppliedScenario(
            name: "ü", overrides: ["é": "1", "e\u{301}": "2"], contexts: ["firebase": context])
        let text = scenario.json.text()
        #expect(AppliedScenario(reading: try JSONDocument(parsing: Array(text.utf8)).root) == scenario)
        #expect(AppliedScenario(reading: try JSONDocument(parsing: Array(#"{"overrides": {}}"#.utf8)).root) == nil)
    }
}
