import Foundation

/// A certificate, self-signed or signed by another one, created for each run.
public struct CertificatePair: Sendable {
    /// The path of the certificate, followed by that of its authority if it has one.
    public let certificate: String
    /// The path of its key.
    public let key: String

    /// Creates the pair, or returns `nil` if openssl is missing or fails.
    ///
    /// - Parameters:
    ///   - name: the subject alternative name, such as `IP:127.0.0.1`.
    ///   - start: the first moment of its validity, such as `20200101000000Z`; by default now.
    ///   - end: the last moment of its validity; by default in two days.
    ///   - authority: signs the certificate; by default, its own key.
    ///   - isAuthority: whether the certificate may sign others.
    public init?(
        for name: String, from start: String? = nil, until end: String? = nil,
        signedBy authority: CertificatePair? = nil,
        isAuthority: Bool = false
    ) {
        let folder = NSTemporaryDirectory() + "certificate-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        // Only the command `ca` sets dates in every version of openssl.
        let configuration = """
            [ca]
            default_ca = authority
            [authority]
            database = index.txt
            serial = serial
            new_certs_dir = .
            default_md = sha256
            default_days = 2
            policy = policy
            x509_extensions = extensions
            [policy]
            commonName = supplied
            [extensions]
            subjectAltName = \(name)
            basicConstraints = critical, CA:\(isAuthority ? "TRUE" : "FALSE")
            [req]
            distinguished_name = name
            [name]

            """
        for (file, text) in [("ca.cnf", configuration), ("index.txt", ""), ("serial", "01\n")] {
            guard (try? text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)) != nil else {
                return nil
            }
        }
        let dates = (start.map { ["-startdate", $0] } ?? []) + (end.map { ["-enddate", $0] } ?? [])
        for arguments in [
            [
                "req", "-new", "-config", "ca.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-keyout", key, "-out", "request.pem", "-subj", isAuthority ? "/CN=Authority" : "/CN=127.0.0.1",
            ],
            [
                "ca", "-batch", "-config", "ca.cnf", "-keyfile", authority?.key ?? key, "-in", "request.pem", "-out",
                certificate, "-notext",
            ] + (authority.map { ["-cert", $0.certificate] } ?? ["-selfsign"]) + dates,
        ] {
            let run = CommandRun(
                ["/usr/bin/openssl"] + arguments, environment: ["HOME": folder, "PATH": "/usr/bin:/bin"],
                directory: folder)
            guard run.status == 0 else { return nil }
        }
        guard let authority else { return }
        guard let own = try? String(contentsOfFile: certificate, encoding: .utf8),
            let other = try? String(contentsOfFile: authority.certificate, encoding: .utf8),
            (try? (own + other).write(toFile: certificate, atomically: true, encoding: .utf8)) != nil
        else { return nil }
    }
}
