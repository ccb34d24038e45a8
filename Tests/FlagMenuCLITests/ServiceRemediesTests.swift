import FlagRemote
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// Remedies in terms of a service follow from the status of its response.
@Suite struct ServiceRemediesTests {
    private func remedies(_ code: SourceError.Code, status: Int?, _ kind: any SourceKind) -> [String] {
        var error = SourceError(code: code, path: "", sentence: "")
        error.status = status
        return SourceSettings(name: "\(kind.scheme):", kind: kind).remedies(for: error)
    }

    @Test func `Flagsmith names its key, its context or its path`() {
        let kind = FlagsmithKind()
        #expect(
            remedies(.refused, status: 403, kind).first?.contains("Check the environment key in the variable") == true)
        #expect(remedies(.rejected, status: 400, kind).first?.contains("the Edge Proxy requires an identifier") == true)
        #expect(remedies(.missing, status: 404, kind) == ["Check the URL: the source appends \"/api/v1\" to it."])
    }

    @Test func `GrowthBook names its client key and the evaluation`() {
        let remedies = remedies(.rejected, status: 400, GrowthBookKind())
        #expect(
            remedies.first?.contains("GROWTHBOOK_CLIENT_KEY") == true && remedies.first?.contains("remoteEval") == true)
    }

    @Test func `without a response the remedies are those of all services`() {
        #expect(remedies(.unreachable, status: nil, FlagsmithKind()).last?.contains("HTTPS_PROXY") == true)
        #expect(remedies(.missing, status: nil, StatsigKind()).first?.contains("or check whether the service") == true)
        #expect(remedies(.missing, status: 404, StatsigKind()).first?.contains("featureassets.org") == true)
    }
}
