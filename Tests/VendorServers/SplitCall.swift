#if Network
import FlagModel
import FlagTesting

/// A request for treatments: `get-treatment`, `get-treatments`, `get-treatments-by-sets` or `get-all-treatments`. Each
/// operation also has a form with `-with-config`.
struct SplitCall {
    private enum Kind { case one, names, sets, all }

    private let kind: Kind
    private let includesConfig: Bool

    /// Parses the last part of the path; `nil` for other requests.
    init?(_ operation: String) {
        switch operation {
        case "get-treatment": (kind, includesConfig) = (.one, false)
        case "get-treatment-with-config": (kind, includesConfig) = (.one, true)
        case "get-treatments": (kind, includesConfig) = (.names, false)
        case "get-treatments-with-config": (kind, includesConfig) = (.names, true)
        case "get-treatments-by-sets": (kind, includesConfig) = (.sets, false)
        case "get-treatments-with-config-by-sets": (kind, includesConfig) = (.sets, true)
        case "get-all-treatments": (kind, includesConfig) = (.all, false)
        case "get-all-treatments-with-config": (kind, includesConfig) = (.all, true)
        default: return nil
        }
    }

    private var selectionParameter: String {
        switch kind {
        case .one: "split-name"
        case .names: "split-names"
        case .sets: "flag-sets"
        case .all: "keys"
        }
    }

    /// The error response in the evaluator's words; `nil` if the request is valid.
    func rejection(to request: LoopbackRequest) -> LoopbackReply? {
        var sentences: [String] = []
        let names = kind == .all ? [selectionParameter] : ["key", selectionParameter]
        for name in names where (request.query(name) ?? "").isEmpty {
            sentences.append("you passed a null or undefined \(name), \(name) must be a non-empty string.")
        }
        if let attributes = request.query("attributes"), Self.json(attributes)?.kind != .object {
            sentences.append("attributes must be a plain object.")
        }
        if kind == .all, let keys = request.query("keys"), Self.json(keys)?.kind != .array {
            sentences.append("keys must be a valid JSON array.")
        }
        if request.body.count > 300_000 { return .status(413) }
        guard !sentences.isEmpty else { return nil }
        return .json(
            JSONOutput.object([("error", .array(sentences.map { .string($0) }))]).text(indented: false), status: 400)
    }

    func respond(_ request: LoopbackRequest, _ flags: [LoopbackSplit.Flag]) -> JSONOutput {
        let attributes = request.query("attributes").flatMap(Self.json) ?? request.json?["attributes"]
        let flags = flags.map { $0.evaluated(for: attributes) }
        let names = (request.query(selectionParameter) ?? "").split(separator: ",").map(String.init)
        switch kind {
        case .one:
            let flag = flags.first { $0.name == names.first }
            return .object([("splitName", .string(names.first ?? ""))] + members(flag))
        case .names:
            return .object(names.map { name in (name, .object(members(flags.first { $0.name == name }))) })
        case .sets:
            return entries(flags.filter { flag in flag.sets.contains(where: names.contains) })
        case .all:
            let keys = request.query("keys").flatMap(Self.json).map { Array($0.elements) } ?? []
            let types = keys.compactMap { $0["trafficType"]?.text?.string }
            return .object(types.map { type in (type, entries(flags.filter { $0.trafficType == type })) })
        }
    }

    private func entries(_ flags: [LoopbackSplit.Flag]) -> JSONOutput {
        .object(flags.map { ($0.name, .object(members($0))) })
    }

    /// The members of a treatment; `control` for an unknown flag.
    private func members(_ flag: LoopbackSplit.Flag?) -> [(String, JSONOutput)] {
        let treatment: [(String, JSONOutput)] = [("treatment", .string(flag?.treatment ?? "control"))]
        guard includesConfig else { return treatment }
        return treatment + [("config", flag?.config.map { .string($0) } ?? .null)]
    }

    private static func json(_ text: String) -> JSONValue? { try? JSONDocument(parsing: Array(text.utf8)).root }
}
#endif
