import Dispatch
import Flags
import Foundation

/// An app that tests start, stop and kill. It declares four flags, and uses them as its first argument says:
///
///     AppProbe loop|once|never|closed|screen|remote [APP [FOLDER]]
///
/// `loop` reads all flags every 2 ms, `once` only at the start, `never` not at all; `closed` is a build without
/// overrides, `screen` is `loop` with a fifth flag, the JSON of a screen, and `remote` is `loop` with a source of its
/// own, the file `own.json`. `FOLDER` is a folder of overrides that the
/// code names. It prints a line when it is ready, and runs until it is killed.
@main struct AppProbe {
    /// The screen of the fifth flag.
    struct Screen: Codable, FlagValue {
        struct Label: Codable { var title: String }
        var label = Label(title: "Welcome")
    }

    enum Shade: String, CaseIterable, FlagValue { case light, dark }

    static func main() {
        let mode = CommandLine.arguments.dropFirst().first ?? "loop"
        let app = CommandLine.arguments.dropFirst(2).first ?? "probe"
        let switched = FlagKey<Bool>("probe_switch", default: false, title: "The switch", group: "Probe")
        let shade = FlagKey<Shade>("probe_shade", default: .light)
        let count = FlagKey<Int>("probe_count", default: 3)
        let start = FlagKey<Bool>("probe_start", default: false, needsRestart: true)
        let screen = mode == "screen" ? [FlagKey("probe_screen", default: Screen())] : []
        let flags = FlagStore(
            app: app, sources: mode == "remote" ? [RemoteFile("own.json")] : [],
            options: .init(
                overrides: mode == "closed" ? .closed : .open, declares: [switched, shade, count, start] + screen,
                storeDirectory: CommandLine.arguments.dropFirst(3).first))
        func read() -> String {
            for key in screen { _ = flags[key] }
            return "\(flags[switched]) \(flags[shade].rawValue) \(flags[count]) \(flags[start])"
        }
        if mode != "never" { _ = read() }
        print("ready")
        fflush(nil)
        while ["loop", "closed", "screen", "remote"].contains(mode) {
            _ = read()
            usleep(2_000)
        }
        withExtendedLifetime(flags) { while true { sleep(60) } }
    }
}
