import FlagModel
import FlagRemote
import FlagSourceFile

/// A source as the settings of a run name it.
struct SourceSetting: Sendable {
    /// The absolute path of a file, or a service such as `ofrep:https://flags.example.com`.
    let name: String
    /// The object of the project file that it stands in; `nil` where it is named without one.
    var options: JSONValue?
    /// What the tester has decided, which lies over ``options``.
    var own = OwnContext()
    /// The folder that paths in that object start from.
    var folder = "/"
    /// What tells it from another source of the same name, such as `server`; `nil` where none has it.
    var label: String?

    /// What kind of service it is; `nil` for a file.
    var kind: ServiceKind? { ServiceKind.named(by: name) }

    /// The path of a file; `nil` for a service.
    var path: String? { kind == nil ? name : nil }

    /// What stands behind the kind, or the whole URL of a document; empty for a file.
    var address: String { kind.map { $0.isURL ? name : String(name.dropFirst($0.scheme.count + 1)) } ?? "" }

    /// The name without secrets, by which no other source of the run goes.
    var shown: String { (kind.map { "\(prefix(of: $0))\(RedactedURL.text(address))" } ?? name) + suffix }

    private func prefix(of kind: ServiceKind) -> String { kind.isURL ? "" : "\(kind.scheme):" }

    /// What stands behind the name, where that needs it.
    var suffix: String { label.map { " (\($0))" } ?? "" }

    /// Whether somebody means this source: by its name as messages have it, or as settings spell it.
    func isNamed(_ typed: String) -> Bool { typed == shown || typed == name + suffix }

    /// The host or the project of a service, the path of a file.
    var place: String {
        guard kind != nil else { return name }
        return SourceURL(address)?.authority ?? RedactedURL.text(address)
    }

    /// The name for where there is little room, as messages and the menu's title have it.
    var title: String { shortName + suffix }

    /// The same without what tells it from others.
    var shortName: String {
        guard let kind else { return FilePath.name(of: name) }
        let document = kind.isURL ? SourceURL(address)?.documentName : nil
        return document ?? "\(prefix(of: kind))\(place)"
    }

    /// Why the service cannot even be asked; `nil` where it can, and for files.
    func hindrance(_ environment: Environment, _ client: @autoclosure () -> SourceClient) -> SourceError? {
        do throws(SourceError) {
            _ = try service(environment, client())
            return nil
        } catch {
            return error
        }
    }

    /// The service; `nil` for a file.
    private func service(
        _ environment: Environment, _ client: @autoclosure () -> SourceClient, _ files: StateFiles? = nil
    ) throws(SourceError) -> (any RemoteSource)? {
        guard let kind else { return nil }
        return try kind.source(ServiceSetting(self, environment, client(), files))
    }

    /// The source itself. Nothing is asked yet; what cannot be right is told when it is.
    ///
    /// - Parameters:
    ///   - files: where it may keep what has to outlive the run.
    ///   - keptIdentity: under which identity something is kept of a source that cannot be asked.
    func source(
        _ environment: Environment, _ client: @autoclosure () -> SourceClient, keepingIn files: StateFiles,
        keptIdentity: (SourceIdentity) -> SourceIdentity?
    ) -> any RemoteSource {
        do throws(SourceError) {
            guard var service = try service(environment, client(), files) else {
                return FileSource(path: name, evaluate: TemplateFile.refinement(self))
            }
            if let hindered = service as? HinderedSource, let identity = keptIdentity(hindered.identity) {
                service = hindered.keeping(identity)
            }
            return service
        } catch {
            return HinderedSource(shown, named: title, error)
        }
    }
}

extension SourceSetting {
    /// Where a service is asked and where it streams, as far as settings tell.
    func addresses(_ environment: Environment) -> [SourceURL] {
        guard let kind else { return [] }
        func text(_ member: String) -> String? { self.member(member)?.text?.string }
        let streams = text("streamURL").map { [$0] } ?? []
        let named = text("url") ?? kind.addressVariable.flatMap { address.isEmpty ? environment[$0] : nil }
        let texts = named.map { [$0] } ?? (SourceURL(address) == nil ? kind.homes : [address])
        return (texts + streams).compactMap { SourceURL($0) }
    }
}
