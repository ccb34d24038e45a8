#if Network
import FlagModel

/// The versions of one template.
struct FirebaseVersions {
    /// The origin of a version.
    struct Origin {
        var origin = "REST_API"
        var type = "INCREMENTAL_UPDATE"
        var details: String?
        var rollbackSource: Int?
    }

    /// One version.
    struct Version {
        let number: Int
        /// The template without its version.
        let text: String
        let moment: FlagTimestamp
        let origin: Origin

        /// The entry in the list of versions.
        var json: JSONOutput {
            let entry: JSONOutput = [
                "versionNumber": .string(String(number)), "updateTime": .string(moment.rfc3339),
                "updateUser": ["email": "somebody@example.com"], "updateOrigin": .string(origin.origin),
                "updateType": .string(origin.type),
            ]
            return entry.adding(origin.details.map { ["description": .string($0)] })
                .adding(origin.rollbackSource.map { ["rollbackSource": .string(String($0))] })
        }

        /// The template as sent in a response.
        ///
        /// - Parameter members: the sent members; `nil` for all.
        func template(_ members: [String]? = nil) -> String {
            let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root
            let all = (root?.members).map { Array($0) } ?? []
            return JSONOutput.object(
                all.filter { member in
                    member.key != "version" && members.map { $0.contains(member.key.string) } ?? true
                }.map { ($0.key.string, .raw($0.value.source)) } + [("version", json)]
            ).text()
        }
    }

    /// All versions, the oldest first.
    private(set) var all: [Version] = []

    /// The current version; `nil` if there is none.
    var newest: Version? { all.last }

    /// Adds a version and returns it.
    @discardableResult
    mutating func add(_ text: String, at moment: FlagTimestamp, _ origin: Origin) -> Version {
        let version = Version(number: (newest?.number ?? 0) + 1, text: text, moment: moment, origin: origin)
        all.append(version)
        return version
    }
}
#endif
