#if Network
public import FlagModel
public import FlagRemote

extension RemoteSource {
    /// The document that a fetch returns; `nil` if the version in the request is still the newest.
    public func fetchDocument(since version: String? = nil) async throws -> RemoteDocument? {
        guard case .values(let bytes, _) = try await fetch(since: version) else { return nil }
        return try decode(bytes)
    }

    /// Why a fetch fails; `nil` if it does not.
    public func fetchFailure(since version: String? = nil) async -> SourceError? {
        do throws(SourceError) {
            _ = try await fetch(since: version)
            return nil
        } catch {
            return error
        }
    }
}
#endif
