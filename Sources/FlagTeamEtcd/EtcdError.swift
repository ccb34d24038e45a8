import FlagRemote

/// Why a call failed, with etcd's explanation if it responded.
struct EtcdError: Error {
    let error: SourceError
    let failure: EtcdFailure?

    /// The error of a call, in the words of etcd's failures.
    init(_ error: SourceError, _ failure: EtcdFailure? = nil) {
        self.failure = failure
        guard let failure, let (code, sentence) = Self.meaning(of: failure) else {
            self.error = error
            return
        }
        var meaning = SourceError(code: code, path: error.path, sentence: sentence)
        meaning.status = error.status
        self.error = meaning
    }

    /// The error that a stream reports.
    init(_ failure: EtcdFailure, of source: String) {
        let sentence = "the member ended the stream of changes (\(failure.message)); reconnecting"
        self.init(SourceError(code: .unreachable, path: source, sentence: sentence), failure)
    }

    private static func meaning(of failure: EtcdFailure) -> (SourceError.Code, String)? {
        if failure.isOutOfSpace {
            return (
                .faulty,
                "etcd has no space left (alarm NOSPACE); its operator must compact and defragment it, then disarm the alarm"
            )
        }
        if failure.needsUser {
            return (.refused, "etcd requires a user; set ETCDCTL_USER and ETCDCTL_PASSWORD")
        }
        if failure.isPermissionDenied {
            return (.refused, "etcd does not permit this to the user; ask its operator for access to the prefix")
        }
        if failure.message.contains("authentication failed") {
            return (.refused, "etcd rejected the user or the password; check ETCDCTL_USER and ETCDCTL_PASSWORD")
        }
        if failure.message.contains("CommonName") {
            return (
                .refused,
                "etcd's gateway does not accept a client certificate as the user; set ETCDCTL_USER and ETCDCTL_PASSWORD"
            )
        }
        if failure.message.contains("no leader") {
            return (.faulty, "the cluster has no leader, as a majority of its members cannot be reached; retry later")
        }
        return nil
    }

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
