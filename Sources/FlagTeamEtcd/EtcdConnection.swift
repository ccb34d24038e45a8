import FlagModel
import FlagRemote
import Synchronization

/// Sends calls to the members of a cluster, with a token if there is a user. A member that does not respond is followed
/// by the next one.
final class EtcdConnection: Sendable {
    private struct State {
        /// The index of the member that responded last.
        var member: Int
        /// The token of the user; `nil` until one is needed, and if the cluster does not know users.
        var token: Secret?
        /// Whether the cluster does not know users, so that no token is requested.
        var isWithoutUsers = false
    }

    let settings: EtcdSettings
    let client: SourceClient
    private let state: Mutex<State>

    var name: String { settings.address.description }

    init(_ settings: EtcdSettings, _ client: SourceClient) {
        var client = client.withoutRetries
        client.limits.total = settings.timeout
        client.limits.idleTimeout = settings.timeout
        client.streamLimits.total = settings.timeout
        // The values are confirmed in short intervals instead.
        client.streamLimits.idleTimeout = .seconds(86_400)
        (self.settings, self.client) = (settings, client)
        // Clients begin at different members, so that these share the watches.
        let count = settings.address.members.count
        state = Mutex(State(member: min(count - 1, Int(client.clock.random() * Double(count)))))
    }

    /// The member to send the next call to.
    var member: Int { state.withLock { $0.member } }

    /// Makes the next calls begin at another member, unless that has happened already.
    func skip(_ member: Int) {
        state.withLock { if $0.member == member { $0.member = (member + 1) % settings.address.members.count } }
    }

    /// Sends a call to each member in turn until one responds.
    ///
    /// - Parameter progress: called with the progress of the response.
    /// - Throws: the first failure that is not about a member, else the last one. A member that cannot be reached counts
    ///   only if none can.
    func send(
        _ call: EtcdCall, progress: @escaping ProgressHandler = { _ in }
    ) async throws(SourceError) -> JSONValue {
        var failure: SourceError?
        for _ in settings.address.members {
            let member = member
            do throws(EtcdError) {
                return try await send(call, to: member, progress: progress)
            } catch {
                guard error.isAboutMember, !Task.isCancelled else { throw error.error }
                if failure == nil || error.error.cause != .unconnected { failure = error.error }
                skip(member)
            }
        }
        throw failure ?? .cancelled(name)
    }

    /// Sends a call to one member, once again with a new token if the token is not valid any more.
    func send(
        _ call: EtcdCall, to member: Int, progress: @escaping ProgressHandler = { _ in }
    ) async throws(EtcdError) -> JSONValue {
        var headers = try await headers(at: member)
        do throws(EtcdError) {
            return try await sendOnce(call, to: member, headers, progress)
        } catch {
            guard error.failure?.isAboutToken == true || error.failure?.needsUser == true, settings.user != nil else {
                throw error
            }
            state.withLock { ($0.token, $0.isWithoutUsers) = (nil, false) }
        }
        headers = try await self.headers(at: member)
        return try await sendOnce(call, to: member, headers, progress)
    }

    private func sendOnce(
        _ call: EtcdCall, to member: Int, _ headers: SourceHeaders, _ progress: @escaping ProgressHandler
    ) async throws(EtcdError) -> JSONValue {
        let response: SourceResponse
        let detail = Mutex<EtcdFailure?>(nil)
        do throws(SourceError) {
            response = try await client.reporting(to: progress).send(request(call, to: member, headers)) { response in
                let failure = EtcdFailure(response.body)
                detail.withLock { $0 = failure }
                return failure?.message
            }
        } catch {
            throw EtcdError(error, detail.withLock { $0 })
        }
        do throws(JSONError) {
            return try JSONDocument(parsing: response.body).root
        } catch {
            let sentence = "the response is not JSON (\(error)); is this the client URL of an etcd member?"
            throw EtcdError(SourceError(code: .malformed, path: name, sentence: sentence))
        }
    }

    /// The request of a call to a member.
    func request(_ call: EtcdCall, to member: Int, _ headers: SourceHeaders) -> SourceRequest {
        SourceRequest(
            source: name, method: .post, url: settings.address.members[member].adding(path: call.path),
            headers: headers, body: Array(call.body.text(indented: false).utf8))
    }

    /// The headers of all calls. With the first, a member without a leader responds with an error instead of waiting.
    func headers(at member: Int) async throws(EtcdError) -> SourceHeaders {
        var headers = SourceHeaders([("Content-Type", "application/json"), ("Grpc-Metadata-Hasleader", "true")])
        let (known, isWithoutUsers) = state.withLock { ($0.token, $0.isWithoutUsers) }
        guard let user = settings.user, !isWithoutUsers else { return headers }
        let address = settings.address.members[member]
        guard address.isSecure || address.isLoopback else {
            throw EtcdError(
                SourceError(
                    code: .insecure, path: name,
                    sentence: "the user's password would be sent unencrypted; use etcds:// instead of etcd://"))
        }
        let token = if let known { known } else { try await authenticate(user, at: member) }
        if let token { headers.set("Authorization", secret: token) }
        return headers
    }

    /// Requests a token; `nil` if the cluster does not know users.
    private func authenticate(_ user: Secret, at member: Int) async throws(EtcdError) -> Secret? {
        let call = EtcdCall.authenticate(user, settings.password ?? Secret(""))
        let headers = SourceHeaders([("Content-Type", "application/json")])
        do throws(EtcdError) {
            let token = try await sendOnce(call, to: member, headers) { _ in }["token"]?.text.map { Secret($0.string) }
            state.withLock { $0.token = token }
            return token
        } catch {
            guard error.failure?.isWithoutUsers == true else { throw error }
            state.withLock { $0.isWithoutUsers = true }
            return nil
        }
    }
}
