import FlagModel
import FlagRemote

/// A call of etcd's JSON gateway (`api/etcdserverpb/rpc.proto`): a path and a body. Keys and values are Base64.
struct EtcdCall: Sendable {
    let path: String
    let body: JSONOutput

    /// The order of a range, by the creation of the keys.
    enum Order: String {
        case newestFirst = "DESCEND"
        case oldestFirst = "ASCEND"
    }

    /// Reads the keys with a prefix, from the newest state that a majority of members has.
    ///
    /// - Parameters:
    ///   - order: the order of the keys; `nil` for any.
    ///   - limit: the maximum number of keys; 0 for all.
    static func range(_ prefix: String, _ order: Order? = nil, limit: Int = 0) -> EtcdCall {
        let orderMembers = order.map { order -> [(String, JSONOutput)] in
            [("sort_target", .string("CREATE")), ("sort_order", .string(order.rawValue)), ("limit", .integer(limit))]
        }
        return EtcdCall(path: "/v3/kv/range", body: .object(keyMembers(prefix) + (orderMembers ?? [])))
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

    /// The range of all keys with a prefix: up to the prefix with its last byte one higher.
    fileprivate static func keyMembers(_ prefix: String) -> [(String, JSONOutput)] {
        var end = Array(prefix.utf8)
        // Prefixes end with "/", so the last byte can always be one higher.
        end[end.count - 1] += 1
        return [("key", base64(prefix)), ("range_end", .string(Base64Text.text(end)))]
    }

    fileprivate static func base64(_ text: String) -> JSONOutput { .string(Base64Text.text(text.utf8)) }

    /// A 64-bit number, which JSON readers of 53 bits would round.
    fileprivate static func number(_ value: Int64) -> JSONOutput { .string(String(value)) }
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
                ("target", .string("MOD")), ("result", .string("EQUAL")), ("key", EtcdCall.base64(key)),
                ("mod_revision", EtcdCall.number(revision)),
            ]))
    }

    /// Writes a key.
    ///
    /// - Parameter lease: the lease with which the key ends; `nil` if it stays.
    mutating func put(_ key: String, _ value: String, lease: Int64? = nil) {
        let members = [("key", EtcdCall.base64(key)), ("value", EtcdCall.base64(value))]
        let leaseMembers = lease.map { [("lease", EtcdCall.number($0))] } ?? []
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
        reads.append(.object([("request_range", .object([("key", EtcdCall.base64(key))]))]))
    }

    /// The call.
    var call: EtcdCall {
        EtcdCall(
            path: "/v3/kv/txn",
            body: .object([
                ("compare", .array(conditions)), ("success", .array(operations)), ("failure", .array(reads)),
            ]))
    }
}
