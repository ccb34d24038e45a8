import FlagModel
import FlagSourceFile
import FlagSourceSupport
import FlagStorage
import Synchronization

/// The sources of a run, with what the tester has decided about them.
struct ComposedSources: Sendable {
    let settings: [SourceSetting]
    let kept: [KeptSource]
    /// What is wrong with the file that the decisions are in, as a sentence; `nil` while all is well.
    let problem: String?

    init(_ settings: Settings, _ reading: ContextFile.Reading, _ services: Services) {
        self.settings = settings.sources.map { $0.deciding(by: reading) }
        let files = StateFiles(folder: settings.stateDirectory) { [weak services] in services?.warn($0) }
        kept = self.settings.map { $0.source(settings.environment, services.client, keepingIn: files) }
        problem = reading.problem
    }

    /// Whether this is what a reading of the file says.
    func isMade(of reading: ContextFile.Reading) -> Bool {
        reading.problem == problem && settings.allSatisfy { $0.own == reading.contexts[$0.shown] ?? OwnContext() }
    }
}

extension SourceSetting {
    /// The same with what the tester has decided about it.
    fileprivate func deciding(by reading: ContextFile.Reading) -> SourceSetting {
        var source = self
        source.own = reading.contexts[shown] ?? OwnContext()
        return source
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
            notice = try contexts.apply(change)
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
            let known = setting.deciding(by: reading)
            var changed = known
            for edit in change.edits { changed.own.apply(edit) }
            guard let hindrance = changed.hindrance(settings.environment, services.client),
                known.hindrance(settings.environment, services.client) == nil
            else { continue }
            throw CommandFailure(.usage, "\(hindrance). Nothing was changed.")
        }
    }

    /// Has in force what the file of decisions says now.
    ///
    /// - Returns: whether that is something else than before.
    func takeContexts() -> Bool {
        let reading = contexts.read()
        return composed.withLock { composed in
            guard !composed.isMade(of: reading) else { return false }
            composed = ComposedSources(settings, reading, services)
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
