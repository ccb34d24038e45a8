package import FlagModel

/// What an engine knows of all sources at one moment.
package struct RemoteState: Sendable {
    /// What is known of one source.
    package struct Source: Sendable {
        /// Who it is.
        package let identity: SourceIdentity
        /// The name that titles and messages show.
        package let name: String
        /// The source as settings and commands name it.
        package let address: String
        /// Whether it is built in, so that its state is of no interest.
        package let isBuiltIn: Bool
        /// Whether something is wrong with its settings or credentials, so that it cannot be requested.
        package let isUnavailable: Bool
        /// The values in use; `nil` if there have never been any.
        package internal(set) var active: FetchedDocument?
        /// Newer values that wait for their activation.
        package internal(set) var fetched: FetchedDocument?
        /// Whether activating would change what it says.
        package internal(set) var hasUpdate: Bool
        /// Why its last request failed; `nil` if it did not.
        package let error: SourceError?
        /// Until when it is not requested; `nil` if it may be now.
        package let rateLimitedUntil: Timestamp?
        /// Whether it has responded in this run.
        package let hasResponded: Bool
        /// Whether a request is under way.
        package let isRequested: Bool
        /// For whom it evaluates flags and by which conditions; `nil` if it does not.
        package let evaluation: (@Sendable () -> SourceEvaluation)?

        /// Whether it is a file or built in, and not behind a network.
        package var isLocal: Bool { identity.path != nil || isBuiltIn }

        /// When the newest response came, in use or not.
        var newestAt: Timestamp? { (fetched ?? active)?.fetchedAt }

        /// Why its last request failed, as a sentence that begins with its name; `nil` if it did not.
        ///
        /// - Parameter isWhole: whether a file is named by its whole path.
        package func reason(isWhole: Bool = false) -> String? {
            guard let error else { return nil }
            guard identity.path == nil else {
                return "\(isWhole ? error.path : FilePath.name(of: error.path)): \(error.sentence.asSentence)"
            }
            // Such as the file of a credential. The address is in the name.
            let place = name.contains(error.path) ? "" : "\(error.path): "
            return "\(name): \(place)\(error.sentence.asSentence)"
        }

        /// Why its last request failed and what is in use, as sentences with ages; `nil` if it did not fail.
        package func error(at now: Timestamp) -> String? {
            reason().map { reason in
                let cached = active.map { " The values from \($0.fetchedAt.age(at: now)) stay in use." }
                return reason + (cached ?? " It has no cached values.")
            }
        }

        /// Why its last request failed and what is in use, as sentences with moments; `nil` if it did not fail.
        var errorSentence: String? {
            error.map { error in
                error.asSentence
                    + (active.map { " The values of \($0.fetchedAt.rfc3339) stay in use." }
                        ?? " There are no cached values; defaults are in use.")
            }
        }
    }

    /// The sources in the order of precedence.
    package internal(set) var sources: [Source] = []
    /// How often other values came into use; two states with the same number read the same.
    package internal(set) var activations = 0
    /// Why responses cannot be cached; `nil` while they can.
    package internal(set) var cacheError: String?
    /// What is wrong with the file of context overrides, or with watching it; `nil` while nothing is.
    package internal(set) var contextError: String?

    /// No sources.
    package init() {}

    /// Whether requests are under way.
    package var isFetching: Bool { sources.contains(where: \.isRequested) }

    /// Whether activating would change what any source says.
    package var hasUpdate: Bool { sources.contains(where: \.hasUpdate) }

    /// Whether any response waits for its activation, even if it says the same.
    package var isWaiting: Bool { sources.contains { $0.fetched != nil } }

    /// Whether any source has values in use.
    package var hasValues: Bool { sources.contains { $0.active != nil } }

    /// When the oldest of the values in use were fetched.
    package var fetchedAt: Timestamp? { sources.compactMap(\.active?.fetchedAt).min() }

    /// When the oldest of the newest responses came, in use or not.
    package var newestAt: Timestamp? { sources.compactMap(\.newestAt).min() }

    /// The context and the conditions of the sources that have any.
    package var evaluations: [SourceEvaluation] { sources.compactMap { $0.evaluation?() }.filter(\.isOfUse) }

    /// Why requests failed and what is in use, a sentence for each source.
    package func errors(at now: Timestamp) -> [String] { sources.compactMap { $0.error(at: now) } }

    /// What is wrong with sources and the cache, a sentence each.
    package var errors: [String] { sources.compactMap(\.errorSentence) + [cacheError, contextError].compactMap { $0 } }

    /// The same once what waits is activated.
    package var activated: RemoteState {
        var state = self
        for index in state.sources.indices {
            guard let fetched = state.sources[index].fetched else { continue }
            (state.sources[index].active, state.sources[index].fetched) = (fetched, nil)
            state.sources[index].hasUpdate = false
        }
        return state
    }

    /// How the remote values are doing.
    package var status: RemoteStatus {
        if isFetching { return .loading }
        let failures = sources.compactMap(\.errorSentence)
        if !failures.isEmpty, failures.count == sources.count { return .failed(failures.joined(separator: " ")) }
        return newestAt.map(RemoteStatus.loaded) ?? .idle
    }

    /// The values in use, joined.
    ///
    /// - Parameters:
    ///   - defaults: values below the remote ones.
    ///   - pushed: a document before all of them.
    package func snapshot(defaults: ValueTable = ValueTable(), pushed: RemoteDocument? = nil) -> RemoteSnapshot {
        var (documents, places) = ([RemoteDocument](), [Int]())
        var tables = [defaults]
        for (place, source) in sources.enumerated() {
            guard let document = source.active?.document else { continue }
            if document.kind == .defaults {
                tables.append(document.values)
            } else {
                documents.append(document)
                places.append(place)
            }
        }
        return RemoteSnapshot(
            documents: [pushed].compactMap { $0 } + documents, places: (pushed == nil ? [] : [-1]) + places,
            defaults: ValueTable.joined(tables))
    }
}

/// A change of what an engine knows.
package struct RemoteUpdate: Sendable {
    /// What has happened.
    package enum Cause: Sendable {
        /// What is there without a request was read.
        case opened
        /// Sources are requested, by a fetch or because one of them told of a change or it was time.
        case fetchStarted(RemoteEngine.FetchID?)
        /// A source, by its place, has responded.
        case responded(Int)
        /// All sources that a fetch has requested have responded, and whether other values came into use since it began.
        case fetchEnded(RemoteEngine.FetchID, FetchScope, hasActivated: Bool)
        /// A fetch was cancelled.
        case fetchCancelled
        /// Fetched values are in use, because a menu or somebody else has activated them.
        case activated(isByMenu: Bool)
        /// Values that another process has activated are in use.
        case activatedElsewhere
        /// A tester's context overrides have changed, by this process or another one. The notice must be seen although the
        /// change was stored.
        case contextChanged(isElsewhere: Bool, notice: String?)
        /// The response of a source is so far.
        case progress(Int, SourceProgress)
        /// A source tells of its changes, or does not for a reason.
        case liveUpdates(Int, SourceError?)
        /// Responses can be cached again, or cannot.
        case cached

        /// Whether nothing else has happened than that a response has come further.
        package var isProgress: Bool { if case .progress = self { true } else { false } }
    }

    /// What has happened.
    package let cause: Cause
    /// What is known after it.
    package let state: RemoteState
    /// Whether other values came into use.
    package let hasActivated: Bool

    /// A change.
    package init(cause: Cause, state: RemoteState, hasActivated: Bool) {
        (self.cause, self.state, self.hasActivated) = (cause, state, hasActivated)
    }
}
