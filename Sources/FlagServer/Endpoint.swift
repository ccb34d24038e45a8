#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore

/// What the server does for the methods of one path.
struct Endpoint {
    /// What the server does for one method.
    enum Action {
        /// Responds to a request that may read.
        case read((Request, AccessPolicy.Access) async throws -> Response)
        /// Responds to a request that anyone may send, and that has an effect.
        case login((Request) throws -> Response)
        /// Changes something; returns the body of the response.
        case write(@Sendable (_ body: [UInt8]) throws -> JSONOutput)
    }

    private let actions: [(method: HTTPRequest.Method, action: Action)]

    init(_ actions: (HTTPRequest.Method, Action)...) { self.actions = actions }

    /// The action for a method; `nil` if the path does not have it.
    subscript(method: HTTPRequest.Method) -> Action? {
        if let match = actions.first(where: { $0.method == method }) { return match.action }
        // Reading with HEAD is reading with GET, without the body. It has no effect, so it is not for a login.
        guard method == .head, let get = self[.get], case .read = get else { return nil }
        return get
    }

    /// The methods of the path, for the header `Allow`.
    var methods: String {
        let methods = actions.map(\.method) + (self[.head] == nil ? [] : [.head])
        return methods.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
#endif
