#if Network
import Foundation

/// A key, a message and its signature, all made by OpenSSL 3.0.19, and checked with Python's cryptography 50.0.2.
/// The keys are in the folder `Vectors`:
///
/// ```sh
/// openssl ecparam -name prime256v1 -genkey -out both.pem      # parameters, then the key: `ecparam`
/// openssl ec -in both.pem -out sec1.pem
/// openssl pkcs8 -topk8 -nocrypt -in sec1.pem -out pkcs8.pem   # `pkcs8`
/// openssl ec -in sec1.pem -pubout -out public.pem             # `publicKey`
/// hash=$(printf %s '{"query":{"recordType":"FeatureStatus"}}' | openssl dgst -sha256 -binary | base64)
/// printf %s "2026-01-02T03:04:05Z:$hash:/database/1/iCloud.com.example.app/development/public/records/query" >message
/// openssl dgst -sha256 -sign sec1.pem message | base64 -w0    # `signature`
/// openssl ec -in sec1.pem -aes128 -passout pass:hush          # `lockedOld`, up to its first line
/// openssl pkcs8 -topk8 -in sec1.pem -passout pass:hush        # `locked`, up to its first line
/// openssl ecparam -name secp384r1 -genkey -noout              # `otherCurve`
/// ```
///
/// The key is for these tests only and gives access to nothing.
enum CloudKitVectors {
    static let path = "/database/1/iCloud.com.example.app/development/public/records/query"
    static let date = "2026-01-02T03:04:05Z"
    static let body = Array(#"{"query":{"recordType":"FeatureStatus"}}"#.utf8)
    static let message = "2026-01-02T03:04:05Z:9wX2ikewCtS4aqf2gFUb6NfTcS0d2cZ23gnqobvXeO8=:" + path
    static let signature =
        "MEQCIA1k0rIMbs9esNLCCutwjPNPfkUyUmvjS6skdSqkyaN2AiAwe2TOzqb5EgcwXJNtPnJsuc37kz28U9vAa5KBgkLvVg=="
    static let (ecparam, pkcs8, publicKey) = (pem("ecparam"), pem("pkcs8"), pem("publicKey"))
    static let (lockedOld, locked, otherCurve) = (pem("lockedOld"), pem("locked"), pem("otherCurve"))

    /// The path of a file in the folder `Vectors`.
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name).pem").path
    }

    /// The content of a file; empty, so that tests fail, if it cannot be read.
    private static func pem(_ name: String) -> String {
        (try? String(contentsOfFile: file(name), encoding: .utf8)) ?? ""
    }
}
#endif
