#if Network
import FlagModel
import TestSupport
import Testing

/// The commands with a team in a real etcd member.
@Suite(
    .mayBlock, .serialized,
    .enabled(if: EtcdCluster.isInstalled, "etcd is not installed: apt-get install etcd-server etcd-client"))
struct TeamCommandTests {
    private let workplace = Workplace()
    private let cluster: EtcdCluster

    init() throws { cluster = try #require(EtcdCluster()) }

    private func team(_ arguments: String) -> CommandRun {
        workplace.flagmenu(arguments, environment: ["FLAGMENU_TEAM": cluster.address()])
    }

    @Test func `a team value is set, listed, explained, hidden by an override, and cleared`() throws {
        let set = team("set enable_multiple_locations true --layer team").expect(0)
        #expect(set.errorText == "enable_multiple_locations: not set -> true (team)\n")
        #expect(team("get enable_multiple_locations").text == "true\n")
        #expect(team("list --layer team").text.hasPrefix("enable_multiple_locations\ttrue\t"))
        team("explain enable_multiple_locations").expect(text: "> team      true   set by ")
        #expect(team("set enable_multiple_locations true --layer team").errorText.contains("already (team)"))
        #expect(team("set enable_multiple_locations false").errorText.contains("(was team)"))
        team("set enable_multiple_locations true --layer team --for 2h").expect(
            errors: "(team, ends in 2 h", "hidden here by the override value")
        #expect(team("history --layer team").text.split(separator: "\n").count == 4)
        #expect(team("reset enable_multiple_locations --layer team").status == 0)
        #expect(team("reset enable_multiple_locations --layer team").errorText.contains("has no value"))
        #expect(team("list --layer team").text.isEmpty)
    }

    @Test func `a team value has a note and an end`() throws {
        #expect(team("note login_variant BUG-1 --layer team").status == 1, "it has no value")
        team("set login_variant B --layer team --note BUG-1 --until 2099-01-01T00:00:00Z").expect(
            0, errors: #"login_variant: not set -> B (team, note "BUG-1", ends in "#, "(2099-01-01 00:00 UTC))")
        team("list --layer team").expect(text: "BUG-1, ends in ")
        team("note login_variant done --layer team").expect(0, errors: #"B -> B (team, note "done")"#)
        team("explain login_variant --json").expect(
            text: #""note": "done""#, #""endsAt": "2099-01-01T00:00:00Z""#)
        #expect(team("set login_variant A --layer team --keep-end").errorText.hasSuffix(": B -> A (team)\n"))
        team("set login_variant B --layer team").expect(errors: "(team, no end)")
    }

    @Test func `a key that no source has is listed, and all values are cleared at once`() throws {
        #expect(team("set brand_new 1 --layer team").status == 1)
        #expect(team("set brand_new 1 --new --layer team").status == 0)
        #expect(team("list").text.contains("brand_new\t1\tteam\n"))
        #expect(team("list --overridden").text.isEmpty)
        #expect(team("reset --all --layer team").status == 2)
        #expect(team("reset --all --layer team --yes").errorText == "brand_new: 1 -> not set (team)\n")
    }

    @Test func `values of many flags are set and cleared by filter and by category`() throws {
        team("set --matching type:bool true --layer team --dry-run").expect(
            0, errors: "enable_multiple_locations: false -> true\n")
        #expect(team("list --layer team").text.isEmpty)
        #expect(team("set --matching type:bool true --layer team").status == 2, "needs a confirmation")
        team("set --matching type:bool true --layer team --yes --for 2h").expect(
            0, errors: "enable_multiple_locations: not set -> true (team, ends in 2 h")
        #expect(team("set --matching type:bool true --layer team --yes").errorText.contains("already ha"))
        #expect(team("set login_variant B --layer team").status == 0)
        #expect(team("reset --category Login --layer team").status == 2, "needs a confirmation")
        team("reset --category Login --layer team --yes").expect(0, errors: "login_variant: B -> not set (team)")
        team("reset --category Login --layer team --yes").expect(errors: "has no value for these flags")
        let undo = team("undo --layer team").expect(0)
        #expect(undo.errorText == "login_variant: not set -> B (team)\n", "\(undo)")
        #expect(team("undo --layer team").errorText == "login_variant: B -> not set (team)\n")
        #expect(team("set --matching= true --layer team --yes").status == 2)
        #expect(team("reset nosuch --layer team").status == 1)
        team("reset --matching type:bool --layer team --yes").expect(
            errors: "enable_multiple_locations: true -> not set (team)")
        #expect(team("list --layer team").text.isEmpty && team("list --overridden").text.isEmpty)
    }

    @Test func `more flags than etcd changes at once are changed in several steps`() throws {
        let members = (0..<230).map { "\"many_\($0)\": \"false\"" }.joined(separator: ", ")
        workplace.write("{\(members)}", to: "many.json")
        func run(_ arguments: String) -> CommandRun { team("\(arguments) --source many.json --app many") }
        #expect(run("set --matching many true --layer team --yes -q").status == 0)
        #expect(run("list --layer team").text.split(separator: "\n").count == 230)
        #expect(run("reset --all --layer team --yes -q").status == 0)
        #expect(run("list --layer team").text.isEmpty)
        #expect(run("history --layer team").text.contains("reset 30 overrides"))
    }

    @Test func `with etcd away, cached values serve with their age, and a write fails with 5`() throws {
        #expect(team("set enable_multiple_locations true --layer team").status == 0)
        cluster.signal(9, member: 0)
        team("get enable_multiple_locations").expect(exactly: "true\n", errors: "The values from just now stay in use")
        team("set enable_multiple_locations false --layer team").expect(5, errors: "the team's values were not changed")
        #expect(team("history --layer team").status == 5)
        #expect(team("set login_variant B").errorText == "login_variant: A -> B (was remote)\n")
    }

    @Test func `key that is not text costs one warning`() throws {
        let member = "127.0.0.1:\(cluster.ports[0])"
        workplace.shell(
            #"ETCDCTL_API=3 etcdctl --endpoints \#(member) put "$(printf 'shop/flags/caf\351')" true"#
        ).expect(0)
        #expect(team("set login_variant B --layer team").status == 0)
        let list = team("list --layer team")
        #expect(list.text.hasPrefix("login_variant\tB\t") && list.text.split(separator: "\n").count == 1, "\(list)")
        #expect(list.errorText.contains("1 key of the team is not UTF-8 and has no effect"), "\(list)")
    }

    @Test func `read-only rejects a change of the team`() throws {
        #expect(team("set enable_multiple_locations true --layer team --read-only").status == 4)
        #expect(team("list --layer team").text.isEmpty)
    }

    @Test func `watch reports a change of the team`() throws {
        _ = try workplace.watching(
            "enable_multiple_locations --sample", environment: ["FLAGMENU_TEAM": cluster.address()]
        ) { lines in
            var isOn = false
            // The watch may not be running yet.
            let isReported = Clock.wait {
                isOn.toggle()
                _ = team("set enable_multiple_locations \(isOn) --layer team -q")
                return lines().contains { $0.contains(#""layer":"team"}"#) }
            }
            #expect(isReported, "\(lines()) \(workplace.read("words") ?? "")")
        }
    }
}

/// The settings of a team, which need no etcd.
@Suite(.mayBlock) struct TeamSettingsTests {
    private let workplace = Workplace()

    @Test func `the project file names a team, and its address is checked`() {
        workplace.write(#"{"team": "etcd://127.0.0.1:1/shop"}"#, to: "flagmenu.json")
        workplace.flagmenu("status").expect(text: "team       etcd://127.0.0.1:1/shop, 0 values, nothing read yet")
        #expect(workplace.flagmenu("doctor --json").text.contains("127.0.0.1:1 refused the connection"))
        workplace.write(#"{"team": "http://127.0.0.1:1/shop"}"#, to: "flagmenu.json")
        workplace.flagmenu("status").expect(2, errors: "begins with etcd://")
    }

    @Test func `commands say what is missing or does not fit`() {
        workplace.flagmenu("set login_variant B --layer team").expect(2, errors: "No team is named")
        workplace.flagmenu("set login_variant B --layer team --until-restart").expect(2, errors: "not for --layer team")
        #expect(workplace.flagmenu("set login_variant B --layer team --for soon").status == 2)
    }

    @Test func `a project file needs consent before it gets the user's credentials`() {
        workplace.write(#"{"team": "etcd://127.0.0.1:1/shop"}"#, to: "flagmenu.json")
        let environment: [String: String?] = ["ETCDCTL_USER": "ana", "ETCDCTL_PASSWORD": "hush"]
        workplace.flagmenu("set login_variant B --layer team", environment: environment).expect(
            2, errors: "send the password in the variable ETCDCTL_PASSWORD")
        #expect(workplace.flagmenu("trust --quiet", environment: environment).status == 0)
        workplace.flagmenu("set login_variant B --layer team --new", environment: environment).expect(
            5, without: "hush")
    }

    @Test func `a password is not sent without encryption to another machine`() {
        workplace.flagmenu(
            "set login_variant B --layer team --team etcd://192.0.2.1:2379/shop",
            environment: ["ETCDCTL_USER": "ana", "ETCDCTL_PASSWORD": "hush"]
        ).expect(5, errors: "use etcds:")
    }
}
#endif
