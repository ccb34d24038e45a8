import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage
import Synchronization

/// The sources of a run, with what the tester has decided about them.
struct ComposedSources: Sendable {
    let settings: [SourceSetting]
    let kept: [KeptSource]
    /// What is wrong with the file that the decisions are in, as a sentence; `nil` while all is well.
    let problem: String?

    init(_ settings: Settings, _ reading: ContextFile.Reading, _ services: Services, _ cache: RemoteCache) {
        self.settings = settings.sources.map { $0.deciding(by: reading, among: settings.sources) }
        let files = StateFiles(folder: settings.stateDirectory) { [weak services] in services?.warn($0) }
        kept = Self.told(
            apart: self.settings.map {
                $0.source(
                    settings.environment, services.client, keepingIn: files, keptIdentity: cache.keptIdentity)
            },
            self.settings)
        problem = reading.problem
    }

    /// The sources, of which no two are the same: what a service says is kept under its identity, so of two with one, such as with
    /// two tokens for one address, each would show what the other was told. The later one says so instead.
    private static func told(apart sources: [KeptSource], _ settings: [SourceSetting]) -> [KeptSource] {
        var first: [String: String] = [:]
        return zip(sources, settings).map { source, setting in
            guard source.service != nil else { return source }
            guard let other = first[source.identity] else {
                first[source.identity] = setting.shown
                return source
            }
            let sentence =
                "this is the same source as \(other), so it is not read; take one of them out of \"sources\" (a service that "
                + "evaluates flags may stand there once for each context)"
            return .service(
                HinderedSource(
                    setting.shown, named: setting.title,
                    SourceError(code: .rejected, path: setting.title, sentence: sentence)))
        }
    }

    /// Whether this is what a reading of the file says.
    func isMade(of reading: ContextFile.Reading) -> Bool {
        reading.problem == problem && settings.allSatisfy { $0.own == $0.decided(in: reading, among: settings) }
    }
}

extension SourceSetting {
    /// The same with what the tester has decided about it.
    fileprivate func deciding(by reading: ContextFile.Reading, among sources: [SourceSetting]) -> SourceSetting {
        var source = self
        source.own = decided(in: reading, among: sources)
        return source
    }

    fileprivate func decided(in reading: ContextFile.Reading, among sources: [SourceSetting]) -> OwnContext {
        reading.contexts[shown] ?? formerName(among: sources).flatMap { reading.contexts[$0] } ?? OwnContext()
    }

    /// The name that the source had where no other one had it, before its label always stood behind that; `nil` where another
    /// one has it now, and where it is the same.
    fileprivate func formerName(among sources: [SourceSetting]) -> String? {
        var former = self
        former.label = nil
        return sources.contains { $0.shown == former.shown } ? nil : former.shown
    }
}

// What the tester decides about sources.
extension RemoteFiles {
    /// For whom sources are evaluated and by which conditions, of those of which there is any of that.
    func evaluations(in state: RemoteState) -> [SourceEvaluation] {
        zip(composed.withLock { $0.settings }, state.sources).map { setting, source in
            setting.evaluation(source.remoteDocument)
        }.filter(\.isOfUse)
    }

    /// What is known of the sources without asking anybody.
    func look() -> RemoteState { cache.open(sources, now: SystemClock.now()) }

    /// Writes a change of what is decided, and has it in force from now on.
    ///
    /// - Returns: what there is to tell although it was written, a sentence; else `nil`.
    func change(_ change: ContextChange) throws(CommandFailure) -> String? {
        try check(change)
        let notice: String?
        do throws(StorageError) {
            let source = settings.sources.first { $0.shown == change.source }
            notice = try contexts.apply(change, renaming: source?.formerName(among: settings.sources))
        } catch {
            throw CommandFailure(error.code == .refused ? settings.refusalStatus : .store, error.description)
        }
        _ = takeContexts()
        return notice
    }

    /// Refuses what would leave a source without an answer, as a context that it does not take.
    private func check(_ change: ContextChange) throws(CommandFailure) {
        let reading = contexts.read()
        for setting in settings.sources where setting.shown == change.source {
            let known = setting.deciding(by: reading, among: settings.sources)
            var changed = known
            for edit in change.edits { changed.own.apply(edit) }
            if let objection = known.objection(to: change.edits) {
                throw CommandFailure(.usage, "\(objection) Nothing was changed.")
            }
            guard let hindrance = changed.hindrance(settings.environment, services.client),
                known.hindrance(settings.environment, services.client) == nil
            else { continue }
            throw CommandFailure(.usage, "\(hindrance.asSentence) Nothing was changed.")
        }
    }

    /// Has in force what the file of decisions says now.
    ///
    /// - Returns: whether that is something else than before.
    func takeContexts() -> Bool {
        let reading = contexts.read()
        return composed.withLock { composed in
            guard !composed.isMade(of: reading) else { return false }
            composed = ComposedSources(settings, reading, services, cache)
            return true
        }
    }
}

extension RemoteState.Source {
    /// What it says; `nil` where that is nothing, or defaults.
    var remoteDocument: RemoteDocument? {
        if case .remote(let document)? = active?.document { document } else { nil }
    }
}
