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
        var meaning = SourceError(code: known.code, path: error.path, sentence: known.sentence)
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
