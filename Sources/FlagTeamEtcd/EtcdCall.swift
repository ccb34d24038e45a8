import FlagModel
import FlagRemote

/// A call of etcd's JSON gateway (`api/etcdserverpb/rpc.proto`): a path and a body. Keys and values are Base64.
struct EtcdCall: Sendable {
    let path: String
    let body: JSONOutput

    /// How a call reads a range of keys.
    enum Part {
        /// The entry that changed last, and the number of all entries.
        case lastChanged
        /// At most this many entries, the newest or the oldest first.
        case newest(Int)
        case oldest(Int)
        case all
    }

    /// Reads the keys with a prefix, from the newest state that a majority of members has.
    static func range(_ prefix: String, _ part: Part = .all, keysOnly: Bool = false) -> EtcdCall {
        EtcdCall(path: "/v3/kv/range", body: .object(rangeMembers(prefix, part, keysOnly: keysOnly)))
    }

    /// Reports changes of keys with a prefix, from a revision on.
    static func watch(_ prefix: String, from revision: Int64) -> EtcdCall {
        let members = keyMembers(prefix) + [("start_revision", number(revision))]
        return EtcdCall(path: "/v3/watch", body: .object([("create_request", .object(members))]))
    }

    /// Requests a token for a user.
    static func authenticate(_ user: Secret, _ password: Secret) -> EtcdCall {
        EtcdCall(
            path: "/v3/auth/authenticate",
            body: .object([("name", .string(user.reveal())), ("password", .string(password.reveal()))]))
    }

    /// Grants a lease; keys with this lease end with it.
    static func grant(seconds: Int64) -> EtcdCall {
        EtcdCall(path: "/v3/lease/grant", body: .object([("TTL", number(seconds))]))
    }

    private static func rangeMembers(_ prefix: String, _ part: Part, keysOnly: Bool) -> [(String, JSONOutput)] {
        var members = keyMembers(prefix)
        switch part {
        case .all: break
        case .lastChanged: members += first(1, by: "MOD", "DESCEND")
        case .newest(let limit): members += first(limit, by: "CREATE", "DESCEND")
        case .oldest(let limit): members += first(limit, by: "CREATE", "ASCEND")
        }
        return members + (keysOnly ? [("keys_only", .bool(true))] : [])
    }

    private static func first(_ limit: Int, by target: String, _ order: String) -> [(String, JSONOutput)] {
        [("sort_target", .string(target)), ("sort_order", .string(order)), ("limit", .integer(limit))]
    }

    /// The range of all keys with a prefix: up to the prefix with its last byte one higher.
    fileprivate static func keyMembers(_ prefix: String) -> [(String, JSONOutput)] {
        var end = Array(prefix.utf8)
        // Prefixes end with "/", so the last byte can always be one higher.
        end[end.count - 1] += 1
        return [("key", base64(prefix)), ("range_end", .string(Base64Text.text(end)))]
    }

    private static func base64(_ text: String) -> JSONOutput { .string(Base64Text.text(text.utf8)) }

    /// A 64-bit number, which JSON readers of 53 bits would round.
    private static func number(_ value: Int64) -> JSONOutput { .string(String(value)) }
}

/// A transaction: operations that are made together if all conditions are true.
struct EtcdTransaction: Sendable {
    private var conditions: [JSONOutput] = []
    private var operations: [JSONOutput] = []
    private var reads: [JSONOutput] = []

    /// Requires that a key was last changed at a revision; 0 if it must not exist.
    mutating func require(_ key: String, changedAt revision: Int64) {
        conditions.append(
            .object([
                ("target", .string("MOD")), ("result", .string("EQUAL")), ("key", Self.base64(key)),
                ("mod_revision", .string(String(revision))),
            ]))
    }

    /// Writes a key.
    ///
    /// - Parameter lease: the lease with which the key ends; `nil` if it stays.
    mutating func put(_ key: String, _ value: String, lease: Int64? = nil) {
        let members = [("key", Self.base64(key)), ("value", Self.base64(value))]
        let leaseMembers = lease.map { [("lease", JSONOutput.string(String($0)))] } ?? []
        operations.append(.object([("request_put", .object(members + leaseMembers))]))
    }

    /// Removes a key.
    mutating func remove(_ key: some Collection<UInt8>) {
        operations.append(
            .object([("request_delete_range", .object([("key", .string(Base64Text.text(key)))]))]))
    }

    /// Counts the keys with a prefix if the operations are made.
    mutating func count(_ prefix: String) {
        operations.append(
            .object([("request_range", .object(EtcdCall.keyMembers(prefix) + [("count_only", .bool(true))]))]))
    }

    /// Reads a key if the operations are not made.
    mutating func readOtherwise(_ key: String) {
        reads.append(.object([("request_range", .object([("key", Self.base64(key))]))]))
    }

    /// The call.
    var call: EtcdCall {
        EtcdCall(
            path: "/v3/kv/txn",
            body: .object([
                ("compare", .array(conditions)), ("success", .array(operations)), ("failure", .array(reads)),
            ]))
    }

    private static func base64(_ text: String) -> JSONOutput { .string(Base64Text.text(text.utf8)) }
}
