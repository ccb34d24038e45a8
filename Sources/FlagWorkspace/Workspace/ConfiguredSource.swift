import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceFirebase

/// A source made from settings. It has a unique name, and a tester can override its evaluation context.
struct ConfiguredSource: EvaluatedSource {
    private let setting: SourceSettings
    private let services: Services
    private let cache: RemoteCache
    private let base: any RemoteSource

    init(_ setting: SourceSettings, _ services: Services, _ cache: RemoteCache) {
        (self.setting, self.services, self.cache) = (setting, services, cache)
        base = Self.source(setting, services, cache)
    }

    /// Makes the source, without sending a request. If the settings are not valid, requests fail with the reason.
    private static func source(_ setting: SourceSettings, _ services: Services, _ cache: RemoteCache)
        -> any RemoteSource
    {
        do throws(SourceError) {
            guard let kind = setting.kind else {
                let evaluation = setting.templateEvaluation
                return PipeSource(path: setting.name, evaluate: evaluation)
                    ?? FileSource(path: setting.name, evaluate: evaluation)
            }
            let source = try setting.source(kind, services.client)
            // Without a credential, the source cannot tell which environment of the service it reads, so the cached
            // identity is used.
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
    var activatesUpdates: Bool { setting.activatesUpdates }
    var unavailability: SourceError? { base.unavailability.map(renamed) }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        do throws(SourceError) {
            return try await base.fetch(since: version, progress: progress)
        } catch {
            throw renamed(error)
        }
    }

    /// The error with the unique name of this source in place of the name of `base`.
    private func renamed(_ error: SourceError) -> SourceError {
        var error = error
        if error.path == base.name, setting.kind != nil { error.path = name }
        return error
    }

    func readPendingUpdate(since version: String?) -> FetchResult? { base.readPendingUpdate(since: version) }
    func readSynchronously() throws(SourceError) -> FetchResult? { try base.readSynchronously() }
    func changes() -> AsyncStream<LiveUpdateEvent>? { base.changes() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }

    var targetingMember: String {
        setting.kind?.contextOption?.context?.targetingMember ?? TemplateContext.randomizationKey.string
    }

    private func setting(overriding contextOverride: ContextOverride) -> SourceSettings {
        var setting = setting
        setting.contextOverride = contextOverride
        return setting
    }

    func overriding(_ contextOverride: ContextOverride) -> any RemoteSource {
        guard !contextOverride.isEmpty else { return self }
        return ConfiguredSource(setting(overriding: contextOverride), services, cache)
    }

    func evaluation(overriding contextOverride: ContextOverride, _ document: RemoteDocument?) -> SourceEvaluation {
        setting(overriding: contextOverride).evaluation(document?.kind == .defaults ? nil : document)
    }

    /// The error of edits that would make the source unusable, such as a context that the source does not accept; `nil`
    /// if the edits are valid.
    func error(in edits: [ContextEdit], to contextOverride: ContextOverride) -> SourceError? {
        let current = setting(overriding: contextOverride)
        if let invalidReason = current.invalidReason(to: edits) {
            return SourceError(code: .rejected, path: "", sentence: invalidReason)
        }
        var changed = current
        for edit in edits { changed.contextOverride.apply(edit) }
        return current.unavailability(services.client) == nil ? changed.unavailability(services.client) : nil
    }
}
