package import FlagModel

/// The state of all sources at one moment.
package struct RemoteState: Sendable {
    /// The state of one source.
    package struct Source: Sendable {
        let configured: any RemoteSource
        var state: SourceState
        /// Whether a request is under way.
        package let isRequested: Bool
        /// Until when the source is rate limited; `nil` if it is not.
        package let rateLimitedUntil: FlagTimestamp?

        /// The source's identity.
        package var identity: SourceIdentity { state.identity }
        /// The name that titles and messages show.
        package var name: String { state.source.name }
        /// The name that settings and commands use.
        package var address: String { state.source.address }
        /// Whether the source is built in, so that its state is not shown.
        package var isBuiltIn: Bool { !configured.isCached }
        /// Whether the source cannot be requested because of an error in its settings or credentials.
        package var isUnavailable: Bool { state.source.unavailability != nil }
        /// The values in use; `nil` if there have never been any.
        package var active: FetchedDocument? { state.active }
        /// Newer values that wait for activation.
        package var fetched: FetchedDocument? { state.fetched }
        /// Why the last request failed; `nil` if it did not.
        package var error: SourceError? { state.error }
        /// Whether the source has responded in this run.
        package var hasResponded: Bool { state.hasResponded }
        /// The evaluation context and conditions; `nil` if flags are not evaluated.
        package var evaluation: SourceEvaluation? {
            (configured as? any EvaluatedSource)?.evaluation(overriding: state.contextOverride, active?.document)
        }

        /// Whether activating ``fetched`` would change the values in use.
        package var hasUpdate: Bool {
            guard let fetched else { return false }
            return active.map { !fetched.document.hasSameContent(as: $0.document) } ?? true
        }

        /// Whether the source is a file or built in, rather than on the network.
        package var isLocal: Bool { identity.path != nil || isBuiltIn }

        /// Why the last request failed, as a sentence that begins with the source's name; `nil` if it did not.
        ///
        /// - Parameter isWhole: whether a file is named by its whole path instead of its file name.
        package func reason(isWhole: Bool = false) -> String? {
            guard let error else { return nil }
            guard identity.path == nil else {
                return "\(isWhole ? error.path : FilePath.name(of: error.path)): \(error.sentence.asSentence)"
            }
            // The error may be about another path than the source's, such as the path of a credential file.
            let place = name.contains(error.path) ? "" : "\(error.path): "
            return "\(name): \(place)\(error.sentence.asSentence)"
        }

        /// Why the last request failed and which values are in use, with their age; `nil` if it did not fail.
        package func error(at now: FlagTimestamp) -> String? {
            reason().map { reason in
                let cached = active.map { " The values from \($0.fetchedAt.age(at: now)) stay in use." }
                return reason + (cached ?? " There are no cached values.")
            }
        }

        /// Why the last request failed and which values are in use, with their time; `nil` if it did not fail.
        var errorSentence: String? {
            error.map { error in
                error.asSentence
                    + (active.map { " The values of \($0.fetchedAt.rfc3339) stay in use." }
                        ?? " There are no cached values; defaults are in use.")
            }
        }
    }

    /// The sources in order of precedence.
    package internal(set) var sources: [Source] = []
    /// How often the values in use changed; two states with the same number have the same values.
    package internal(set) var activations = 0
    /// Why responses cannot be cached; `nil` while they can.
    package internal(set) var cacheError: String?
    /// Why values that other processes activate are not noticed; `nil` while they are.
    package internal(set) var watchError: String?

    /// No sources.
    package init() {}

    /// Whether requests are under way.
    package var isFetching: Bool { sources.contains(where: \.isRequested) }

    /// Whether activating would change the values of any source.
    package var hasUpdate: Bool { sources.contains(where: \.hasUpdate) }

    /// Whether any response waits for activation, even one with the same values as those in use.
    package var isWaiting: Bool { sources.contains { $0.fetched != nil } }

    /// Whether any source has values in use.
    package var hasValues: Bool { sources.contains { $0.active != nil } }

    /// When the oldest values in use were fetched.
    package var fetchedAt: FlagTimestamp? { sources.compactMap(\.active?.fetchedAt).min() }

    /// The earliest time of all sources at which the newest response, active or fetched, was received or confirmed.
    package var newestAt: FlagTimestamp? { sources.compactMap { ($0.fetched ?? $0.active)?.fetchedAt }.min() }

    /// The evaluation contexts and conditions of the sources that have any.
    package var evaluations: [SourceEvaluation] { sources.compactMap { $0.evaluation }.filter(\.isOfUse) }

    /// Why requests failed and which values are in use, a text for each source.
    package func errors(at now: FlagTimestamp) -> [String] { sources.compactMap { $0.error(at: now) } }

    /// Errors of sources and the cache, one sentence each.
    package var errors: [String] { sources.compactMap(\.errorSentence) + [cacheError, watchError].compactMap { $0 } }

    /// The state after activating all fetched values.
    package var activated: RemoteState {
        var state = self
        for index in state.sources.indices { state.sources[index].state.activate() }
        return state
    }

    /// The status of the remote values.
    package var status: RemoteStatus {
        if isFetching { return .loading }
        let failures = sources.compactMap(\.errorSentence)
        if !failures.isEmpty, failures.count == sources.count { return .failed(failures.joined(separator: " ")) }
        return newestAt.map(RemoteStatus.loaded) ?? .idle
    }

    /// The name that settings and commands use for each source; `nil` for a source that is built in.
    package var names: [String?] { sources.map { $0.isBuiltIn ? nil : $0.address } }

    /// The status of each source that is not built in.
    package var statuses: [SourceStatus] {
        sources.filter { !$0.isBuiltIn }.map { source in
            var condition = source.active.map { SourceStatus.Condition.read(at: $0.fetchedAt) } ?? .unread
            if let error = source.error {
                condition = .failed(reason: error.sentence.asSentence, cachedFrom: source.active?.fetchedAt)
            }
            return SourceStatus(
                name: source.address, title: source.name, condition: condition, isWaiting: source.hasUpdate,
                rateLimitedUntil: source.isLocal ? nil : source.rateLimitedUntil)
        }
    }

    /// The values in use, merged.
    ///
    /// - Parameters:
    ///   - defaults: values that all sources override.
    ///   - pushed: a document that overrides all sources.
    ///   - declared: the flags that code declares.
    package func snapshot(
        defaults: ValueTable = ValueTable(), pushed: RemoteDocument? = nil, declared: DeclaredFlags = DeclaredFlags()
    ) -> RemoteSnapshot {
        var (documents, places) = ([RemoteDocument](), [Int]())
        var (tables, issues) = ([defaults], [DocumentIssue]())
        for (place, source) in sources.enumerated() {
            guard let document = source.active?.document else { continue }
            if document.kind == .defaults {
                tables.append(document.values)
                issues += document.issues
            } else {
                documents.append(document)
                places.append(place)
            }
        }
        return RemoteSnapshot(
            documents: [pushed].compactMap { $0 } + documents, places: (pushed == nil ? [] : [-1]) + places,
            defaults: ValueTable.joined(tables), defaultsIssues: issues, declared: declared)
    }

    /// The state with other values of some sources, such as those for another evaluation context.
    ///
    /// - Parameter documents: the values by the place of their source; `nil` if the source has none.
    package func replacingValues(_ documents: [Int: FetchedDocument?]) -> RemoteState {
        var result = self
        for (place, document) in documents where sources.indices.contains(place) {
            result.sources[place].state.active = document
        }
        return result
    }
}

/// A change of an engine's state.
package struct RemoteUpdate: Sendable {
    /// The event that caused the change.
    package enum Cause: Sendable {
        /// Files and the cache were read.
        case opened
        /// Sources are requested, by a fetch, a live update or polling.
        case fetchStarted(RemoteEngine.FetchID?)
        /// A source, by its index, has responded.
        case responded(Int)
        /// All requested sources of a fetch have responded. `hasActivated` is whether the values in use have changed
        /// since the fetch began.
        case fetchEnded(RemoteEngine.FetchID, FetchScope, hasActivated: Bool)
        /// A fetch was cancelled.
        case fetchCancelled(RemoteEngine.FetchID)
        /// Fetched values are in use, activated by a menu or by the app.
        case activated(isByMenu: Bool)
        /// Values that another process activated are in use.
        case activatedElsewhere
        /// The contexts of sources have changed. If that was requested, the caller reports the result to the user.
        case contextChanged(isRequested: Bool)
        /// Changes by other processes are no longer noticed, or again; see ``RemoteState/watchError``.
        case watchChanged
        /// The progress of the response of a source, by its index.
        case progress(Int, SourceProgress)
        /// Live updates of a source, by its index, have started, or stopped with an error.
        case liveUpdates(Int, SourceError?)
        /// The cache has become writable, or is no longer writable; see ``RemoteState/cacheError``.
        case cached

        /// Whether this is only progress of a response.
        package var isProgress: Bool { if case .progress = self { true } else { false } }
    }

    /// The event that caused the change.
    package let cause: Cause
    /// The state after the change.
    package let state: RemoteState
    /// Whether the values in use changed.
    package let hasActivated: Bool
}
