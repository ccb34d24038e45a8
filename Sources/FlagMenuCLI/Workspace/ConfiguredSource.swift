import FlagModel
import FlagRemote
import FlagSourceFile

/// A source as settings name it, with a name that no other source of the run has, whose context a tester can override.
struct ConfiguredSource: EvaluatedSource {
    private let setting: SourceSetting
    private let formerName: String?
    private let base: any RemoteSource
    private let make: @Sendable (SourceSetting) -> any RemoteSource
    /// Why settings do not make a source; `nil` if they do.
    private let check: @Sendable (SourceSetting) -> SourceError?

    init(_ setting: SourceSetting, _ settings: Settings, _ services: Services, _ cache: RemoteCache) {
        let files = StateFiles(folder: settings.stateDirectory) { [weak services] in services?.warn($0) }
        let environment = settings.environment
        self.init(
            setting, formerName: setting.formerName(among: settings.sources),
            make: { setting in
                setting.source(
                    environment, services.client, keepingIn: files,
                    keptIdentity: cache.cachedIdentity)
            },
            check: { setting in setting.hindrance(environment, services.client) })
    }

    private init(
        _ setting: SourceSetting, formerName: String?, make: @escaping @Sendable (SourceSetting) -> any RemoteSource,
        check: @escaping @Sendable (SourceSetting) -> SourceError?
    ) {
        (self.setting, self.formerName, self.make, self.check) = (setting, formerName, make, check)
        base = make(setting)
    }

    var identity: SourceIdentity { base.identity }
    var name: String { setting.title }
    var address: String { setting.shown }
    var isCached: Bool { base.isCached }
    var pollInterval: Duration? { base.pollInterval }
    var unavailability: SourceError? { base.unavailability.map(renamed) }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        do throws(SourceError) {
            return try await base.fetch(since: version, progress: progress)
        } catch {
            throw renamed(error)
        }
    }

    private func renamed(_ error: SourceError) -> SourceError {
        var error = error
        if error.path == base.name, setting.kind != nil { error.path = name }
        return error
    }

    func takeUpdate(since version: String?) -> SourceAnswer? { base.takeUpdate(since: version) }
    func readSynchronously() throws(SourceError) -> SourceAnswer? { try base.readSynchronously() }
    func changes() -> AsyncStream<SourceHint>? { base.changes() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }

    var formerContextName: String? { formerName }

    private func setting(overriding contextOverride: OwnContext) -> SourceSetting {
        var setting = setting
        setting.own = contextOverride
        return setting
    }

    func overriding(_ contextOverride: OwnContext) -> any RemoteSource {
        guard !contextOverride.isEmpty else { return self }
        return ConfiguredSource(
            setting(overriding: contextOverride), formerName: formerName, make: make, check: check)
    }

    func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation {
        setting(overriding: contextOverride).evaluation(document?.kind == .defaults ? nil : document)
    }

    /// Refuses what would leave the source without a response, such as a context that it does not take.
    func error(in edits: [ContextEdit], to contextOverride: OwnContext) -> SourceError? {
        let known = setting(overriding: contextOverride)
        if let objection = known.objection(to: edits) {
            return SourceError(code: .rejected, path: "", sentence: objection)
        }
        var changed = known
        for edit in edits { changed.own.apply(edit) }
        guard let error = check(changed), check(known) == nil else { return nil }
        return error
    }
}

extension SourceSetting {
    /// The name that the source had if no other one had it, before its label always followed it; `nil` if another one has it
    /// now, and if it is the same.
    fileprivate func formerName(among sources: [SourceSetting]) -> String? {
        var former = self
        former.label = nil
        return sources.contains { $0.shown == former.shown } ? nil : former.shown
    }
}
