import FlagModel
import FlagSourceSupport

/// One service as the settings of a run have it, for whoever makes a source of that.
struct ServiceSetting: Sendable {
    /// What stands behind `ofrep:` and the like.
    let address: String
    /// The setting without secrets, as messages name it.
    let shown: String
    /// What asks it.
    let client: SourceClient
    /// Where it may keep what has to outlive the run; `nil` where nothing is asked.
    let files: StateFiles?
    private let setting: SourceSetting
    private let variables: EnvironmentVariables
    /// Where paths in variables start.
    private let workingDirectory: String

    init(
        _ setting: SourceSetting, _ environment: Environment, _ client: SourceClient, _ files: StateFiles? = nil
    ) {
        self.files = files
        address = setting.address
        shown = setting.shown
        self.setting = setting
        variables = environment.variables
        workingDirectory = environment.workingDirectory
        self.client = client
    }

    private var folder: String { setting.folder }

    /// A member of the project file's entry, whose form was checked when the file was read, with what the tester has
    /// decided over it.
    func member(_ name: String) -> JSONValue? { setting.member(name) }

    /// A member that is a text.
    func text(_ name: String) -> String? { member(name)?.text?.string }

    /// A member that is a whole number.
    func number(_ name: String) -> Int? { member(name).flatMap { Int($0.source) } }

    /// An environment variable that is set and not empty.
    func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A credential, from the variable or the file that the project file names, else from a variable of a usual name.
    ///
    /// - Throws: that it is not where the project file says. Its text is in no error.
    func secret(_ name: String, _ usual: String) throws(SourceError) -> Secret? {
        if let variable = text("\(name)Variable") {
            let shown = VariableName.shown(variable, member: "\(name)Variable")
            guard let value = self.variable(variable) else {
                throw failure("\(shown) is to hold the \(name), but is not set; set it")
            }
            return try secret(in: value, name, of: shown)
        }
        if let file = text("\(name)File") { return try secret(inFile: file, name) }
        return try variable(usual).map { value throws(SourceError) in
            try secret(in: value, name, of: "the variable \(usual)")
        }
    }

    /// The path of a file that lets in, which a member of the project file's entry names, else a variable; `nil` where neither
    /// does.
    ///
    /// - Throws: that the credential itself stands in the path's place. Its text is in no error.
    func credentialPath(_ member: String) throws(SourceError) -> String? {
        try text(member).map { text throws(SourceError) in
            try path(text, in: folder, named: "the member \"\(member)\" in flagmenu.json")
        }
    }

    /// The same of a variable.
    func credentialPath(ofVariable variable: String) throws(SourceError) -> String? {
        guard let text = self.variable(variable) else { return nil }
        _ = try path(text, in: workingDirectory, named: "the variable \(variable)")
        return text
    }

    private func path(_ text: String, in folder: String, named naming: String) throws(SourceError) -> String {
        guard let path = CredentialFile.path(text, in: folder) else {
            throw failure(
                "\(naming) is to hold the path of a file, but there is no such file, and it may be the credential itself "
                    + "that stands there; write that to a file that nobody else reads, and name its path")
        }
        return path
    }

    /// In bytes; no token is as long.
    private static let sizeLimit = 64 << 10

    private func secret(inFile file: String, _ name: String) throws(SourceError) -> Secret {
        let shown = CredentialFile.shown(file, member: "\(name)File", in: folder)
        let bytes: [UInt8]
        do throws(SourceError) {
            bytes = try SourceFileBytes(path: FilePath.resolve(file, in: folder), limit: Self.sizeLimit).bytes
        } catch {
            // What is no path may be too long for one, and is no less a credential.
            let reason =
                error.code == .missing
                ? "there is no such file"
                : CredentialFile.isMistaken(file, in: folder) ? "cannot be read" : error.sentence
            throw failure("\(shown) is to hold the \(name), but \(reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("\(shown) is to hold the \(name), but holds no text")
        }
        return try secret(in: text, name, of: shown)
    }

    /// A credential alone in its place, be there a line feed behind it. One with others in it would end a line of the request.
    private func secret(in text: String, _ name: String, of shown: String) throws(SourceError) -> Secret {
        if let keyFile = setting.kind?.keyFile, let member = keyFile.member(text),
            let title = keyFile.files.first(where: { $0.member == member })?.title
        {
            throw failure(
                "\(shown) is to hold the \(name) and nothing else, but what it holds is \(title); name that file with "
                    + "\"\(member)\" in flagmenu.json")
        }
        if text.first(where: { !$0.isWhitespace }) == "{" {
            throw failure(
                "\(shown) is to hold the \(name) and nothing else, but holds JSON; keep only the \(name) itself there, in "
                    + "one line")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 1, let line = lines.first else {
            let found = lines.isEmpty ? "nothing but line feeds" : "\(lines.count) lines"
            throw failure(
                "\(shown) is to hold the \(name) in one line and nothing else, but holds \(text.isEmpty ? "nothing" : found)"
            )
        }
        guard line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw failure("\(shown) is to hold the \(name) and nothing else, but holds a control character")
        }
        return Secret(String(line))
    }

    private func failure(_ sentence: String) -> SourceError {
        SourceError(code: .rejected, path: shown, sentence: sentence)
    }

    /// A source that is complete, or where that fails a known one that says why when it is asked: what it said last stays
    /// in use.
    func guarding(
        _ known: any RemoteSource, _ complete: () throws(SourceError) -> any RemoteSource
    ) throws(SourceError) -> any RemoteSource {
        do throws(SourceError) {
            return try complete()
        } catch {
            return HinderedSource(known, error)
        }
    }
}

/// A source that cannot be asked. Its kept values are found and read as ever.
struct HinderedSource: RemoteSource {
    private(set) var identity: String
    let name: String
    private let known: (any RemoteSource)?
    private let obstacle: SourceError

    /// A source of which everything is known but how to ask it.
    init(_ known: any RemoteSource, _ obstacle: SourceError) {
        (identity, name) = (known.identity, known.name)
        self.known = known
        self.obstacle = obstacle
    }

    /// A source of which nothing is known but how it was written.
    init(named name: String, _ obstacle: SourceError) {
        (identity, self.name) = (name, name)
        known = nil
        self.obstacle = obstacle
    }

    /// The same under the identity that its values are kept under: without its credential it is not known of which environment
    /// they are.
    func keeping(_ identity: String) -> HinderedSource {
        var source = self
        source.identity = identity
        return source
    }

    func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { throw obstacle }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        guard let known else { throw .unknownShape(obstacle.sentence) }
        return try known.decode(bytes)
    }
}
