#if Network
public import FlagModel
public import FlagRemote
public import FlagTesting

/// What a source has fetched.
public struct FetchedValues: Sendable {
    /// What a store caches.
    public let bytes: [UInt8]
    /// The name of the version; `nil` if there is none.
    public let version: String?
    /// What the source decodes from the bytes.
    public let document: RemoteDocument

    /// The texts of the values by key.
    public var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: document.values.keys.map { ($0.string, document.values[$0]?.string ?? "") })
    }
}

extension RemoteSource {
    /// Fetches values, and fails if they are unchanged.
    public func fetchValues(since version: String? = nil) async throws -> FetchedValues {
        guard case .values(let bytes, let newVersion) = try await fetch(since: version) else {
            throw WaitError(description: "the values of \(name) are unchanged")
        }
        return FetchedValues(bytes: bytes, version: newVersion, document: try decode(bytes))
    }

    /// The texts of the fetched values by key.
    public func fetchTexts() async throws -> [String: String] { try await fetchValues().texts }

    /// Why a fetch fails; `nil` if it does not fail.
    public func fetchError(since version: String? = nil) async -> SourceError? {
        do throws(SourceError) {
            _ = try await fetch(since: version)
            return nil
        } catch {
            return error
        }
    }
}

extension ScriptedTransport {
    /// A transport with one response for all requests.
    public static func document(
        _ text: String, status: Int = 200, type: String = "application/json"
    ) -> ScriptedTransport {
        let headers = SourceHeaders([("Content-Type", type)])
        return ScriptedTransport([.response(SourceResponse(status: status, headers: headers, body: Array(text.utf8)))])
    }
}
#endif
