#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A Split evaluator on 127.0.0.1, and the service with a stream that Split's Python SDK uses. Both serve the same
/// flags. Each flag has the treatment that a test sets, and optionally another treatment for an audience.
public final class LoopbackSplit: Sendable {
    /// The evaluation result of one flag.
    public struct Flag: Sendable {
        let name: String
        var treatment: String
        var config: String?
        let trafficType: String
        let sets: [String]
        let targeted: (audience: LoopbackAudience, treatment: String, config: String?)?

        /// Creates a flag.
        ///
        /// - Parameters:
        ///   - treatment: the treatment for all users outside of the audience.
        ///   - config: the configuration of that treatment, always a string.
        ///   - trafficType: the traffic type of the keys that the flag is evaluated for.
        ///   - sets: the flag sets that contain the flag.
        ///   - targeted: the treatment and its configuration for an audience, which an attribute of the user defines.
        public init(
            _ name: String, _ treatment: String, config: String? = nil, trafficType: String = "user",
            sets: [String] = [],
            targeted: (audience: LoopbackAudience, treatment: String, config: String?)? = nil
        ) {
            (self.name, self.treatment, self.config) = (name, treatment, config)
            (self.trafficType, self.sets, self.targeted) = (trafficType, sets, targeted)
        }

        /// The result for some attributes.
        fileprivate func evaluated(for attributes: JSONValue?) -> Flag {
            guard let targeted, targeted.audience.includes(attributes) else { return self }
            var result = self
            (result.treatment, result.config) = (targeted.treatment, targeted.config)
            return result
        }

        /// The treatment and its configuration, as the evaluator sends them.
        fileprivate var json: JSONOutput { ["treatment": .string(treatment), "config": .text(config)] }

        /// The configurations by treatment.
        var configurations: JSONOutput {
            let outcomes = [(treatment, config)] + (targeted.map { [($0.treatment, $0.config)] } ?? [])
            return .object(present: outcomes.map { ($0.0, $0.1.map { .string($0) }) })
        }
    }

    struct State {
        var flags: [Flag]
        /// Deleted flags. The service continues to send them as archived, so that SDKs remove them.
        var archived: [Flag] = []
        /// The change number of the flags, which increases with each change.
        var changeNumber = 10
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    let state: Mutex<State>
    private let token: String?
    let sdkKey: String

    /// The name of the service's stream.
    public static let stream = "split-events"

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - token: the token that requests to the evaluator need; `nil` for none.
    ///   - sdkKey: the key that requests of SDKs need.
    public init(_ flags: [Flag], token: String? = nil, sdkKey: String = "sdk-key") async throws {
        state = Mutex(State(flags: flags))
        (self.token, self.sdkKey) = (token, sdkKey)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api` appended, but not for the stream.
    public var url: String { server.url }

    /// Replaces all flags and sends an update to subscribed SDKs.
    public func set(_ flags: [Flag]) async {
        let number = replace(flags)
        // SDKs fetch, because the previous change number is not one that they know.
        await report(number, previous: number - 11)
    }

    /// Changes one flag and sends an update that contains the flag to subscribed SDKs.
    public func update(_ flag: Flag) async {
        let number = replace(state.withLock(\.flags).filter { $0.name != flag.name } + [flag])
        let rule = Base64Text.text(Self.rule(flag, number).line.utf8)
        await report(number, previous: number - 10, ["c": 0, "d": .string(rule)])
    }

    /// Replaces all flags, and returns the new change number.
    private func replace(_ flags: [Flag]) -> Int {
        state.withLock { state in
            state.archived = (state.archived + state.flags).filter { old in !flags.contains { $0.name == old.name } }
            state.flags = flags
            state.changeNumber += 10
            return state.changeNumber
        }
    }

    private func report(_ number: Int, previous: Int, _ more: JSONOutput = [:]) async {
        let message: JSONOutput = [
            "type": "SPLIT_UPDATE", "changeNumber": .integer(number), "pcn": .integer(previous),
        ]
        await server.push(Self.event(message.adding(more), channel: Self.flagsChannel), to: Self.stream)
    }
}

// The evaluator.
extension LoopbackSplit {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let reply = serviceReply(to: request) { return reply }
        if let token, request.headers["Authorization"] != token { return .status(401) }
        return treatments(request).map { .tagged($0, for: request) } ?? .status(404)
    }

    /// The treatments that a request selects by names, by sets or by traffic types; `nil` for other requests.
    private func treatments(_ request: LoopbackRequest) -> JSONOutput? {
        func json(_ parameter: String) -> JSONValue? {
            request.query(parameter).flatMap { JSONValue.parsed($0.utf8) }
        }
        func selected(_ parameter: String) -> [String] {
            (request.query(parameter) ?? "").split(separator: ",").map(String.init)
        }
        func entries(_ isIncluded: (Flag) -> Bool) -> JSONOutput {
            .object(flags.filter(isIncluded).map { ($0.name, $0.json) })
        }
        let attributes = json("attributes") ?? request.json?["attributes"]
        let flags = state.withLock { $0.flags }.map { $0.evaluated(for: attributes) }
        switch request.path {
        case "/client/get-treatments-with-config":
            return .object(
                selected("split-names").map { name in
                    (name, (flags.first { $0.name == name } ?? Flag(name, "control")).json)
                })
        case "/client/get-treatments-with-config-by-sets":
            let sets = selected("flag-sets")
            return entries { $0.sets.contains(where: sets.contains) }
        case "/client/get-all-treatments-with-config":
            let types = json("keys").map { Array($0.elements) }?.compactMap { $0["trafficType"]?.text?.string }
            return .object((types ?? []).map { type in (type, entries { $0.trafficType == type }) })
        default: return nil
        }
    }
}
#endif
