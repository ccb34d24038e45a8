#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Features for SDKs that evaluate, and for remote evaluation. One feature targets an audience, and one is an
    /// experiment.
    static func growthBook(_ arguments: [String]) async throws -> ServedService {
        let features: [LoopbackGrowthBook.Feature] = [
            .init("demo", "true"), .init("color", #""blue""#), .init("limit", "42"), .init("ratio", "7.5"),
            .init("screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
            .init("checkout", #""classic""#, targeted: (LoopbackAudience("plan", "pro", "max"), #""express""#)),
            .init("layout", #""list""#, variations: [#""list""#, #""grid""#, #""map""#]),
        ]
        let loopback = try await LoopbackGrowthBook(features)
        return ServedService(
            server: loopback.server,
            facts: [("clientKey", .string(loopback.clientKey)), ("remoteKey", .string(loopback.remoteKey))],
            changes: [
                "update": { loopback.set([.init("demo", "false"), .init("added", #""new""#)]) }
            ])
    }
}
#endif
