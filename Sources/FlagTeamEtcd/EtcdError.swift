import FlagModel
import FlagRemote

/// Why a call failed, with etcd's explanation if it responded.
struct EtcdError: Error {
    let error: SourceError
    let failure: EtcdFailure?

    /// The error of a call, in the words of etcd's failures.
    init(_ error: SourceError, _ failure: EtcdFailure? = nil) {
        self.failure = failure
        guard let failure, let known = Self.meanings.first(where: { failure.message.contains($0.part) }) else {
            self.error = error
            return
        }
        var meaning = SourceError(known.code, of: error.path, known.sentence)
        meaning.status = error.status
        self.error = meaning
    }

    /// What etcd's messages mean, by a part of each.
    private static let meanings: [(part: String, code: SourceError.Code, sentence: String)] = [
        (
            "database space exceeded", .faulty,
            "etcd has no space left (alarm NOSPACE); its operator must compact and defragment it, then disarm the alarm"
        ),
        ("user name is empty", .refused, "etcd requires a user; set ETCDCTL_USER and ETCDCTL_PASSWORD"),
        (
            "permission denied", .refused,
            "etcd does not permit this to the user; ask its operator for access to the prefix"
        ),
        (
            "authentication failed", .refused,
            "etcd rejected the user or the password; check ETCDCTL_USER and ETCDCTL_PASSWORD"
        ),
        (
            "CommonName", .refused,
            "etcd's gateway does not accept a client certificate as the user; set ETCDCTL_USER and ETCDCTL_PASSWORD"
        ),
        (
            "no leader", .faulty,
            "the cluster has no leader, as a majority of its members cannot be reached; retry later"
        ),
    ]

    /// Whether another member may respond better.
    var isAboutMember: Bool {
        if let failure { return failure.isTransient }
        return ![.refused, .cancelled, .rejected].contains(error.code)
    }

    /// Whether a write that failed with this error is known not to be made.
    var isSureNotMade: Bool {
        if let failure { return failure.isSureNotMade }
        switch error.cause {
        case .unconnected, .unknownHost: return true
        default: return [.insecure, .rejected].contains(error.code)
        }
    }
}

/// One key of a response.
struct EtcdEntry: Sendable, Hashable {
    /// The bytes of the key, which need not be text.
    let key: [UInt8]
    let value: [UInt8]
    /// The revision that last changed the key.
    let changedAt: Int64
    /// The revision that created the key.
    let createdAt: Int64

    /// Reads an entry; `nil` if it has no key. Members that are zero are left out by etcd.
    init?(_ json: JSONValue) {
        guard let key = json["key"]?.bytes else { return nil }
        self.key = key
        value = json["value"]?.bytes ?? []
        changedAt = json["mod_revision"]?.number ?? 0
        createdAt = json["create_revision"]?.number ?? 0
    }
}

/// The response to a range, or to the part of a transaction that reads.
struct EtcdRange: Sendable {
    /// The revision of the whole store.
    let revision: Int64
    let entries: [EtcdEntry]
    /// The number of keys in the range, also of those that were not requested.
    let count: Int

    init(_ json: JSONValue) {
        revision = json["header"]?["revision"]?.number ?? 0
        entries = json["kvs"]?.elements.compactMap(EtcdEntry.init) ?? []
        count = Int(json["count"]?.number ?? 0)
    }
}

/// The explanation in an error response. Versions of etcd, and streams, place its parts differently.
struct EtcdFailure: Sendable, Hashable {
    let message: String
    let code: Int64

    init?(_ json: JSONValue) {
        let error = json["error"]
        guard let text = json["message"] ?? error?["message"] ?? error, let message = text.text?.string else {
            return nil
        }
        self.message = message
        code = json["code"]?.number ?? error?["grpc_code"]?.number ?? 0
    }

    /// Why a watch has ended.
    init(message: String) { (self.message, code) = (message, 0) }

    init?(_ body: [UInt8]) {
        guard let root = (try? JSONDocument(parsing: body))?.root else { return nil }
        self.init(root)
    }

    /// Whether a new token may help.
    var isAboutToken: Bool { code == 16 || message.contains("invalid auth token") }
    /// Whether the cluster requires a user, and the request had none.
    var needsUser: Bool { message.contains("user name is empty") }
    /// Whether the cluster does not know users.
    var isWithoutUsers: Bool { message.contains("authentication is not enabled") }
    /// Whether another member may respond better, or the same one a little later.
    var isTransient: Bool { [2, 4, 14].contains(code) || message.contains("deadline exceeded") }
    /// Whether a write with this failure is known not to be made.
    var isSureNotMade: Bool { !isTransient || message.contains("no leader") }
}

extension JSONValue {
    /// A 64-bit number, which etcd writes as a string.
    var number: Int64? { kind == .number ? Int64(source) : text.flatMap { Int64($0.string) } }
    /// Decoded Base64.
    var bytes: [UInt8]? { text.flatMap { Base64Text.bytes($0.string) } }
}
