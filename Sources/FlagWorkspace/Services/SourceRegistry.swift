import FlagFormats
package import FlagModel
import FlagRemote
import FlagSourceFirebase

/// The kinds of sources that a run can read, besides files. Each kind has a line in `standard`.
package struct SourceRegistry: Sendable {
    package let kinds: [any SourceKind]

    /// The built-in kinds.
    package static let standard = SourceRegistry(kinds: [
        OFREPKind(), UnleashKind(), LaunchDarklyKind(), SplitKind(), CloudKitKind(), FirebaseKind(), PostHogKind(),
        FlagsmithKind(), GrowthBookKind(), StatsigKind(), URLKind(),
    ])

    /// etcd, which has the values of a team.
    static let team = EtcdKind()

    /// The texts before the colon in names of services, such as `ofrep`.
    package var schemes: [String] { kinds.map(\.scheme) }

    /// The kind of the source called `name`; `nil` for a file.
    package func kind(of name: String) -> (any SourceKind)? {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return kinds.first { name.hasPrefix("\($0.scheme):") || $0.address.isURL && name.hasPrefix("http:") }
    }

    /// The settings of a source by name.
    package func settings(
        _ name: String, _ options: JSONValue? = nil, in folder: String = "/",
        environment: Environment = Environment()
    ) -> SourceSettings {
        SourceSettings(
            name: name, kind: kind(of: name), options: options, folder: folder, environment: environment)
    }
}

extension SourceSettings {
    /// The evaluation of a template's conditions in the source's documents, which any file may be.
    var templateEvaluation: DocumentEvaluation {
        { bytes, document in
            FirebaseTemplate.evaluated(
                document, of: bytes, in: member("context").map(TemplateContext.init) ?? TemplateContext(),
                forced: member("conditions").map(FirebaseTemplate.forcedConditions) ?? [:])
        }
    }
}
