import FlagModel
package import FlagRemote

extension EtcdTeam {
    /// A team's values in etcd, as a kind of source: its credentials have the names of etcdctl's variables.
    package static let kind = EtcdKind()
}

/// The declaration of a team's values in etcd.
package struct EtcdKind: SourceKind {
    package let scheme = "etcd"
    package let isURL = true
    package let secureScheme: String? = "etcds"
    package let place = "HOST:PORT/PREFIX"
    package let title = "an etcd cluster with the values of a team"
    package let needsCredentials = false
    package let rareCredentials = ["user", "password", "certificate"]
    package let options: [SourceOption] = [
        .credential("user", variable: "ETCDCTL_USER"), .credential("password", variable: "ETCDCTL_PASSWORD"),
        .credential("certificate", variable: Self.certificateVariable),
    ]

    /// The variables of etcdctl that name the files of the client certificate, its key, and the trusted authorities.
    package static let certificateVariable = "ETCDCTL_CERT"
    package static let keyVariable = "ETCDCTL_KEY"
    package static let authoritiesVariable = "ETCDCTL_CACERT"

    package func urls(at address: String) -> [SourceURL] {
        // An address that is not valid is reported when the team is made.
        (try? EtcdAddress(address))?.members ?? []
    }

    package func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let incomplete = EtcdTeam(try EtcdSettings(settings.address), client: client)
        return settings.completing(incomplete.source) { () throws(SourceError) in try team(settings, client).source }
    }

    /// Makes the team with its credentials. Sends no request.
    ///
    /// - Throws: why the settings are not valid, or a credential cannot be used.
    package func team(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> EtcdTeam {
        var etcdSettings = try EtcdSettings(settings.address)
        etcdSettings.user = try settings.secret("user")
        etcdSettings.password = try settings.secret("password")
        if let user = etcdSettings.user?.reveal(), let colon = user.firstIndex(of: ":") {
            // etcdctl also accepts both in one variable.
            etcdSettings.user = Secret(String(user[..<colon]))
            etcdSettings.password = Secret(String(user[user.index(after: colon)...]))
        }
        return EtcdTeam(etcdSettings, client: client)
    }
}
