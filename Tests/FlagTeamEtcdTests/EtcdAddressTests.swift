#if Network
import FlagRemote
import FlagTeamEtcd
import Testing

/// Etcd: addresses of teams.
struct EtcdAddressTests {
    @Test(arguments: [
        ("etcd://10.0.0.1:2379,10.0.0.2:2380/shop", ["http://10.0.0.1:2379/", "http://10.0.0.2:2380/"], "shop"),
        ("etcd://LOCALHOST/shop/", ["http://localhost:2379/"], "shop"),
        ("etcds://[::1]:1/teams/shop", ["https://[::1]:1/"], "teams/shop"),
    ])
    func `parses members, ports and the prefix`(text: String, members: [String], prefix: String) throws {
        let address = try EtcdAddress(text)
        #expect(address.members.map(\.text) == members && address.prefix == prefix)
        #expect(try EtcdAddress(address.description) == address)
    }

    @Test(arguments: [
        ("http://10.0.0.1:2379/shop", "begins with etcd://"), ("etcd://10.0.0.1:2379", "needs a prefix"),
        ("etcd://10.0.0.1:2379/", "needs a prefix"), ("etcd:///shop", "is not the host and port"),
        ("etcd://10.0.0.1:x/shop", "is not the host and port"), ("etcd://a:1,/shop", "is not the host and port"),
        ("etcd://ana:hush@10.0.0.1:2379/shop", "must not contain credentials"),
    ])
    func `says what is wrong with an address, without credentials`(text: String, reason: String) {
        let error = #expect(throws: SourceError.self) { try EtcdAddress(text) }
        #expect(error?.sentence.contains(reason) == true, "\(error as Any)")
        #expect(error?.description.contains("hush") == false)
    }
}
#endif
