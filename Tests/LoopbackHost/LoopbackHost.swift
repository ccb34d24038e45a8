import FlagModel
import FlagTesting
import Foundation

/// Runs the loopback servers for clients that are not ours: .github/scripts/vendors.py asks them with the vendors' own.
///
/// It prints the addresses as one line of JSON. Each line that it reads changes what a server serves; it answers `done`. It
/// ends with its input.
@main
struct LoopbackHost {
    static func main() async throws {
        let host = try await Host()
        say(host.addresses)
        while let line = readLine() { say(await host.obey(line) ? "done" : "no such command") }
    }

    /// At once, whoever reads it: `print` waits for more where that is no terminal.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

/// The servers, each with one flag of each kind that clients tell apart.
private struct Host {
    let unleash: LoopbackUnleash
    let launchDarkly: LoopbackLaunchDarkly
    let split: LoopbackSplit

    init() async throws {
        unleash = try await LoopbackUnleash([
            .init("on"), .init("off", false), .init("shade", variant: "blue", payload: ("string", "#00f")),
        ])
        launchDarkly = try await LoopbackLaunchDarkly(
            [.init("bool", "true"), .init("text", #""blue""#), .init("object", #"{"sizes":[1,2]}"#)],
            sdkKey: "sdk-key")
        split = try await LoopbackSplit([
            .init("on", "on"), .init("off", "off"), .init("variant", "v2", config: #"{"c":1}"#, sets: ["s1"]),
        ])
    }

    var addresses: String {
        JSONOutput.object([
            ("unleash", .string(unleash.url)), ("launchdarkly", .string(launchDarkly.url)),
            ("split", .string(split.url)),
        ]).text(indented: false)
    }

    /// Does what a line says; `false` where it means nothing.
    func obey(_ line: String) async -> Bool {
        switch line {
        case "unleash change": unleash.set([.init("on", false), .init("off"), .init("shade", variant: "red")])
        case "launchdarkly patch": await launchDarkly.patch(.init("text", #""red""#, version: 2))
        case "launchdarkly delete": await launchDarkly.delete("text", version: 3)
        case "launchdarkly put": await launchDarkly.put([.init("bool", "false", version: 9)])
        case "split update": await split.update(.init("variant", "v3", config: #"{"c":2}"#, sets: ["s1"]))
        case "split set":
            await split.set([.init("on", "off"), .init("off", "on"), .init("variant", "v4", sets: ["s1"])])
        default: return false
        }
        return true
    }
}
