import FlagModel
package import FlagRemote
import FlagTeamEtcd

/// The declaration of a team's values in etcd.
package struct EtcdKind: SourceKind {
    package let scheme = "etcd"
    package let title = "an etcd cluster with the values of a team"
    package let address = SourceAddress(
        placeholder: "HOST:PORT/PREFIX", isURL: true, secureScheme: "etcds",
        // An address that is not valid is reported when the team is made.
        urls: { (try? EtcdAddress($0))?.members ?? [] })
    package let options: [SourceOption] = [
        .credential("user", variable: "ETCDCTL_USER", isRare: true),
        .credential("password", variable: "ETCDCTL_PASSWORD", isRare: true),
        .credential("certificate", variable: Self.certificateVariable, isRare: true),
    ]

    /// The variables of etcdctl that name the files of the client certificate, its key, and the trusted authorities.
    static let certificateVariable = "ETCDCTL_CERT"
    static let keyVariable = "ETCDCTL_KEY"
    static let authoritiesVariable = "ETCDCTL_CACERT"

    package func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        try team(settings, client).source
    }

    /// Makes the team with its credentials. Sends no request.
    ///
    /// - Throws: why the settings are not valid, or a credential cannot be used.
    func team(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> EtcdTeam {
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
