#if Server
import FlagModel
import FlagQueries
import FlagRemote
import FlagServer
import FlagStorage
import FlagWorkspace
import Flags
import Platform
import TerminalShell
import TerminalUI

extension ServeCommand {
    /// How long the server waits for the first values before it listens.
    private static let startLimit = Duration.seconds(2)

    /// Lets all threads share one heap. With a heap for each thread, as glibc has it, the memory of evaluation contexts
    /// that are no longer used would stay with the thread that read them: the server would grow by 20 MB with each 300
    /// contexts.
    private static func shareHeap() {
        #if canImport(Glibc)
        let maximumHeaps: Int32 = -8  // M_ARENA_MAX of malloc.h, which Swift does not import.
        guard let function = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(function, to: (@convention(c) (Int32, Int32) -> Int32).self)(maximumHeaps, 1)
        #endif
    }

    /// Serves until the process is ended.
    func serve() throws {
        let settings = try Settings(options.values)
        try settings.requireFlags()
        try settings.requireTrust()
        if link { return try printLink(settings) }
        Self.shareHeap()
        let lock = try RunningServer.lock(in: settings)
        defer { withExtendedLifetime(lock) {} }
        let run = try RunStore(settings)
        run.openRemote()
        run.flags.open()
        // A source that hangs must not keep the server from listening. Its values are served when they arrive.
        let end = ContinuousClock.now + Self.startLimit
        run.fetchTeam(within: Self.startLimit)
        run.fetch(.withoutValues, within: end - .now)
        let workspace = Workspace(run)
        settings.warn(workspace.warnings())
        let subscription = run.followUpdates()
        defer { subscription.cancel() }
        let server = FlagServer(
            run.flags, settings: serverSettings(settings), tokens: try tokens(settings),
            presenceFolders: settings.presenceFolders, scenarios: settings.scenarioFolders,
            readOnlyReason: { settings.readOnlyReason }, secrets: { settings.preferences.secrets })
        let file = RunningServer.file(in: settings.stateDirectory)
        defer { RunningServer.remove(from: file, token: server.tokens.writing.text) }
        try CommandFailure.converting(to: .usage) {
            try Waiting.value { () throws(FlagServer.Failure) in
                try await server.run { announce($0, server.tokens, file, settings) }
            }
        }
    }

    private func serverSettings(_ settings: Settings) -> ServerSettings {
        var result = ServerSettings()
        result.address = address
        result.port = port ?? ServerSettings.defaultPort
        result.hostNames = hostName
        result.allowedOrigins = allowOrigin
        let folder = settings.environment.workingDirectory
        if let certificate, let key {
            result.certificate = (FilePath.resolve(certificate, in: folder), FilePath.resolve(key, in: folder))
        }
        return result
    }

    /// The tokens in the environment, or else new ones.
    private func tokens(_ settings: Settings) throws(CommandFailure) -> AccessTokens {
        func token(_ variable: String) throws(CommandFailure) -> AccessToken? {
            guard let text = settings.environment[variable] else { return nil }
            if let token = AccessToken(text) { return token }
            throw CommandFailure(
                .usage,
                "\(variable) is not a token: use at least 16 visible ASCII characters. The server did not start.")
        }
        let isLoopback = serverSettings(settings).isLoopback
        let reading = try token("FLAGMENU_SERVER_READ_TOKEN") ?? (isLoopback ? nil : AccessToken())
        return AccessTokens(writing: try token("FLAGMENU_SERVER_TOKEN") ?? AccessToken(), reading: reading)
    }

    /// Prints where the server is reached, and saves its tokens for this user's commands.
    private func announce(
        _ location: FlagServer.Location, _ tokens: AccessTokens, _ file: String, _ settings: Settings
    ) {
        let server = serverSettings(settings)
        let storeError = RunningServer(
            url: location.url, address: location.address, token: tokens.writing.text, readToken: tokens.reading?.text,
            certificate: server.certificate?.chain
        ).save(to: file)
        if settings.isJSON {
            JSONOutput.object([
                ("url", .string(location.url)), ("link", .string(location.link)), ("tokenFile", .string(file)),
            ]).print(indented: false)
        } else {
            StandardOutput.write(lines: [
                "Serving \(settings.app) at \(location.url)/ofrep/v1 for OpenFeature (OFREP).",
                "Page: \(location.link)",
                "The link opens once, within 10 minutes; flagmenu serve --link prints another one.",
                "Tokens: \(file)",
            ])
            if !server.isLoopback { printCode(location.link, settings) }
        }
        try? StandardOutput.flush()
        if let storeError { StandardError.warn(storeError) }
        if !server.isLoopback, certificate == nil {
            StandardError.warn(
                "WITHOUT TLS, everyone on the network between a client and this machine can read and change the flags, "
                    + "and the tokens. Use --certificate and --key unless you trust the network.")
        }
    }

    /// Prints a link as a code for the camera of a phone, if the output is a terminal that can show it.
    private func printCode(_ link: String, _ settings: Settings) {
        guard StandardOutput.isTerminal, TerminalLocale.charset == .unicode, let code = QRCode(link) else { return }
        // Unchanged, as the lines set colours.
        for line in settings.isColorAllowed ? code.coloredLines : code.textLines { StandardOutput.write("\(line)\n") }
    }

    /// Prints a new link to the page of the running server.
    private func printLink(_ settings: Settings) throws {
        guard let server = RunningServer.running(in: settings) else {
            throw CommandFailure(.noMatch, "No server of \(settings.app) is running; flagmenu serve starts one.")
        }
        let path = try server.response(.post, "links", settings.environment).root["path"]?.text?.string ?? ""
        StandardOutput.write("\(server.url)\(path)\n")
        if SourceURL(server.url)?.isLoopback != true {
            printCode(server.url + path, settings)
        }
    }
}
#endif
