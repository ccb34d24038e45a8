#if Server
import FlagTesting
import Foundation
import TestSupport
import Testing

/// `flagmenu serve`, as a program. The responses of the server are tested in FlagServerTests.
@Suite(.limitedParallelism) struct ServeCommandTests {
    private let workplace = Workplace()

    /// Runs `body` while `flagmenu serve` runs with a free port, then ends it.
    ///
    /// - Parameter body: gets the URL, and all members of the JSON line that the server printed. The member `process` is the
    ///   id of its process.
    private func serving(
        _ arguments: [String] = [], endedBy signal: Int32 = SIGINT,
        _ body: (_ url: String, _ served: [String: String]) async throws -> Void
    ) async throws -> Int32 {
        let process = try workplace.start(
            ["serve", "--port", "0", "--json"] + arguments + (arguments.contains("--source") ? [] : ["--sample"]))
        try #require(
            Clock.wait { workplace.read("lines")?.hasSuffix("\n") == true }, "\(workplace.read("words") ?? "")")
        let line = Data((workplace.read("lines") ?? "").utf8)
        var served = try #require(JSONSerialization.jsonObject(with: line) as? [String: String])
        served["process"] = String(process.id)
        try await body(try #require(served["url"]), served)
        kill(process.id, signal)
        return process.end(before: Clock.seconds() + 10)
    }

    private func expectLink(to url: String) {
        let link = workplace.flagmenu("serve --link").expect(0)
        #expect(link.text.hasPrefix("\(url)/"), "\(link.text)")
    }

    /// Sends a request with curl; returns the status and the body, divided by a line feed.
    private func curl(_ arguments: String) -> String {
        workplace.shell("curl -s -m 10 -w '\\n%{http_code}' \(arguments)").text
    }

    /// Clients may keep a `STATIC` value for every context.
    @Test(.enabled(if: InstalledProgram.has("curl"), "curl is not installed"))
    func `a value that depends on the context is never static`() async throws {
        let document = try Fixtures.bytes("reports/ofrep-reason-static/t.json")
        workplace.write(String(decoding: document, as: UTF8.self), to: "t.json")
        let status = try await serving(["--source", "t.json"]) { url, _ in
            for (plan, value, reason) in [("pro", "100.0", "TARGETING_MATCH"), ("free", "10.0", "DEFAULT")] {
                let context = "'{\"context\": {\"targetingKey\": \"ana\", \"plan\": \"\(plan)\"}}'"
                let text = curl("-d \(context) \(url)/ofrep/v1/evaluate/flags/limit")
                #expect(text.contains("\"value\":\(value),\"reason\":\"\(reason)\""), "\(text)")
            }
        }
        #expect(status == 0)
    }

    @Test(.enabled(if: InstalledProgram.has("curl"), "curl is not installed"))
    func `serve prints its link, saves its tokens for this user alone, and status lists its clients`() async throws {
        let status = try await serving { url, served in
            let file = try #require(served["tokenFile"])
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let evaluation =
                "-d '{\"context\": {\"targetingKey\": \"ana\"}}' \(url)/ofrep/v1/evaluate/flags/login_variant"
            #expect(curl(evaluation).contains(#""value":"A""#))
            #expect(workplace.flagmenu("set login_variant B").status == 0)
            #expect(Clock.wait { curl(evaluation).contains(#""value":"B""#) })
            workplace.flagmenu("status").expect(
                text: "server     \(url), 1 client\n", "\"ana\": login_variant = B (override), just now")
            #expect(workplace.flagmenu("status --json").text.contains(#""client":"ana""#))
            let link = try #require(served["link"])
            workplace.shell("curl -s -m 10 -D - '\(link)&client=ana%20b'").expect(
                text: " 303 ", "ocation: /?client=ana%20b\r\n")
            #expect(curl("-o /dev/null '\(link)'").hasSuffix("403"), "a link opens once")
            let secondLink = workplace.flagmenu("serve --link").expect(0)
            #expect(secondLink.text.hasPrefix("\(url)/login?code="), "\(secondLink.errorText)")
        }
        #expect(status == 0)
        #expect(!workplace.flagmenu("status").text.contains("\nserver"), "the file of the server is removed")
        workplace.flagmenu("serve --link").expect(1, errors: "No server of sample is running")
    }

    @Test(.enabled(if: InstalledProgram.has("curl"), "curl is not installed"))
    func `an event stream ends with the server, and is complete`() async throws {
        let status = try await serving(endedBy: SIGTERM) { url, _ in
            let stream = "(curl -sN -m 60 \(url)/ofrep/v1/events; echo ended $?) > events 2>&1 < /dev/null &"
            workplace.shell(stream).expect(0)
            #expect(Clock.wait { workplace.read("events")?.contains("retry: 1000") == true })
        }
        #expect(status == 0)
        // If the stream was cut off, curl has another status.
        #expect(
            Clock.wait { workplace.read("events")?.hasSuffix("ended 0\n") == true }, "\(workplace.read("events") ?? "")"
        )
    }

    @Test func `a program that got the port of a killed server is sent nothing`() async throws {
        let impostor = try await LoopbackServer { _ in
            .json(#"{"clients": [{"client": "forged"}], "rejected": 0, "path": "/login?code=forged"}"#)
        }
        var file = ""
        _ = try await serving(endedBy: SIGKILL) { url, served in
            file = try #require(served["tokenFile"])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let forged = text.replacing(url, with: impostor.url)
            try forged.write(toFile: file, atomically: true, encoding: .utf8)
            // The control: the file does lead there as long as the server runs.
            #expect(workplace.flagmenu("status").text.contains("forged"))
        }
        impostor.forgetRequests()
        for command in ["status", "status --json", "serve --link"] {
            workplace.flagmenu(command).expect(without: "forged", comment: command)
        }
        workplace.flagmenu("serve --link").expect(
            1, errors: "No server of sample is running; flagmenu serve starts one.")
        #expect(impostor.requests.isEmpty)
        // A new server that does not listen yet does not vouch for the file either.
        let port = impostor.port
        #expect(workplace.flagmenu("serve --port \(port)").status == 2)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(arguments: [
        "--host-name flags.invalid", "--host-name 127.0.0.2", "--host-name ::1",
        "--address 0.0.0.0 --host-name flags.invalid",
    ])
    func `commands connect to the address of the server, whatever its name leads to`(line: String) async throws {
        let pair = try #require(CertificatePair(for: "DNS:flags.invalid"))
        let arguments = line.split(separator: " ").map(String.init)
        let isName = line.hasSuffix(".invalid")
        for tls in [[], ["--certificate", pair.certificate, "--key", pair.key]] where tls.isEmpty || isName {
            _ = try await serving(arguments + tls) { url, _ in
                #expect(arguments.last.map { url.contains($0) } == true)
                workplace.flagmenu("status").expect(text: "server     \(url), 0 clients")
                expectLink(to: url)
            }
        }
    }

    @Test func `an app has one server, which a second one names and leaves alone`() async throws {
        _ = try await serving { url, _ in
            workplace.flagmenu("serve --port 0").expect(2, errors: "running already at \(url).")
            let port = try #require(url.split(separator: ":").last)
            workplace.flagmenu("serve --app other --port \(port)").expect(2, errors: "is in use")
            expectLink(to: url)
        }
        _ = try await serving { _, _ in }
    }

    @Test func `the file of a server that was killed is no error, and another one starts`() async throws {
        _ = try await serving(endedBy: SIGKILL) { _, _ in }
        workplace.flagmenu("status").expect(0, without: "\nserver")
        workplace.flagmenu("serve --link").expect(1, errors: "No server of sample is running")
        _ = try await serving { url, _ in
            #expect(workplace.flagmenu("status").text.contains("server     \(url)"))
        }
    }

    @Test func `commands trust the certificate of the server`() async throws {
        let authority = try #require(CertificatePair(for: "DNS:authority.example", isAuthority: true))
        for pair in [CertificatePair(for: "IP:127.0.0.1"), CertificatePair(for: "IP:127.0.0.1", signedBy: authority)] {
            let pair = try #require(pair, "openssl could not create the certificate")
            _ = try await serving(["--certificate", pair.certificate, "--key", pair.key]) { url, _ in
                #expect(url.hasPrefix("https://"))
                expectLink(to: url)
                #expect(workplace.flagmenu("status").text.contains("server     \(url)"))
            }
        }
    }

    @Test func `commands trust the authorities that SSL_CERT_FILE names`() async throws {
        let authority = try #require(CertificatePair(for: "DNS:authority.example", isAuthority: true))
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1", signedBy: authority))
        // The file of the pair has the authority, too.
        let leaf = workplace.place("leaf.pem")
        let end = "-----END CERTIFICATE-----\n"
        let text = try String(contentsOfFile: pair.certificate, encoding: .utf8)
        let first = try #require(text.components(separatedBy: end).first)
        try (first + end).write(toFile: leaf, atomically: true, encoding: .utf8)
        _ = try await serving(["--certificate", leaf, "--key", pair.key]) { url, _ in
            workplace.flagmenu("status").expect(0, text: "server     \(url), which runs but")
            workplace.flagmenu("serve --link").expect(5, without: "still running")
            let environment = ["SSL_CERT_FILE": authority.certificate]
            workplace.flagmenu("status", environment: environment).expect(text: "server     \(url), 0 clients")
            #expect(workplace.flagmenu("serve --link", environment: environment).status == 0)
        }
    }

    @Test func `a certificate that cannot be used is named with the reason`() throws {
        let pairs = try (0..<2).map { _ in try #require(CertificatePair(for: "IP:127.0.0.1")) }
        let (certificate, key) = (pairs[0].certificate, pairs[1].key)
        for (line, words) in [
            ("--certificate \(certificate) --key \(key)", "The key \(key) does not belong"),
            ("--certificate \(certificate) --key no.pem", "There is no file"),
            ("--certificate \(key) --key \(key)", "\(key) has no certificates in PEM format"),
            ("--certificate \(certificate) --key \(certificate)", "\(certificate) has no private key"),
        ] {
            workplace.flagmenu("serve --port 0 \(line)").expect(2, errors: words)
        }
    }

    @Test func `a source that hangs keeps the server from listening for two seconds at most`() async throws {
        let source = try await LoopbackServer { _ in .hang }
        let start = ContinuousClock.now
        let status = try await serving(["--source", "ofrep:\(source.url)"]) { _, _ in
            // On a busy machine, the program itself takes a while. A request may take longer than this.
            #expect(ContinuousClock.now - start < .seconds(8))
        }
        #expect(status == 0 && !source.requests.isEmpty)
    }

    @Test func `status shows a server that does not respond`() async throws {
        _ = try await serving(endedBy: SIGKILL) { url, served in
            let id = try #require(Int32(served["process"] ?? ""))
            kill(id, SIGSTOP)
            workplace.flagmenu("status").expect(0, text: "server     \(url), which runs but")
            workplace.flagmenu("status --json").expect(text: #""error": "flagmenu serve: "#)
        }
    }

    @Test func `the file of a server is new, and only its own server removes it`() async throws {
        let folder = "\(workplace.home)/.local/state/flagmenu/sample"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let target = workplace.place("target")
        try "kept".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/server.json", withDestinationPath: target)
        let other = #"{"url": "http://127.0.0.1:1", "address": "127.0.0.1", "token": "other-token-other-token"}"#
        _ = try await serving { _, served in
            let file = try #require(served["tokenFile"])
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.type] as? FileAttributeType == .typeRegular)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(workplace.read("target") == "kept")
            try other.write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: "\(folder)/server.json", encoding: .utf8) == other)
    }

    @Test(arguments: [
        ("serve --certificate a.pem", "needs both"), ("serve --port 70000", "0 to 65535"),
        ("serve --certificate a.pem --key b.pem", "a.pem"),
    ])
    func `wrong settings are errors, and no server starts`(line: String, words: String) {
        workplace.flagmenu(line).expect(2, errors: words)
    }

    @Test func `a token that could be guessed is rejected`() {
        workplace.flagmenu("serve --port 0", environment: ["FLAGMENU_SERVER_TOKEN": "secret"]).expect(
            2, errors: "FLAGMENU_SERVER_TOKEN", without: "secret")
    }
}
#endif
