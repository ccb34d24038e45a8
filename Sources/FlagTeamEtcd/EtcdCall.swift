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
    private static func keyMembers(_ prefix: String) -> [(String, JSONOutput)] {
        var end = Array(prefix.utf8)
        // Prefixes end with "/", so the last byte can always be one higher.
        end[end.count - 1] += 1
        return [("key", base64(prefix)), ("range_end", .string(Base64Text.text(end)))]
    }

    private static func base64(_ text: String) -> JSONOutput { .string(Base64Text.text(text.utf8)) }

    /// A 64-bit number, which JSON readers of 53 bits would round.
    private static func number(_ value: Int64) -> JSONOutput { .string(String(value)) }

    // A transaction, and its parts.

    /// A transaction: operations that are made together if all conditions are true.
    static func transaction(
        if conditions: [JSONOutput] = [], _ operations: [JSONOutput], otherwise reads: [JSONOutput] = []
    ) -> EtcdCall {
        let parts = [("compare", conditions), ("success", operations), ("failure", reads)]
        return EtcdCall(path: "/v3/kv/txn", body: .object(parts.map { ($0, .array($1)) }))
    }

    /// The condition that a key was last changed at a revision; 0 if it must not exist.
    static func unchanged(_ key: String, since revision: Int64) -> JSONOutput {
        .object([
            ("target", .string("MOD")), ("result", .string("EQUAL")), ("key", base64(key)),
            ("mod_revision", number(revision)),
        ])
    }

    /// Writes a key, which ends with a lease, if there is one.
    static func put(_ key: String, _ value: String, lease: Int64? = nil) -> JSONOutput {
        let members = [("key", base64(key)), ("value", base64(value))]
        return operation("put", members + (lease.map { [("lease", number($0))] } ?? []))
    }

    /// Removes a key.
    static func remove(_ key: [UInt8]) -> JSONOutput {
        operation("delete_range", [("key", .string(Base64Text.text(key)))])
    }

    /// Counts the keys with a prefix.
    static func count(_ prefix: String) -> JSONOutput {
        operation("range", keyMembers(prefix) + [("count_only", .bool(true))])
    }

    /// Reads a key.
    static func read(_ key: String) -> JSONOutput { operation("range", [("key", base64(key))]) }

    private static func operation(_ name: String, _ members: [(String, JSONOutput)]) -> JSONOutput {
        .object([("request_\(name)", .object(members))])
    }
}
