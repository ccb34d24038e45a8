import Essentials
package import FlagModel
package import FlagRemote
import FlagSourceHTTP
package import FlagStorage

/// The server that `flagmenu serve` runs for an app, as other commands of this user find it.
package struct RunningServer: Codable, Equatable, Sendable {
    /// The server's address, as clients reach it.
    package let url: String
    /// The IP address at which programs on this machine reach the server.
    let address: String
    /// The token for writing.
    package let token: String
    /// The token for reading; `nil` if reading needs none.
    let readToken: String?
    /// The path of the server's certificate chain; `nil` without TLS.
    let certificate: String?

    package init(url: String, address: String, token: String, readToken: String?, certificate: String?) {
        (self.url, self.address, self.token) = (url, address, token)
        (self.readToken, self.certificate) = (readToken, certificate)
    }

    /// The server in a file; `nil` if there is no file, or it cannot be read.
    package init?(file path: String) {
        guard let bytes = try? DurableFile.read(path),
            let server = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = server
    }

    /// The path of the file of the server, which only this user can read.
    package static func file(in stateDirectory: String) -> String { FilePath.join(stateDirectory, "server.json") }

    private static func lockFile(in stateDirectory: String) -> String { FilePath.join(stateDirectory, "server.lock") }

    /// The server of an app; `nil` if none is running.
    ///
    /// The file alone does not count: a server that was killed leaves it behind, and any program that gets its port would
    /// get the token. A server that is killed between this check and a request is not noticed.
    package static func running(in settings: Settings) -> RunningServer? {
        guard ProcessLock.isLocked(lockFile(in: settings.stateDirectory)) else { return nil }
        return RunningServer(file: file(in: settings.stateDirectory))
    }

    /// Makes this process the app's server, until the lock is released.
    ///
    /// Two servers of one app would replace each other's file, and commands would find only one of them.
    ///
    /// - Returns: `nil`, after a warning, if the lock file cannot be used.
    /// - Throws: that another server runs. One that was killed does not count.
    package static func lock(in settings: Settings) throws(CommandFailure) -> ProcessLock? {
        let lock: ProcessLock?
        do throws(StorageError) {
            lock = try ProcessLock(lockFile(in: settings.stateDirectory))
        } catch {
            StandardError.warn(
                "\(error) Nothing keeps a second server of \(settings.app) from starting, and commands find neither.")
            return nil
        }
        if let lock {
            // The lock must not vouch for a server that was killed.
            try? DurableFile.remove(file(in: settings.stateDirectory))
            return lock
        }
        let url = RunningServer(file: file(in: settings.stateDirectory)).map { " at \($0.url)" } ?? ""
        throw CommandFailure(
            .usage,
            "A server of \(settings.app) is running already\(url). Use it: flagmenu serve --link prints a link to its page. "
                + "Or end it first, with Ctrl-C where it runs.")
    }

    /// Saves the server as a new file, which only this user can read, whatever was at the path.
    ///
    /// - Returns: why it could not be saved, as a sentence; `nil` if it was.
    package func save(to path: String) -> String? {
        do {
            try DurableFile.remove(path)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try DurableFile.replace(path, with: Array(encoder.encode(self)), durability: .atomicOnly)
            return nil
        } catch {
            return "\(error) Commands do not find this server, and its tokens are not saved."
        }
    }

    /// Removes the file of the server with a token, unless another server has replaced it.
    package static func remove(from path: String, token: String) {
        guard RunningServer(file: path)?.token == token else { return }
        // The file of a server that has ended is ignored by every command.
        try? DurableFile.remove(path)
    }

    /// Sends a request of the management API.
    ///
    /// - Throws: why there is no response, such as that the server has ended.
    package func response(
        _ method: SourceRequest.Method, _ path: String, _ environment: Environment
    ) throws(SourceError) -> JSONDocument {
        guard let target = SourceURL("\(url)/api/v1/\(path)") else {
            throw SourceError(code: .rejected, path: url, sentence: "this is not a URL")
        }
        var request = SourceRequest(source: "flagmenu serve", method: method, url: target)
        request.headers["Authorization"] = "Bearer \(token)"
        var transport = TransportSettings(
            trust: certificate.map { TransportSettings.Trust.server(chainPath: $0) } ?? .system)
        // Whatever the name in the URL leads to, the token is for the server on this machine.
        if ![address, "[\(address)]"].contains(target.host) { transport.addresses = [target.host: address] }
        let body: [UInt8]
        do throws(SourceError) {
            body = try Self.send(request, transport)
        } catch {
            // The file of the server may lack the authority, which the user has named for all programs.
            let other = TransportSettings(environment: environment.variables, userAgent: "") { _ in }.trust
            guard error.code == .insecure, case .authorities = other else { throw error }
            transport.trust = other
            body = try Self.send(request, transport)
        }
        return try SourceError.reading("flagmenu serve", value: try JSONDocument(document: body))
    }

    private static func send(
        _ request: SourceRequest, _ settings: TransportSettings
    ) throws(SourceError) -> [UInt8] {
        var client = SourceClient(transport: HTTPTransport(settings), retry: .none)
        // The server is on this machine or this user's own; a command must not wait for one that hangs.
        client.limits.total = .seconds(1)
        let sender = client
        return try Waiting.value { () throws(SourceError) in try await sender.send(request) }.body
    }
}
