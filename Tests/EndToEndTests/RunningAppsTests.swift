import Foundation
import TestSupport
import Testing

/// Running apps, as `flagmenu apps` and `--wait` see them. All are the built programs.
@Suite(.serialized, .mayBlock) struct RunningAppsTests {
    private let workplace = Workplace()

    init() {
        workplace.write(
            #"{"probe_switch": "false", "probe_shade": "light", "probe_count": "3", "login_variant": "A"}"#,
            to: "probe.json")
    }

    private func run(_ command: String) -> CommandRun { workplace.flagmenu("\(command) --source probe.json") }

    /// Starts an app, and waits until it has read its flags.
    private func start(_ mode: String) throws -> ChildProcess {
        let output = "ready-\(mode)-\(UUID().uuidString)"
        let streams = [
            open("/dev/null", O_RDONLY), creat(workplace.place(output), 0o600), open("/dev/null", O_WRONLY),
        ]
        defer { streams.forEach { close($0) } }
        let program = (Workplace.flagmenu as NSString).deletingLastPathComponent + "/AppProbe"
        let process = try #require(
            ChildProcess([program, mode], workplace.environment, directory: workplace.path, streams: streams))
        try #require(Clock.wait { workplace.read(output) == "ready\n" })
        return process
    }

    @Test func `an app is listed with the values that it uses, until it is killed`() throws {
        #expect(run("apps").errorText == "No process runs probe with its flags open.\n")
        let app = try start("loop")
        #expect(Clock.wait { run("apps").text.contains("probe_switch  false (remote)\n") || !run("apps").text.isEmpty })
        let text = run("apps").text
        #expect(text.hasPrefix("AppProbe (\(app.id))  started just now, 4 declared flags\n"), "\(text)")
        #expect(text.contains("  probe_count   3 (default)\n"), "\(text)")
        let json = run("apps --json").text
        #expect(json.contains("\"options\": [") && json.contains("\"process\": \(app.id)"), "\(json)")
        kill(app.id, SIGKILL)
        app.end(before: Clock.seconds() + 5)
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
        let imported = run("import import.json --wait=3")
        #expect(imported.status == 0, "\(imported)")
        #expect(run("reset --all --yes --wait").status == 0)
    }

    @Test func `without an app that declares the flag, set says so and succeeds`() throws {
        let set = run("set probe_switch true --wait")
        #expect(set.status == 0 && set.errorText.hasSuffix("No running app declares probe_switch.\n"), "\(set)")
        let app = try start("loop")
        let other = run("set login_variant B --wait")
        #expect(other.status == 0 && other.errorText.contains("No running app declares login_variant."), "\(other)")
        kill(app.id, SIGKILL)
    }

    @Test(
        arguments: [
            ("once", "has not read it since; if it reads it only at start, restart it."),
            ("never", "has not read it yet."), ("closed", "ignores overrides: this build does not use any."),
        ])
    func `an app that does not use the value is named with its reason`(mode: String, reason: String) throws {
        // A build without overrides announces itself only if a menu was used with it.
        #expect(run("set probe_count 4").status == 0)
        let app = try start(mode)
        #expect(Clock.wait { !run("apps").text.isEmpty })
        let set = run("set probe_switch true --wait 0.5")
        #expect(set.status == 6, "\(set)")
        #expect(set.errorText.contains("AppProbe (\(app.id)) \(reason)"), "\(set.errorText)")
        kill(app.id, SIGKILL)
    }

    @Test func `a flag that needs a restart is taken only by the next start`() throws {
        let app = try start("loop")
        #expect(Clock.wait { run("apps --json").text.contains(#""firstValue": "false""#) })
        let set = run("set probe_start true --any --new --wait 0.5")
        #expect(set.status == 6, "\(set)")
        #expect(
            set.errorText.contains("AppProbe (\(app.id)) read it once at start: restart to apply."), "\(set.errorText)")
        #expect(run("reset probe_start --wait").status == 0, "the app has used this value since its start")
        #expect(run("set probe_start true --any --new").status == 0)
        kill(app.id, SIGKILL)
        app.end(before: Clock.seconds() + 5)
        let next = try start("loop")
        #expect(run("set probe_start true --any --new --wait").status == 0)
        kill(next.id, SIGKILL)
    }

    @Test func `an app that is stopped has not noticed the change`() throws {
        let app = try start("loop")
        #expect(run("set probe_switch true --wait").status == 0)
        kill(app.id, SIGSTOP)
        let set = run("set probe_switch false --wait 0.5")
        #expect(set.status == 6 && set.errorText.contains("has not noticed the change"), "\(set)")
        kill(app.id, SIGCONT)
        #expect(run("set probe_switch false --wait").status == 0)
        kill(app.id, SIGKILL)
    }

    @Test func `a value that the app rejects is named with the reason of the app`() throws {
        let app = try start("loop")
        let set = run("set probe_shade purple --any --wait 0.5")
        #expect(set.status == 6 && set.errorText.contains("AppProbe (\(app.id)) rejected it"), "\(set)")
        kill(app.id, SIGKILL)
    }
}
