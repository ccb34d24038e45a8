import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTeamEtcd

/// A team made from settings. If these are not valid, cached values stay in use, and writes fail with the reason.
struct ConfiguredTeam: TeamLayer {
    let source: any RemoteSource
    let readOnlyReason: String?
    private let team: Result<EtcdTeam, SourceError>

    init(_ setting: SourceSettings, _ settings: Settings, _ services: Services) {
        readOnlyReason = settings.configuration.readOnlyReason
        let client = services.teamClient
        do throws(SourceError) {
            let team = try SourceRegistry.team.team(setting, client)
            (self.team, source) = (.success(team), team.source)
        } catch {
            team = .failure(error)
            let unavailable = try? setting.source(SourceRegistry.team, client)
            source = unavailable ?? UnavailableSource(setting.shown, named: setting.title, error)
        }
    }

    func apply(_ request: TeamRequest, by author: String) async throws(SourceError) -> TeamCommit {
        try await team.get().apply(request, by: author)
    }

    func history(limit: Int?) async throws(SourceError) -> [TeamChange] { try await team.get().history(limit: limit) }
}
