import Foundation

/// A self-signed certificate, created for each run.
public struct CertificatePair: Sendable {
    /// The path of the certificate.
    public let certificate: String
    /// The path of its key.
    public let key: String

    /// Creates the pair, or returns `nil` if openssl is missing or fails.
    ///
    /// - Parameter name: the subject alternative name, such as `IP:127.0.0.1`.
    public init?(for name: String) {
        let folder = NSTemporaryDirectory() + "certificate-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        let run = CommandRun(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=\(name)",
            ], environment: ["HOME": folder, "PATH": "/usr/bin:/bin"], directory: folder)
        guard run.status == 0 else { return nil }
    }
}
