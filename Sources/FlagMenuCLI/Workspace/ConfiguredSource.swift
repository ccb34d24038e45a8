import FlagModel
import FlagRemote
import FlagSourceFile

/// A source from settings, with a unique name in the run, whose context a tester can override.
struct ConfiguredSource: EvaluatedSource {
    private let setting: SourceSettings
    private let formerName: String?
    private let services: Services
    private let cache: RemoteCache
    private let base: any RemoteSource

    init(_ setting: SourceSettings, _ settings: Settings, _ services: Services, _ cache: RemoteCache) {
        var setting = setting
        setting.environment.files = StateFiles(folder: settings.stateDirectory) { [weak services] in services?.warn($0)
        }
        self.init(setting, formerName: setting.formerName(among: settings.sources), services, cache)
    }

    private init(_ setting: SourceSettings, formerName: String?, _ services: Services, _ cache: RemoteCache) {
        (self.setting, self.formerName, self.services, self.cache) = (setting, formerName, services, cache)
        base = Self.source(setting, services, cache)
    }

    /// The source itself. No request is sent yet; if its settings are not valid its requests fail with the reason.
    private static func source(_ setting: SourceSettings, _ services: Services, _ cache: RemoteCache)
        -> any RemoteSource
    {
        do throws(SourceError) {
            guard let kind = setting.kind else {
                return FileSource(path: setting.name, evaluate: SourceRegistry.evaluation(setting))
            }
            let source = try kind.source(setting, services.client)
            // Without its credential its environment is not known.
            guard var unavailable = source as? UnavailableSource,
                let cached = cache.cachedIdentity(of: unavailable.identity)
            else { return source }
            unavailable.identity = cached
            return unavailable
        } catch {
            return UnavailableSource(setting.shown, named: setting.title, error)
        }
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

    private func setting(overriding contextOverride: OwnContext) -> SourceSettings {
        var setting = setting
        setting.own = contextOverride
        return setting
    }

    func overriding(_ contextOverride: OwnContext) -> any RemoteSource {
        guard !contextOverride.isEmpty else { return self }
        return ConfiguredSource(setting(overriding: contextOverride), formerName: formerName, services, cache)
    }

    func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation {
        setting(overriding: contextOverride).evaluation(document?.kind == .defaults ? nil : document)
    }

    /// Rejects edits that would leave the source without a response, such as a context that it does not accept.
    func error(in edits: [ContextEdit], to contextOverride: OwnContext) -> SourceError? {
        let known = setting(overriding: contextOverride)
        if let objection = known.objection(to: edits) {
            return SourceError(code: .rejected, path: "", sentence: objection)
        }
        var changed = known
        for edit in edits { changed.own.apply(edit) }
        guard let error = changed.unavailability(services.client), known.unavailability(services.client) == nil else {
            return nil
        }
        return error
    }
}

extension SourceSettings {
    /// The name of the source before its label always followed it; `nil` if another source has that name now, and if it
    /// is the same.
    fileprivate func formerName(among sources: [SourceSettings]) -> String? {
        var former = self
        former.label = nil
        return sources.contains { $0.shown == former.shown } ? nil : former.shown
    }
}
