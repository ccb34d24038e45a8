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
        /// Changes something; returns the body of the response.
        case write(@Sendable (_ body: [UInt8]) throws -> JSONOutput)
    }

    private let actions: [(method: HTTPRequest.Method, action: Action)]

    init(_ actions: (HTTPRequest.Method, Action)...) { self.actions = actions.map { (method: $0.0, action: $0.1) } }

    /// The action for a method; `nil` if the path does not have it.
    subscript(method: HTTPRequest.Method) -> Action? { actions.first { $0.method == method }?.action }

    /// The methods of the path, for the header `Allow`.
    var methods: String { actions.map(\.method.rawValue).sorted().joined(separator: ", ") }
}
#endif
