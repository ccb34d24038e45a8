import FlagModel
import FlagRemote

/// One service as the settings of a run have it, for whoever makes a source of that.
struct ServiceSetting: Sendable {
    /// What stands behind `ofrep:` and the like.
    let address: String
    /// The name without secrets, as messages have it.
    let name: String
    /// What asks it.
    let client: SourceClient
    /// Where it may keep what has to outlive the run; `nil` where nothing is asked.
    let files: StateFiles?
    /// Where what lets in is looked for.
    let search: CredentialSearch

    init(
        _ setting: SourceSetting, _ environment: Environment, _ client: SourceClient, _ files: StateFiles? = nil
    ) {
        self.files = files
        address = setting.address
        name = setting.shortName
        search = CredentialSearch(setting: setting, environment: environment)
        self.client = client
    }

    /// A member of the project file's entry, whose form was checked when the file was read, with what the tester has
    /// decided over it.
    func member(_ name: String) -> JSONValue? { search.setting.member(name) }

    /// A member that is a text.
    func text(_ name: String) -> String? { search.text(name) }

    /// A member that is a whole number.
    func number(_ name: String) -> Int? { member(name).flatMap { Int($0.source) } }

    /// An environment variable that is set and not empty.
    func variable(_ name: String) -> String? { search.environment[name] }

    /// That the source cannot be made, or cannot be asked.
    ///
    /// - Parameter remedies: what to do about it, where that is more than the sentence says.
    func failure(_ sentence: String, _ remedies: [String] = []) -> SourceError {
        SourceError(code: .rejected, path: name, sentence: sentence, cause: nil, remedies: remedies)
    }

    /// A source that is complete, or where that fails a known one that says why when it is asked: what it said last stays
    /// in use.
    func guarding(
        _ known: any RemoteSource, _ complete: () throws(SourceError) -> any RemoteSource
    ) throws(SourceError) -> any RemoteSource {
        do throws(SourceError) {
            return try complete()
        } catch {
            return HinderedSource(known, named: name, error)
        }
    }
}

/// A source that cannot be asked. Its kept values are found and read as ever.
struct HinderedSource: RemoteSource {
    private(set) var identity: SourceIdentity
    let name: String
    private let known: (any RemoteSource)?
    private let obstacle: SourceError

    var unavailability: SourceError? { obstacle }

    /// A source of which everything is known but how to ask it.
    init(_ known: any RemoteSource, named name: String, _ obstacle: SourceError) {
        (identity, self.name) = (known.identity, name)
        self.known = known
        self.obstacle = obstacle
    }

    /// A source of which nothing is known but how it was written.
    init(_ written: String, named name: String, _ obstacle: SourceError) {
        (identity, self.name) = (SourceIdentity(written), name)
        known = nil
        self.obstacle = obstacle
    }

    /// The same under the identity that its values are kept under: without its credential it is not known of which environment
    /// they are.
    func keeping(_ identity: SourceIdentity) -> HinderedSource {
        var source = self
        source.identity = identity
        return source
    }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer { throw obstacle }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        guard let known else { throw .unknownShape(obstacle.sentence) }
        return try known.decode(bytes)
    }
}
