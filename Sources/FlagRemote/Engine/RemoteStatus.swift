public import FlagModel

/// Whether the remote values are not fetched yet, loading, loaded or failed.
public enum RemoteStatus: Sendable, Hashable {
    /// Nothing has been fetched yet, in this run or an earlier one.
    case idle
    /// Sources are requested; earlier values, if any, stay in use meanwhile.
    case loading
    /// Values were fetched at that time, and are in use or wait for activation.
    case loaded(at: FlagTimestamp)
    /// No source responded; the text says why, and which values stay in use.
    case failed(String)

    /// The error, as a sentence; `nil` if there is none.
    public var issue: String? { if case .failed(let sentence) = self { sentence } else { nil } }
}
