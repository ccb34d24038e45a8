#if Server
import FlagModel
import FlagRemote

/// What a response tells or needs to know about a source.
struct ServedSource: Sendable, Equatable {
    /// The name; `nil` for a built-in source.
    let name: String?
    /// Whether the values depend on the evaluation context.
    let dependsOnContext: Bool
    /// Whether the source has values, from its last response or from the cache.
    let hasValues: Bool
    /// Whether the source has no values yet, but may soon have some.
    let isWaiting: Bool
    /// Why the last request failed; `nil` if it did not.
    let error: SourceError?

    /// The sources of a state, by their places.
    ///
    /// - Parameters:
    ///   - waiting: the places of sources that have no values for an evaluation context yet.
    ///   - errors: why sources have no newer values for an evaluation context, by their places.
    static func all(
        in remote: RemoteState, waiting: [Int] = [], errors: [Int: SourceError] = [:]
    ) -> [ServedSource] {
        zip(remote.sources, remote.names).enumerated().map { place, element in
            let (source, name) = element
            let (hasValues, error) = (source.active != nil, errors[place] ?? source.error)
            return ServedSource(
                name: name, dependsOnContext: source.dependsOnContext, hasValues: hasValues,
                isWaiting: waiting.contains(place) || !hasValues && source.isRequested && error == nil, error: error)
        }
    }

    /// The response to a request that needs the values of the source.
    var failure: APIError {
        APIError(.general, error?.asSentence ?? "\(name ?? "A source") has not responded yet. Retry in 1 s.")
    }
}
#endif
