#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The endpoints of the OpenFeature Remote Evaluation Protocol, version 1.
struct OFREPRoutes: Sendable {
    /// The path of the event stream.
    static let eventsPath = "/ofrep/v1/events"

    let flags: ServedFlags
    let log: ClientLog

    /// Evaluates one flag.
    ///
    /// - Parameter client: the client in the query; by default, the context's targeting key.
    func evaluate(_ key: String, _ body: [UInt8], client: String?) async -> Response {
        do throws(OFREPFailure) {
            let context = try OFREPContext(body: body)
            let client = client ?? context.targetingKey
            let evaluations = try await flags.evaluations(for: client, in: context)
            let evaluation = evaluations.evaluation(of: key)
            log.record(client, key: key, value: evaluation?.value, layer: evaluation?.layer)
            if let evaluation { return Response(json: evaluation.body) }
            let sentence = evaluations.board.sentence(onUnknown: key)
            return Response(json: OFREPEvaluation.notFound(key, sentence), status: .notFound)
        } catch {
            return Response(json: error.json(of: key), status: .badRequest)
        }
    }

    /// The entity tags in `If-None-Match`. A proxy that compresses responses makes tags weak.
    private static func tags(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map {
            let tag = $0.drop { $0 == " " }
            return String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag)
        }
    }

    /// Evaluates all flags; responds 304 if the client has the newest evaluation.
    ///
    /// - Parameter tag: the entity tag that the client has, from `If-None-Match`.
    func evaluateAll(_ body: [UInt8], client: String?, tag: String?) async -> Response {
        do throws(OFREPFailure) {
            let context = try OFREPContext(body: body)
            let client = client ?? context.targetingKey
            let evaluation = try await flags.evaluations(for: client, in: context).all
            log.record(client, key: nil, value: nil, layer: nil)
            let fields: HTTPFields = [.eTag: evaluation.tag]
            if Self.tags(tag).contains(evaluation.tag) { return Response(status: .notModified, headers: fields) }
            return Response(json: evaluation.body, fields: fields)
        } catch {
            return Response(json: error.json(of: nil), status: .badRequest)
        }
    }
}
#endif
