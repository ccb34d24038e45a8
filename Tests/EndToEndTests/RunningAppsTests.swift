import Foundation
import TestSupport
import Testing

/// Running apps, as `flagmenu apps` and `--wait` see them. All are the built programs.
@Suite(.slow, .serialized, .mayBlock) final class RunningAppsTests {
    private let workplace = Workplace()
    /// The started apps run until they are killed, at the latest with the last reference.
    private var apps: [ChildProcess] = []

    init() {
        workplace.write(
            #"{"probe_switch": "false", "probe_shade": "light", "probe_count": "3", "login_variant": "A"}"#,
            to: "probe.json")
    }

    private func run(_ command: String) -> CommandRun {
        workplace.flagmenu("\(command) --source probe.json --app probe")
    }

    /// Starts a program that prints to a file.
    private func launch(
        _ arguments: [String], environment: [String: String]? = nil, output: String
    ) throws -> ChildProcess {
        let streams = [
            open("/dev/null", O_RDONLY), creat(workplace.place(output), 0o600), open("/dev/null", O_WRONLY),
        ]
        defer { streams.forEach { close($0) } }
        return try #require(
            ChildProcess(
                arguments, environment ?? workplace.environment, directory: workplace.path, streams: streams))
    }

    /// Starts an app, and waits until it has read its flags.
    @discardableResult private func start(
        _ mode: String, app: String = "probe", store: String? = nil, environment: [String: String]? = nil
    ) throws -> ChildProcess {
        let output = "ready-\(mode)-\(UUID().uuidString)"
        let program = (Workplace.flagmenu as NSString).deletingLastPathComponent + "/AppProbe"
        let arguments = [program, mode, app] + (store.map { [$0] } ?? [])
        let process = try launch(arguments, environment: environment, output: output)
        apps.append(process)
        try #require(Clock.wait { workplace.read(output) == "ready\n" }, "the app has not read its flags")
        return process
    }

    @Test func `an app is listed with the values that it uses, until it is killed`() throws {
        #expect(run("apps").errorText == "No process runs probe with its flags open.\n")
        let app = try start("loop")
        #expect(Clock.wait { run("apps").text.contains("  probe_switch  false (default)\n") })
        let text = run("apps").text
        #expect(text.hasPrefix("AppProbe (\(app.id))  started just now, 4 declared flags\n"), "\(text)")
        #expect(text.contains("  probe_count   3 (default)\n"), "\(text)")
        run("apps --json").expect(text: "\"options\": [", "\"process\": \(app.id)")
        app.end(before: 0)
        #expect(run("apps").text.isEmpty, "the lock has died with the process")
    }

    @Test func `set waits until the app has read the value, and toggle, reset and import do, too`() throws {
        let app = try start("loop")
        let set = run("set probe_switch true --wait")
        #expect(
            set.status == 0
                && set.errorText
                    == "probe_switch: false -> true (was remote)\nAppProbe (\(app.id)) took it.\n",
            "\(set)")
        #expect(run("apps").text.contains("probe_switch  true (override)\n"))
        #expect(run("toggle probe_switch --wait 3").status == 0)
        #expect(run("reset probe_switch --wait").status == 0)
        workplace.write(#"{"format": 1, "overrides": {"probe_count": {"value": "7"}}}"#, to: "import.json")
        run("import import.json --wait=3").expect(0)
        #expect(run("reset --all --yes --wait").status == 0)
    }

    @Test func `without an app that declares the flag, set says so and succeeds`() throws {
        let set = run("set probe_switch true --wait")
        #expect(set.status == 0 && set.errorText.hasSuffix("No running app declares probe_switch.\n"), "\(set)")
        try start("loop")
        run("set login_variant B --wait").expect(0, errors: "No running app declares login_variant.")
    }

    @Test(
        arguments: [
            ("once", "probe_switch true", "has not read it since; if it reads it only at start, restart it."),
            ("never", "probe_switch true", "has not read it yet."),
            ("closed", "probe_switch true", "ignores overrides: this build does not use any."),
            ("loop", "probe_shade purple --any", "rejected it"),
        ])
    func `an app that does not use the value is named with its reason`(
        mode: String, change: String, reason: String
    ) throws {
        // A build without overrides announces itself only if a menu or a command was used with the app before.
        #expect(run("set probe_count 4").status == 0)
        let app = try start(mode)
        #expect(Clock.wait { !run("apps").text.isEmpty })
        run("set \(change) --wait 0.5").expect(6, errors: "AppProbe (\(app.id)) \(reason)")
    }

    @Test func `a time to wait counts also before another option`() throws {
        try start("never")
        #expect(Clock.wait { !run("apps").text.isEmpty })
        let start = Clock.seconds()
        run("set probe_switch true --wait=0.5 --json").expect(6)
        let seconds = Clock.seconds() - start
        #expect(seconds < Clock.limit(4), "\(seconds): the standard time is 5 s")
    }

    @Test func `set of matching flags does not wait for flags that it leaves out`() throws {
        try start("never")
        #expect(Clock.wait { !run("apps").text.isEmpty })
        run("set true --matching probe_ --yes --wait 0.5").expect(
            6, errors: "probe_switch", without: "probe_count: AppProbe")
    }

    @Test func `a flag that needs a restart is taken only by the next start`() throws {
        let app = try start("loop")
        #expect(Clock.wait { run("apps --json").text.contains(#""firstValue": "false""#) })
        run("set probe_start true --any --new --wait 0.5").expect(
            6, errors: "AppProbe (\(app.id)) read it once at start: restart to apply.")
        #expect(run("reset probe_start --wait").status == 0, "the app has used this value since its start")
        #expect(run("set probe_start true --any --new").status == 0)
        app.end(before: 0)
        try start("loop")
        #expect(run("set probe_start true --any --new --wait").status == 0)
    }

    @Test func `an app that uses the overrides in another folder is named, and the same folder may be a link`() throws {
        let store = workplace.place("store")
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: workplace.place("link"), withDestinationPath: store)
        let app = try start("loop", store: store)
        #expect(Clock.wait { !run("apps").text.isEmpty })
        run("set probe_switch true --wait 0.5").expect(
            6, errors: "AppProbe (\(app.id)) uses the overrides in \(store).")
        for folder in ["store", "link"] {
            let same = run("toggle probe_switch --wait --store \(folder)")
            #expect(same.status == 0 && same.errorText.hasSuffix("\nAppProbe (\(app.id)) took it.\n"), "\(same)")
        }
        #expect(run("apps --store link").text.components(separatedBy: "AppProbe (").count == 2, "listed once")
        app.end(before: 0)
        #expect(run("apps --store store").text.isEmpty)
    }

    @Test func `an app with another home folder is seen by menus that use the same overrides`() throws {
        let store = workplace.place("store")
        let app = try start(
            "loop", environment: workplace.changed(["HOME": workplace.place("other"), "FLAGMENU_STORE": store]))
        #expect(Clock.wait { !run("apps --store store").text.isEmpty })
        let set = run("set probe_switch true --wait --store store")
        #expect(set.status == 0 && set.errorText.hasSuffix("\nAppProbe (\(app.id)) took it.\n"), "\(set)")
    }

    @Test func `explain says what running apps use, and why one rejects a value`() throws {
        let app = try start("loop")
        #expect(run("set probe_switch true --wait").status == 0)
        #expect(
            run("explain probe_switch").text.contains("\n\nrunning apps:\n  AppProbe (\(app.id)) took true after "))
        #expect(run("set probe_shade purple --any").status == 0)
        let reason = #""purple" is not valid: the cases are light, dark."#
        #expect(Clock.wait { run("explain probe_shade").text.contains("(\(app.id)) rejected it: \(reason)\n") })
        run("explain probe_shade --json").expect(text: #""taken": false"#, #""app": "AppProbe (\#(app.id))""#)
    }

    @Test func `import and reset wait for the flags that they clear, also again`() throws {
        let app = try start("loop")
        #expect(run("set probe_switch true --wait").status == 0)
        kill(app.id, SIGSTOP)
        workplace.write("{}", to: "none.json")
        let commands = [
            "import none.json --replace --wait 0.3", "reset --all --yes --wait 0.3", "reset --all --yes --wait 0.3",
            "reset --category Probe --yes --wait 0.3", "reset --matching probe_switch --yes --wait 0.3",
        ]
        for command in commands { #expect(run(command).status == 6, "\(command)") }
        kill(app.id, SIGCONT)
        for command in commands { #expect(run(command).status == 0, "\(command)") }
    }

    @Test func `an announcement that cannot be read may be that of an app that does not use the value`() throws {
        try start("loop")
        #expect(run("set probe_switch true --wait").status == 0)
        let folder = "\(workplace.home)/.local/state/flagmenu/probe/running"
        try FileManager.default.createDirectory(
            atPath: "\(folder)/0000000000000000.app.json", withIntermediateDirectories: true)
        run("set probe_switch false --wait").expect(6, errors: "another app may run that does not use it.")
        #expect(run("set probe_switch false").status == 0)
    }

    @Test func `an app that is stopped has not noticed the change`() throws {
        let app = try start("loop")
        #expect(run("set probe_switch true --wait").status == 0)
        kill(app.id, SIGSTOP)
        run("set probe_switch false --wait 0.5").expect(6, errors: "has not noticed the change")
        kill(app.id, SIGCONT)
        #expect(run("set probe_switch false --wait").status == 0)
    }

    // An empty project: no document, and no option that names one.

    /// Runs `flagmenu` without a source, in a folder without a document.
    private func runBare(_ arguments: String...) -> CommandRun {
        workplace.flagmenu(arguments, in: workplace.home)
    }

    @Test func `flags in code are listed, set and toggled without any JSON`() throws {
        let app = try start("screen", app: "shop")
        #expect(Clock.wait { runBare("list").text.contains("probe_switch\tfalse\tdefault\n") })
        #expect(
            runBare("list").text
                == "probe_switch\tfalse\tdefault\nprobe_count\t3\tdefault\n"
                + "probe_screen\t{\"label\":{\"title\":\"Welcome\"}}\tdefault\nprobe_shade\tlight\tdefault\nprobe_start\tfalse\tdefault\n"
        )
        #expect(runBare("set", "probe_shade", "dark", "--wait").status == 0)
        #expect(runBare("toggle", "probe_switch", "--wait").status == 0)
        runBare("list", "--json").expect(
            text: "\"title\": \"The switch\"", "\"category\": \"Probe\"", "\"running\": true")
        app.end(before: 0)
        #expect(runBare("list").text.hasPrefix("probe_switch\ttrue\toverride\n"), "known after the app has ended")
        #expect(runBare("toggle", "probe_switch").status == 0)
        runBare("explain", "probe_switch").expect(text: "declared: by AppProbe, last seen")
        #expect(runBare("doctor").text.contains("5 flags declared by AppProbe"))
    }

    @Test func `a document belongs to the app whose code declares most of its flags`() throws {
        workplace.write(#"{"probe_count": "42", "probe_switch": "false", "other": "1"}"#, to: "doc/shop.json")
        workplace.write(#"{"probe_count": "42", "a": "1"}"#, to: "doc/half.json")
        func onDocument(_ arguments: String...) -> CommandRun {
            workplace.flagmenu(arguments + ["--source", "shop.json"], in: workplace.path + "/doc")
        }
        #expect(onDocument("set", "probe_count", "1").errorText == "probe_count: 42 -> 1 (was remote)\n", "before")
        let app = try start("loop", app: "shop")
        #expect(Clock.wait { onDocument("get", "probe_count").text == "42\n" })
        let get = onDocument("get", "probe_count").errorText
        #expect(get.hasPrefix("Using shop, which runs and declares 2 of 3 flags of shop.json. 1 override of shop.json"))
        #expect(onDocument("set", "probe_count", "7", "--wait").status == 0)
        #expect(runBare("get", "probe_count").text == "7\n", "the override is that of the app")
        #expect(onDocument("get", "probe_count", "--app", "other").text == "42\n", "a named app is used")
        let half = workplace.flagmenu(["get", "probe_count", "--source", "half.json"], in: workplace.path + "/doc")
        #expect(half.text == "42\n" && half.errorText.isEmpty, "half of the flags are not most of them")
        let others = (0..<9).map { #""other_\#($0)": "1""# }.joined(separator: ", ")
        workplace.write(
            #"{"probe_count": "42", "probe_switch": "true", "probe_shade": "dark", \#(others)}"#, to: "doc/large.json")
        let large = workplace.flagmenu(["get", "probe_count", "--source", "large.json"], in: workplace.path + "/doc")
        #expect(
            large.errorText.hasPrefix("Using shop, which runs and declares 3 of 12 flags of large.json."),
            "the document has most of what the app declares: \(large.errorText)")
        app.end(before: 0)
        #expect(onDocument("get", "probe_count").errorText.hasPrefix("Using shop, which has declared 2 of 3 flags"))
    }

    @Test func `the values of an app with a source of its own are read from the app, or said to be unknown`() throws {
        workplace.write(#"{"probe_count": "42"}"#, to: "own.json")
        let app = try start("remote", app: "shop")
        #expect(Clock.wait { runBare("get", "probe_count").text == "42\n" })
        #expect(runBare("get", "probe_count").errorText == "Using shop, the only app that runs.\n")
        #expect(runBare("set", "probe_count", "7", "--wait").status == 0)
        #expect(runBare("get", "probe_count").text == "7\n")
        runBare("explain", "probe_count").expect(text: "remote    42", "default   3")
        #expect(runBare("reset", "probe_count", "--wait").errorText.contains("probe_count: 7 -> 42 (was override)"))
        app.end(before: 0)
        // 3, the default in code, is not what the app reads.
        runBare("get", "probe_count", "--default", "5").expect(
            2, exactly: "", errors: "AppProbe reads its own sources and does not run now")
        #expect(runBare("list").text.contains("probe_count\tnot known\tnone\n"))
        #expect(runBare("list", "--json", "--matching", "probe_count").text.contains("\"value\": null"))
        #expect(runBare("explain", "probe_count", "--quiet").text.contains("The value is not known. AppProbe reads"))
        #expect(runBare("explain", "probe_count", "--json").text.contains("\"layer\": null"))
        runBare("toggle", "probe_switch", "--quiet").expect(2, errors: "The value of probe_switch is not known.")
        #expect(runBare("set", "probe_count", "8").status == 0)
        #expect(runBare("get", "probe_count").text == "8\n")
        #expect(runBare("list").text.contains("probe_count\t8\toverride\n"))
        #expect(runBare("set", "probe_switch", "true").status == 0)
        #expect(runBare("toggle", "probe_switch").status == 0)
        #expect(runBare("get", "probe_switch").text == "false\n", "set, although it equals the default in code")
    }

    @Test func `a value that the app cannot read stays, and wait and explain say why`() throws {
        try start("screen", app: "shop")
        #expect(Clock.wait { runBare("get", "probe_screen").status == 0 })
        #expect(runBare("set", "probe_screen", #"{"label":{"title":"Hello"}}"#).status == 0)
        #expect(runBare("set", "probe_screen", #"{"label":{}}"#).status == 0)
        let set = runBare("set", "probe_screen", #"{"label":{"text":1}}"#, "--wait", "1")
        #expect(set.status == 6 && set.errorText.contains("label.title is missing"), "\(set)")
        #expect(runBare("get", "probe_screen").text == #"{"label":{"text":1}}"# + "\n")
        #expect(runBare("explain", "probe_screen").text.contains("label.title is missing"))
        runBare("set", "probe_shade", "purple").expect(3, errors: "Options: light, dark.")
        #expect(!runBare("history").text.contains("probe_shade"), "it was never written")
    }

    @Test func `an option of the catalog that the code does not have is refused by the app`() throws {
        workplace.write(
            #"{"config_categories": [{"category": "C", "items": [{"key": "probe_shade", "value": "light|purple"}]}]}"#,
            to: "probe.json")
        try start("loop")
        #expect(Clock.wait { run("list --matching is:mismatched").text.hasPrefix("probe_shade\t") })
        run("set probe_shade purple").expect(3, errors: "the cases are light, dark.")
        #expect(!run("history").text.contains("probe_shade"), "it was never written")
        run("doctor").expect(text: "The catalog offers \"purple\" for probe_shade")
        #expect(run("list --matching is:missing").text.contains("probe_count\t"))
    }

    @Test func `an app id that no app has opened warns and suggests the nearest`() throws {
        try start("loop", app: "shop")
        #expect(Clock.wait { runBare("get", "probe_switch").status == 0 })
        runBare("set", "probe_switch", "true", "--app", "shpo", "--new").expect(
            0,
            errors: "No app with the id \"shpo\" has ever opened its flags on this machine. Did you mean \"shop\"?")
        runBare("toggle", "probe_count", "--app", "shpo").expect(1, errors: "Did you mean \"shop\"?")
        #expect(!runBare("set", "probe_switch", "true", "--app", "shop").errorText.contains("No app"))
    }

    @Test func `set says that a running app ignores overrides, and after a reset the app needs to do nothing`() throws {
        try start("closed")
        #expect(run("apps").text.isEmpty, "no menu was used with the app")
        #expect(run("set probe_count 4").status == 0)
        let app = try start("closed")
        #expect(Clock.wait { !run("apps").text.isEmpty })
        run("set probe_switch true").expect(0, errors: "AppProbe (\(app.id)) ignores overrides")
        run("reset probe_switch --wait").expect(0)
    }

    #if os(Linux)
    @Test func `a build without overrides starts no thread and watches nothing`() throws {
        #expect(run("set probe_count 4").status == 0)
        let process = "/proc/\(try start("closed").id)"
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(process)/task").count == 1)
        let opened = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)")) ?? ""
        }
        #expect(!opened.contains { $0.contains("inotify") }, "\(opened)")
    }
    #endif

    @Test(arguments: [false, true])
    func `watch shows apps that start, take values and end`(isJSON: Bool) throws {
        // With --initial, as the app may start before the command has read which apps run.
        let words =
            ["watch", "--apps", "--initial", "--source", "probe.json", "--app", "probe"] + (isJSON ? ["--json"] : [])
        let watch = try launch([Workplace.flagmenu] + words, output: "lines")
        func has(_ text: String, _ json: String) -> Bool {
            Clock.wait { workplace.read("lines")?.contains(isJSON ? json : text) == true }
        }
        let app = try start("loop")
        #expect(has("AppProbe (\(app.id)) started, 4 declared flags\n", #""event":"started","app":"AppProbe""#))
        #expect(run("set probe_switch true --wait").status == 0)
        #expect(has("took probe_switch true (override) after ", #""event":"took","app":"AppProbe""#))
        #expect(run("set probe_shade purple --any").status == 0)
        #expect(has("rejected probe_shade: \"purple\" is not", #""event":"rejected""#))
        kill(app.id, SIGKILL)
        #expect(has("AppProbe (\(app.id)) ended\n", #""event":"ended""#))
        kill(watch.id, SIGINT)
        #expect(watch.end(before: Clock.seconds() + 10) == 130)
    }
}
