import ArgumentParser
import FlagRemote
import FlagWorkspace

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "serve", abstract: "Serve the flags to apps in any language, and to a browser.",
        usage: "flagmenu serve [--port <port>] [--address <address>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu serve
              flagmenu serve --address 0.0.0.0 --host-name 192.168.1.20 --certificate cert.pem --key key.pem
              flagmenu serve --link

            Speaks the OpenFeature Remote Evaluation Protocol (OFREP): apps with an OpenFeature SDK see overrides at \
            their next evaluation. Prints a link to a page for a browser or a phone, which can be opened once. Only \
            this machine's programs reach the server unless --address says otherwise. Changes need the token in the \
            file that serve names.
            """)

    @Option(help: "The port; 0 for any free one. By default 7110.")
    var port: Int?

    @Option(help: "The address to listen on; 0.0.0.0 for all of this machine.")
    var address = "127.0.0.1"

    @Option(help: ArgumentHelp("A name or address by which clients reach the server; repeatable.", valueName: "host"))
    var hostName: [String] = []

    @Option(
        help: ArgumentHelp("The origin of a web app that may evaluate flags; repeatable.", valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(help: ArgumentHelp("The certificate chain for TLS, in PEM.", valueName: "file"), completion: .file())
    var certificate: String?

    @Option(help: ArgumentHelp("The key of the certificate, in PEM.", valueName: "file"), completion: .file())
    var key: String?

    @ArgumentParser.Flag(help: "Print a new link to the page of the running server.")
    var link = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("TLS needs both --certificate and --key.")
        }
        for origin in allowOrigin where !Self.isOrigin(origin) {
            throw ValidationError("\(origin) is not an origin. Example: http://localhost:3000")
        }
        guard !hostName.contains("") else { throw ValidationError("A host name needs at least one character.") }
        if let port, !(0...65_535).contains(port) { throw ValidationError("A port is a number from 0 to 65535.") }
    }

    /// Whether a text is an origin: a scheme, a host and perhaps a port.
    private static func isOrigin(_ text: String) -> Bool {
        guard let url = SourceURL(text) else { return false }
        return url.path == "/" && url.query == nil && url.userInfo == nil && !text.hasSuffix("/")
    }

    func run() throws {
        #if Server
        try serve()
        #else
        throw CommandFailure(
            .usage,
            "The server is not compiled into this program; build it with the package trait Server: "
                + ".github/scripts/release.sh")
        #endif
    }
}
