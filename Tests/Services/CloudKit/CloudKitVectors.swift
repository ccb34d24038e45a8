#if Network
/// A key, a message and its signature, all made by OpenSSL 3.0.19, and checked with Python's cryptography 50.0.2:
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

    static let ecparam = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIIkjxQ9njW7Em830hvljiJsgWhsJzvc+WyloSRPD4ak4oAoGCCqGSM49
        AwEHoUQDQgAEtLYwRkuCF/mtd9b+Crt1CU+wTnw2Xcrj0ecdd6v3zNW2izXpnCNS
        vmB2gt1u2kQTN0Tz/S9sv0zhYUkRmO0JEA==
        -----END EC PRIVATE KEY-----
        """
    static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiSPFD2eNbsSbzfSG
        +WOImyBaGwnO9z5bKWhJE8PhqTihRANCAAS0tjBGS4IX+a131v4Ku3UJT7BOfDZd
        yuPR5x13q/fM1baLNemcI1K+YHaC3W7aRBM3RPP9L2y/TOFhSRGY7QkQ
        -----END PRIVATE KEY-----
        """
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtLYwRkuCF/mtd9b+Crt1CU+wTnw2
        Xcrj0ecdd6v3zNW2izXpnCNSvmB2gt1u2kQTN0Tz/S9sv0zhYUkRmO0JEA==
        -----END PUBLIC KEY-----
        """
    static let lockedOld = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,345F9F0B2DFCD9550B2CF96BE039343C

        BbcTE4wKXf6z1dx0uo6fK3TukNP7z4LpUrM+RKL5AIfPvf6TfM5RLt06CNHL9dPa
        -----END EC PRIVATE KEY-----
        """
    static let locked = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi3/RC7kXHbvAICCAAw
        -----END ENCRYPTED PRIVATE KEY-----
        """
    static let otherCurve = """
        -----BEGIN EC PRIVATE KEY-----
        MIGkAgEBBDCtx4PVA/J3oTsww3WAM6OSNjE7tmAgwHS1gMWC9EYXOMvnDgVwcAJO
        jLboFtpjAs6gBwYFK4EEACKhZANiAAS/w6Kfz4qXgCzkRgxuIvcntB+rn3sZEANb
        Qde4d6GLMfD3KQLPOjjBxC/SlWbWwA4NdndfwUZ0zTU14uE9/nHj8ss6hQZYxxf9
        rGcb5zDFqHIJBL6S3fYEG2aTtCbaOe0=
        -----END EC PRIVATE KEY-----
        """
}
#endif
