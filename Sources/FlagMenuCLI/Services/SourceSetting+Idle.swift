import FlagModel

/// A setting of a source that changes nothing as things are.
struct IdleSetting: Sendable, Equatable {
    /// Its name.
    let member: String
    /// Why it changes nothing, the end of a sentence.
    let reason: String
}

// Settings that somebody relies on and nobody reads.
extension SourceSetting {
    /// The members of the project file's entry that change nothing, in their order.
    func idleSettings(_ environment: Environment) -> [IdleSetting] {
        guard let options else { return [] }
        let names = options.members.map(\.key.string).filter { $0 != "source" }
        guard let kind else {
            let read = SourceMembers.evaluation.map(\.name)
            return names.filter { !read.contains($0) }.map {
                IdleSetting(member: $0, reason: "a file needs no such setting")
            }
        }
        let known = kind.allMembers.map(\.name) + kind.evaluationMembers
        let idle = kind.idleSettings(CredentialSearch(setting: self, environment: environment))
        return names.compactMap { name in
            guard known.contains(name) else {
                return IdleSetting(member: name, reason: "sources of \"\(kind.scheme):\" have no such setting")
            }
            return idle.first { $0.member == name }
        }
    }
}
