/// How long an override is to stay. The store turns it into an ``OverrideEnd`` when it saves the override.
public enum OverrideLife: Sendable, Hashable {
    /// Until somebody resets the override.
    case forever
    /// For a duration.
    case lasting(Duration)
    /// Until a time of the wall clock.
    case until(FlagTimestamp)
    /// Until the processes of the app that run now have ended.
    case untilRestart
    /// Until the end that the override already has in the store, if it has one.
    case kept

    /// The end of an override that is set now; `nil` if it does not end by itself.
    public func end(at clock: ClockReading) -> OverrideEnd? {
        switch self {
        case .forever, .kept: nil
        case .lasting(let duration): OverrideEnd(after: duration, at: clock)
        case .until(let time): .moment(time)
        case .untilRestart: .restart(of: clock.running.sorted())
        }
    }
}

// The text of a life, as typed, and in exports and scenarios.
extension OverrideLife {
    private static let units: KeyValuePairs<Character, Int> = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
    /// The longest duration: a million days, in seconds. Its end still has a year of four digits.
    private static let limit = 1_000_000 * 86_400

    /// The duration of a text: a whole number and a unit, s, m, h or d; `nil` for other texts.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        guard let factor = units.first(where: { $0.key == text.last })?.value, let count = Int(text.dropLast()),
            1...limit / factor ~= count
        else { return nil }
        return .seconds(count * factor)
    }

    /// Reads what a person types: `2h`, `18:00`, `2026-12-01 18:00`, `restart` or `never`; `nil` for other texts. A time
    /// of day that has passed is tomorrow's; a time with a date may be in the past.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - utcOffset: the seconds by which the local clock is ahead of UTC at a time.
    package init?(typed text: String, at now: FlagTimestamp, utcOffset: (FlagTimestamp) -> Int) {
        let text = text.trimmed
        let time = Self.time(text, at: now, utcOffset: utcOffset).map(Self.until)
        guard let life = Self(withoutTime: text) ?? time else { return nil }
        self = life
    }

    /// Reads a duration, `restart` or `never`; `nil` for other texts, such as times of the wall clock.
    package init?(withoutTime text: String) {
        guard let life = text == "never" ? .forever : Self(exported: text) else { return nil }
        self = life
    }

    /// The time that a person types; see ``init(typed:at:utcOffset:)``.
    package static func time(
        _ text: String, at now: FlagTimestamp, utcOffset: (FlagTimestamp) -> Int
    ) -> FlagTimestamp? {
        if let time = FlagTimestamp(rfc3339: text) { return time }
        let offset = Int64(utcOffset(now))
        let local = FlagTimestamp(seconds: now.seconds + offset)
        let hasDate = text.contains("-")
        let dated = hasDate ? text : "\(local.date) \(text)"
        guard let typed = FlagTimestamp(rfc3339: "\(dated):00Z") else { return nil }
        func time(after seconds: Int64) -> FlagTimestamp {
            // Summer time may begin or end until then.
            let then = utcOffset(FlagTimestamp(seconds: typed.seconds + seconds - offset))
            return FlagTimestamp(seconds: typed.seconds + seconds - Int64(then))
        }
        let today = time(after: 0)
        return today > now || hasDate ? today : time(after: 86_400)
    }

    /// What is left of an override until its end.
    ///
    /// - Parameter now: the current time. A life that ends now is a second, as one of nothing could not be read again.
    package init(until end: OverrideEnd, at now: FlagTimestamp) {
        let seconds = end.time.map { min(max(1, $0.seconds - now.seconds), Int64(Self.limit)) }
        self = seconds.map { .lasting(.seconds($0)) } ?? .untilRestart
    }

    /// The text of a duration, with the largest unit of which it is a whole number.
    package static func text(of duration: Duration) -> String {
        let seconds = Int(duration.secondsRoundedUp)
        let unit = units.first { seconds.isMultiple(of: $0.value) } ?? (key: "s", value: 1)
        return "\(seconds / unit.value)\(unit.key)"
    }

    /// The text in an export: a duration such as `2h`, or `restart`; `nil` for a life without one.
    package var exported: String? {
        switch self {
        case .lasting(let duration): Self.text(of: duration)
        case .untilRestart: "restart"
        case .forever, .until, .kept: nil
        }
    }

    /// Reads the text in an export; `nil` for other texts.
    package init?(exported text: String) {
        let lasting = Self.duration(text).map(Self.lasting)
        guard let life = text == "restart" ? .untilRestart : lasting else { return nil }
        self = life
    }
}
