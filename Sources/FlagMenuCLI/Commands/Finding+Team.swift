import FlagModel
import FlagRemote
import FlagWorkspace
import Flags

extension Finding {
    /// The finding about the team, which is requested; empty without a team.
    static func team(_ settings: Settings) -> [Finding] {
        guard let team = settings.team else { return [] }
        do throws(CommandFailure) {
            let run = try RunStore(settings, isDiagnosis: true, isPrompting: false)
            run.openRemote()
            run.fetchTeam()
            guard let reading = run.flags.teamReading else { return [] }
            let now = SourceClock.system.now()
            let summary = [team.shown, reading.overrides.count.counted("value")] + team.credentialWords
            return [
                Finding(
                    subject: "team", issues: [reading.error(at: now)].compactMap { $0 } + reading.issues,
                    summary: summary.joined(separator: ", "), failure: reading.error == nil ? nil : .remote,
                    remedies: reading.error.map { team.remedies(for: $0) } ?? [])
            ]
        } catch {
            return [failure("team", error)]
        }
    }
}
