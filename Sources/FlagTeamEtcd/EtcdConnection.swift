import FlagModel
import FlagRemote

/// Sends calls to the members of a cluster, with a token if there is a user. A member that does not respond is followed
/// by the next one.
actor EtcdConnection {
    nonisolated let settings: EtcdSettings
    nonisolated let client: SourceClient

    /// The member to send the next call to: the index of the one that responded last.
    private(set) var member: Int
    /// The token of the user; `nil` until one is needed, and if the cluster does not know users.
    private var token: Secret?
    /// Whether the cluster does not know users, so that no token is requested.
    private var isWithoutUsers = false

    nonisolated var name: String { settings.address.description }

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
        member = min(count - 1, Int(client.clock.random() * Double(count)))
    }

    /// Makes the next calls begin at another member, unless that has happened already.
    func skip(_ member: Int) {
        if self.member == member { self.member = (member + 1) % settings.address.members.count }
    }

    /// Sends a call to a member or, without one, to each in turn until one responds.
    ///
    /// - Throws: the first failure that is not about a member, else the last one. A member that cannot be reached counts
    ///   only if none can.
    func send(_ call: EtcdCall, at member: Int? = nil) async throws(EtcdError) -> JSONValue {
        if let member { return try await sendWithToken(call, to: member) }
        var failure: EtcdError?
        for _ in settings.address.members {
            let member = self.member
            do throws(EtcdError) {
                return try await sendWithToken(call, to: member)
            } catch {
                guard error.isAboutMember, !Task.isCancelled else { throw error }
                if failure == nil || error.error.cause != .unconnected { failure = error }
                skip(member)
            }
        }
        throw failure ?? EtcdError(.cancelled(name))
    }

    /// Sends a call to one member, once again with a new token if the token is not valid any more.
    private func sendWithToken(_ call: EtcdCall, to member: Int) async throws(EtcdError) -> JSONValue {
        let headers = try await headers(at: member)
        do throws(EtcdError) {
            return try await sendOnce(call, to: member, headers)
        } catch {
            guard error.failure?.isAboutToken == true || error.failure?.needsUser == true, settings.user != nil else {
                throw error
            }
            (token, isWithoutUsers) = (nil, false)
        }
        return try await sendOnce(call, to: member, try await self.headers(at: member))
    }

    private nonisolated func sendOnce(
        _ call: EtcdCall, to member: Int, _ headers: SourceHeaders
    ) async throws(EtcdError) -> JSONValue {
        let response: SourceResponse
        var failure: EtcdFailure?
        do throws(SourceError) {
            response = try await client.send(request(call, to: member, headers)) { response in
                failure = EtcdFailure(response.body)
                return failure?.message
            }
        } catch {
            throw EtcdError(error, failure)
        }
        do throws(JSONError) {
            return try JSONDocument(parsing: response.body).root
        } catch {
            let sentence = "the response is not JSON (\(error)); is this the client URL of an etcd member?"
            throw EtcdError(SourceError(.malformed, of: name, sentence))
        }
    }

    private nonisolated func request(_ call: EtcdCall, to member: Int, _ headers: SourceHeaders) -> SourceRequest {
        SourceRequest(
            source: name, method: .post, url: settings.address.members[member].adding(path: call.path),
            headers: headers, body: call.body.bytes)
    }

    /// Opens the response to a call that arrives in pieces.
    func open(_ call: EtcdCall, at member: Int) async throws(EtcdError) -> SourceStream {
        let request = request(call, to: member, try await headers(at: member))
        do throws(SourceError) {
            return try await client.open(request, limits: client.streamLimits)
        } catch {
            throw EtcdError(error)
        }
    }

    /// The headers of all calls. With the first, a member without a leader responds with an error instead of waiting.
    private func headers(at member: Int) async throws(EtcdError) -> SourceHeaders {
        var headers = SourceHeaders([("Content-Type", "application/json"), ("Grpc-Metadata-Hasleader", "true")])
        guard let user = settings.user, !isWithoutUsers else { return headers }
        let address = settings.address.members[member]
        guard address.isSecure || address.isLoopback else {
            throw EtcdError(
                SourceError(
                    .insecure, of: name,
                    "the user's password would be sent unencrypted; use etcds:// instead of etcd://"))
        }
        if token == nil { try await authenticate(user, at: member) }
        if let token { headers.set("Authorization", secret: token) }
        return headers
    }

    /// Requests a token, or finds out that the cluster does not know users.
    private func authenticate(_ user: Secret, at member: Int) async throws(EtcdError) {
        let call = EtcdCall.authenticate(user, settings.password ?? Secret(""))
        let headers = SourceHeaders([("Content-Type", "application/json")])
        do throws(EtcdError) {
            token = try await sendOnce(call, to: member, headers)["token"]?.text.map { Secret($0.string) }
        } catch {
            guard error.failure?.isWithoutUsers == true else { throw error }
            isWithoutUsers = true
        }
    }
}
