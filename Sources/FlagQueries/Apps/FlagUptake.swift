public import FlagModel

/// Whether a running app uses the current override of a flag, and if not, why.
public enum FlagUptake: Sendable, Hashable {
    /// The code has read the value, at this time in milliseconds since 1970 UTC.
    case taken(at: Int64)
    /// The app has the value, but its code has not read the flag since.
    case notRead(everRead: Bool)
    /// The app has not noticed the change yet.
    case notNoticed
    /// The app uses an older remote value, because fetched values become active only at its next start.
    case activatesAtLaunch(value: String)
    /// The app reads the flag only at its start, and has read another value.
    case needsRestart
    /// The build does not use any overrides.
    case ignoresOverrides
    /// The app uses the overrides in another folder.
    case otherFolder(String)
    /// The value is not valid for the app; the reason is a sentence.
    case rejected(reason: String)
    /// A value for this run of the app wins.
    case overruled(value: String?, layer: FlagLayer)

    /// Whether the app uses the override.
    public var isTaken: Bool { if case .taken = self { true } else { false } }

    /// What an app does about a flag, to follow its name: `has not read it yet`.
    public var summary: String {
        switch self {
        case .taken: "took it"
        case .notRead(everRead: false): "has not read it yet"
        case .notRead(everRead: true): "has not read it since; if it reads it only at start, restart it"
        case .notNoticed: "has not noticed the change; it may be stopped or busy"
        case .activatesAtLaunch(let value):
            "uses \(EffectiveChange.shown(value)) (\(FlagLayer.remote.word)): restart to apply the newer value"
        case .needsRestart: "read it once at start: restart to apply"
        case .ignoresOverrides: "ignores overrides: this build does not use any"
        case .otherFolder(let folder): "uses the overrides in \(folder)"
        case .rejected(let reason): "rejected it: \(reason)"
        case .overruled(let value, let layer): "uses \(EffectiveChange.shown(value)) (\(layer.word)), which wins"
        }
    }
}

extension RunningApp {
    /// The name with the process id, as people see both in lists of processes.
    public var shownName: String { "\(name) (\(process))" }

    /// That the app cannot read its value of a flag, with its reason, as a sentence.
    public func rejectionSentence(_ key: String, _ use: FlagUse) -> String {
        "\(shownName) cannot read \(key): \((use.rejection ?? "The value is not valid").asSentence)"
    }

    /// Whether the app uses the current override of a flag, or that there is none.
    ///
    /// - Parameters:
    ///   - override: the override; `nil` if there is none.
    ///   - key: the flag's key.
    ///   - folder: the folder of the overrides.
    ///   - revision: the revision of the overrides; `nil` if an older one is good enough.
    ///   - needsRestart: whether a catalog says that the flag is read only at the start of the app. The code of the app
    ///     may say so, too.
    /// - Returns: `nil` if the app does not declare the flag, or if its build does not use overrides and there is none.
    public func uptake(
        of override: FlagOverride?, for key: String, in folder: String, revision: Int? = nil, needsRestart: Bool
    ) -> FlagUptake? {
        // A build without overrides does not need to notice that there is none.
        if ignoredOverrides != nil { return override == nil ? nil : .ignoresOverrides }
        guard let flag = flag(key), let use = flag.use else { return nil }
        if let overrideFolder, overrideFolder != folder { return .otherFolder(overrideFolder) }
        // The value may be the same as before a change that the app has not noticed.
        if let revision, isLate(for: revision, in: folder) { return .notNoticed }
        // The reason may be about the value before, or about that of another layer.
        if let override, use.layer > .override, use.rejectedValue == override.value, let reason = use.rejection {
            return .rejected(reason: reason)
        }
        let isCurrent = override.map { use.layer == .override && use.value == $0.value } ?? (use.layer != .override)
        guard isCurrent else {
            return use.layer < .override ? .overruled(value: use.value, layer: use.layer) : .notNoticed
        }
        // A later read, such as that of a list of settings, does not apply a value that is used since the start.
        if use.wasRead, needsRestart || flag.facts.needsRestart {
            return use.firstValue == use.value ? .taken(at: use.readAt ?? use.since) : .needsRestart
        }
        return use.readAt.map { .taken(at: $0) } ?? .notRead(everRead: use.wasRead)
    }

    /// Whether the app follows the overrides in a folder, and has not noticed a revision of them yet.
    public func isLate(for revision: Int, in folder: String) -> Bool {
        ignoredOverrides == nil && overrideFolder ?? folder == folder && self.revision.map { $0 < revision } ?? false
    }
}
