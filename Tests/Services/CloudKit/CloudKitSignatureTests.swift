#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagTesting
import Testing
import VendorServers

/// CloudKit: signatures of a server-to-server key.
struct CloudKitSignatureTests {
    private static let now = FlagTimestamp(seconds: 1_767_323_045)

    private func rejection(
        _ signature: String, date: String = CloudKitVectors.date, path: String = CloudKitVectors.path,
        body: [UInt8] = CloudKitVectors.body, id: String = "hush-id", after seconds: Int64 = 0
    ) -> String? {
        let headers = SourceHeaders([
            ("X-Apple-CloudKit-Request-KeyID", id), ("X-Apple-CloudKit-Request-ISO8601Date", date),
            ("X-Apple-CloudKit-Request-SignatureV1", signature),
        ])
        return LoopbackCloudKit.rejection(
            ofSignatureIn: LoopbackRequest(method: "POST", target: path, headers: headers, body: body), id: "hush-id",
            publicKey: CloudKitVectors.publicKey, now: FlagTimestamp(seconds: Self.now.seconds + seconds))
    }

    @Test func `the signed message is the date, the hash of the body and the path, equal to OpenSSL's bytes`() {
        #expect(
            CloudKitServerKey.message(
                date: CloudKitVectors.date, body: CloudKitVectors.body, path: CloudKitVectors.path)
                == CloudKitVectors.message)
        #expect(Self.now.rfc3339 == CloudKitVectors.date)
    }

    @Test func `the loopback server accepts OpenSSL's signature, and rejects it for any other request`() {
        let (good, wrong) = (CloudKitVectors.signature, "the signature is not by that key for this request")
        #expect(rejection(good) == nil)
        #expect(rejection(good, path: CloudKitVectors.path + "/") == wrong)
        #expect(rejection(good, body: CloudKitVectors.body + [0x20]) == wrong)
        #expect(rejection(good, date: "2026-01-02T03:04:06Z") == wrong)
        #expect(rejection(good, date: "2026-01-02T03:04:05.0Z") == "the date is not spelled as YYYY-MM-DDThh:mm:ssZ")
        #expect(rejection(good, id: "other") == "no such key")
        #expect(rejection("no base64!") == "the signature is no base64 of DER")
        let late = "the date is more than 10 minutes off"
        #expect([-601, -600, 600, 601].map { rejection(good, after: $0) } == [late, nil, nil, late])
    }

    private static func signed(
        with key: CloudKitServerKey
    ) throws -> (request: SourceRequest, signed: SourceRequest) {
        let url = try #require(SourceURL("https://api.apple-cloudkit.com\(CloudKitVectors.path)"))
        let request = SourceRequest(source: "c", method: .post, url: url, body: CloudKitVectors.body)
        return (request, try key.sign(request, path: CloudKitVectors.path, now: now))
    }

    @Test(
        arguments: [
            CloudKitVectors.ecparam, CloudKitVectors.pkcs8, CloudKitVectors.pkcs8.replacing("\n", with: "\r\n"),
            "Bag Attributes\n    friendlyName: eckey\n\(CloudKitVectors.pkcs8)\n\n",
        ])
    func `signatures verify with OpenSSL's key in each file format`(pem: String) throws {
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: pem)
        let (request, signed) = try Self.signed(with: key)
        #expect(signed.headers["X-Apple-CloudKit-Request-KeyID"] == "hush-id")
        #expect(signed.headers["X-Apple-CloudKit-Request-ISO8601Date"] == CloudKitVectors.date)
        let signature = try #require(signed.headers["X-Apple-CloudKit-Request-SignatureV1"])
        #expect(rejection(signature) == nil)
        #expect(signed.url == request.url && signed.body == request.body)
        #expect(signed.headers.withoutSecrets.fields.map(\.name) == ["X-Apple-CloudKit-Request-ISO8601Date"])
        var dumped = ""
        dump(signed, to: &dumped)
        dump(key, to: &dumped)
        #expect(!"\(dumped)\(key)\(String(reflecting: key))".contains("hush"))
    }

    @Test(
        arguments: [
            (CloudKitVectors.publicKey, "openssl ecparam -name prime256v1"), ("", "openssl ecparam -name prime256v1"),
            (CloudKitVectors.lockedOld, "passphrase"), (CloudKitVectors.locked, "passphrase"),
            (CloudKitVectors.otherCurve, "P-256"),
            ("-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----", "P-256"),
            ("-----BEGIN PRIVATE KEY-----\nhush", "openssl ecparam -name prime256v1"),
        ])
    func `a file without a usable key is rejected with a remedy`(pem: String, words: String) {
        let error = #expect(throws: SourceError.self) {
            try CloudKitServerKey(id: Secret("hush-id"), pem: pem, path: "k.pem")
        }
        #expect(error?.description.contains(words) == true && error?.path == "k.pem", "\(String(describing: error))")
        #expect(error?.description.contains("hush") == false)
    }

    @Test func `a key without an id is rejected`() {
        #expect(throws: SourceError.self) { try CloudKitServerKey(id: Secret(""), pem: CloudKitVectors.pkcs8) }
    }

    @Test func `a key is read from its file, and the error of a missing file names the path`() throws {
        let key = try CloudKitServerKey(id: Secret("hush-id"), path: CloudKitVectors.file("ecparam"))
        let headers = try Self.signed(with: key).signed.headers
        #expect(rejection(try #require(headers["X-Apple-CloudKit-Request-SignatureV1"])) == nil)
        let error = #expect(throws: SourceError.self) { try CloudKitServerKey(id: Secret("x"), path: "/nowhere.pem") }
        #expect(error?.code == .missing && error?.path == "/nowhere.pem")
    }
}
#endif
