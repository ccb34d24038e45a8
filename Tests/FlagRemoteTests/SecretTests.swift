import FlagRemote
import Foundation
import Testing

struct SecretTests {
    private struct Account: Encodable { let name = "ana", token = Secret("hush") }

    @Test func `a secret is masked in every description, and reveal() returns it`() throws {
        let secret = Secret("hush")
        var dumped = ""
        dump([secret], to: &dumped)
        dump(Account(), to: &dumped)
        let encoded = String(decoding: try JSONEncoder().encode(Account()), as: UTF8.self)
        for text in [
            "\(secret)", String(reflecting: secret), dumped, encoded, "\([secret])", "\(Optional(secret) as Any)",
        ] {
            #expect(!text.contains("hush") && text.contains("***"), "\(text)")
        }
        #expect(secret.reveal() == "hush" && !secret.isEmpty && Secret("").isEmpty)
    }

    @Test func `a request masks its credentials and those in its URL`() throws {
        var headers = SourceHeaders([("Accept", "application/json"), ("Cookie", "hush")])
        headers.set("X-Own", secret: Secret("hush"))
        headers.set("Authorization", secret: Secret("hush"), prefix: "Bearer ")
        let url = try #require(SourceURL("https://hush@flags.example.com/a?api_key=hush&user=ana"))
        let request = SourceRequest(source: "flags", url: url, headers: headers)
        var dumped = ""
        dump(request, to: &dumped)
        dump(headers.fields, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("hush") && text.contains("application/json"), "\(text)")
        }
        #expect(headers["authorization"] == "Bearer hush" && headers["X-OWN"] == "hush")
        #expect(headers.withoutSecrets.fields.map(\.name) == ["Accept"])
    }

    @Test(arguments: [
        ("https://u:p@h.example/p?a=1", "https://***@h.example/p?***"),
        ("https://h.example:8080/p?token=t&q=1", "https://h.example:8080/p?***"),
        ("https://h.example/p?dDB0==", "https://h.example/p?***"), ("https://h.example/p?", "https://h.example/p?"),
        ("https://h.example", "https://h.example/"), ("no address?token=t", "no address…"),
        ("https://u:p@no address", "https://…"), ("u:p@h.example", "…"), ("https://h/ü?a@b", "https://…"),
        ("https://[::1]:8/", "https://[::1]:8/"), ("client-0123456789abcdefghij", "clie***"),
        ("client-side-id", "client-side-id"), ("client-5f0b2c", "client-5f0b2c"),
    ])
    func `URLs are shown without credentials and queries`(url: String, expected: String) {
        #expect(RedactedURL.text(url) == expected)
    }

    @Test(arguments: [
        "", "h.example", "ftp://h/", "https://", "https:///p", "https://h:0/", "https://h:65536/", "https://h:x/",
        "https://h/a b", "https://h/\u{7F}", "https://h/ü", "https://[::1", "https://h]x/", "https://h/\r\nX: y",
    ])
    func `an invalid HTTP URL is rejected`(text: String) { #expect(SourceURL(text) == nil) }

    @Test func `a URL is split into its parts`() throws {
        let url = try #require(SourceURL("HTTPS://u:p@H.Example:8443/a/b?x=1#frag"))
        #expect(url.scheme == "https" && url.host == "h.example" && url.effectivePort == 8443 && url.userInfo == "u:p")
        #expect(url.target == "/a/b?x=1" && url.origin == "https://h.example:8443" && url.authority == "h.example:8443")
        #expect(SourceURL("http://h")?.effectivePort == 80 && SourceURL("https://h?q")?.target == "/?q")
        #expect(SourceURL("https://h/a/")?.adding(path: "/b").path == "/a/b")
        #expect(SourceURL("https://h/a")?.adding(query: "e", "\"x\" &").query == "e=%22x%22%20%26")
    }

    @Test(arguments: [
        ("https://o.example/x", "https://o.example/x"), ("//o.example/x", "https://o.example/x"),
        ("/x?y", "https://h:8/x?y"), ("x", "https://h:8/a/x"), ("?z=1", "https://h:8/a/b?z=1"), ("ftp://h/x", nil),
        ("", nil),
    ])
    func `references are resolved against a base URL`(reference: String, expected: String?) throws {
        let base = try #require(SourceURL("https://h:8/a/b?c"))
        #expect(base.resolving(reference)?.text == expected)
    }

    @Test func `credentials that a service echoes in a response are masked in every form`() throws {
        var headers = SourceHeaders([("Content-Type", "application/x-www-form-urlencoded"), ("X-Shop-Key", "hush-key")])
        headers.set("Authorization", secret: Secret("hush/\"token"), prefix: "Bearer ")
        headers.set("X-Own", secret: Secret("hush-own"))
        let url = try #require(SourceURL("https://ana:hush-word@flags.example.com/a?api_key=hush%2Fa&user=ana"))
        let form = SourceRequest(
            source: "flags", method: .post, url: url, headers: headers, body: Array("a=b&assertion=hush-proof".utf8))
        let object = SourceRequest(
            source: "flags", method: .post, url: url,
            body: Array(#"{"key": "anna", "refreshToken": "hush-fresh"}"#.utf8))
        for received in [
            "Bearer hush/\"token", "no hush/\"token", #"{"said": "hush/\"token"}"#, "hush%2F%22token",
            "hush-key hush-own",
            "ana:hush-word hush-word", "hush/a hush%2Fa", "hush-proof",
        ] {
            let masked = form.masking(received)
            #expect(!masked.contains("hush") && masked.contains("***"), "\(received): \(masked)")
            let response = form.masking(SourceResponse(status: 400, body: Array(received.utf8)))
            #expect(String(decoding: response.body, as: UTF8.self) == masked && response.status == 400)
        }
        #expect(object.masking("anna has hush-fresh") == "anna has ***")
        #expect(form.masking("user=ana, Bearer, a=b") == "user=ana, Bearer, a=b")
        headers.set("X-Own", secret: Secret("a"))
        #expect(SourceRequest(source: "flags", url: url, headers: headers).masking("a flag") == "a flag")
    }
}
