public import FlagModel

/// What a running app has done: started, ended, or begun to use another value.
public struct AppChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// The process has opened its flags.
        case started
        /// The process has ended.
        case ended
        /// The code has read a value that is new since the start of the app.
        case took(key: String, FlagUse)
        /// The app cannot read a value.
        case rejected(key: String, FlagUse)
    }

    /// The process.
    public let app: RunningApp
    /// What it has done.
    public let kind: Kind

    /// The changes between two readings of the running apps: those that ended, those that started, and new values.
    public static func between(_ old: [RunningApp], _ new: [RunningApp]) -> [AppChange] {
        let oldApps = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        let newIDs = Set(new.map(\.id))
        let ended = old.filter { !newIDs.contains($0.id) }.map { AppChange(app: $0, kind: .ended) }
        return ended
            + new.flatMap { app in
                let oldApp = oldApps[app.id]
                return (oldApp == nil ? [AppChange(app: app, kind: .started)] : []) + values(of: app, since: oldApp)
            }
    }

    private static func values(of app: RunningApp, since old: RunningApp?) -> [AppChange] {
        let oldUses = FlagTable(
            (old?.flags ?? []).compactMap { flag in flag.use.map { (flag.key, $0) } }
        ) { first, _ in first }
        return app.flags.compactMap { flag in
            guard let use = flag.use, oldUses[flag.key] != use else { return nil }
            let oldUse = oldUses[flag.key]
            if use.rejectedValue != nil, use.rejectedValue != oldUse?.rejectedValue {
                return AppChange(app: app, kind: .rejected(key: flag.key, use))
            }
            guard use.readAt != nil, oldUse?.readAt == nil || oldUse?.since != use.since else { return nil }
            // The values at the start of an app are no changes.
            guard use.since > app.startedAt else { return nil }
            return AppChange(app: app, kind: .took(key: flag.key, use))
        }
    }

    /// The flag of the change; `nil` if it is about the whole app.
    public var key: String? { parts.key }

    private var parts: (event: String, key: String?, use: FlagUse?) {
        switch kind {
        case .started: ("started", nil, nil)
        case .ended: ("ended", nil, nil)
        case .took(let key, let use): ("took", key, use)
        case .rejected(let key, let use): ("rejected", key, use)
        }
    }

    /// The change in words: `shop (4242) took express true (override) after 3 ms`.
    public var sentence: String {
        switch kind {
        case .started:
            "\(app.shownName) started, "
                + (app.ignoredOverrides.map { _ in FlagUptake.ignoresOverrides.summary }
                    ?? app.flags.count.counted("declared flag"))
        case .ended: "\(app.shownName) ended"
        case .took(let key, let use):
            "\(app.shownName) took \(key) \(EffectiveChange.shown(use.value)) (\(use.layer.word))"
                + (delay.map { " after \($0) ms" } ?? "")
        case .rejected(let key, let use):
            "\(app.shownName) rejected \(key): \(use.rejection ?? "the value is not valid")"
        }
    }

    /// How long the app had the value before its code read it, in milliseconds; `nil` if that is not known.
    private var delay: Int64? {
        guard case .took(_, let use) = kind else { return nil }
        return use.readAt.map { $0 - use.since }
    }

    /// The change as JSON. Every change has the same members; those without a value are null.
    ///
    /// - Parameter time: when the change was noticed.
    public func json(at time: FlagTimestamp) -> JSONOutput {
        let (event, key, use) = parts
        return .object([
            ("at", .string(time.rfc3339)), ("event", .string(event)), ("app", .string(app.name)),
            ("process", .integer(Int(app.process))), ("key", FlagJSON.text(key)), ("value", FlagJSON.text(use?.value)),
            ("layer", FlagJSON.text(use?.layer.word)),
            ("milliseconds", delay.map { .integer(Int($0)) } ?? .null),
            ("reason", FlagJSON.text(event == "rejected" ? use?.rejection : nil)),
        ])
    }
}
