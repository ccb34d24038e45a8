import Foundation
import TestSupport
import Testing

/// A signal ends the menu, but not before what it shows as made is on disk.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized)
struct EndedFromOutsideTests {
    private let workplace = Workplace()

    private func opened(variables: [String: String?] = [:]) throws -> TerminalWindow {
        // So that the store is there.
        #expect(workplace.flagmenu("set login_variant B --store kept").status == 0)
        let script = "sh -c 'echo $$ > pid; exec flagmenu --store kept'; echo \"ended $?\"; exec cat"
        return try TerminalWindow(workplace, script, variables: variables)
    }

    private func process() throws -> pid_t {
        try #require(pid_t((workplace.read("pid") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Keeps the menu from saving until it is closed.
    private func takeLock() throws -> Int32 {
        let descriptor = open(workplace.place("kept/overrides.lock"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    private var value: String { workplace.flagmenu("get enable_multiple_locations --store kept").text }

    /// A disk that others keep busy may take longer for a save than the menu has, but hardly three times.
    private func expectSaved(_ whatEndsIt: () throws -> Void) throws {
        for _ in 0..<3 where value != "true\n" { try whatEndsIt() }
        #expect(value == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a change that waits for another process is saved before a signal takes effect`(signal: Int32) throws {
        try expectSaved {
            let window = try opened()
            try window.wait(for: "Multiple locations", "1 overridden")
            let lock = try takeLock()
            window.press("Space")
            try window.wait(for: "2 overridden")
            kill(try process(), signal)
            close(lock)
            try window.wait(for: "ended \(128 + signal)")
        }
    }

    @Test func `a process that never lets go of the store does not keep the menu`() throws {
        let window = try opened()
        try window.wait(for: "Multiple locations", "1 overridden")
        let lock = try takeLock()
        defer { close(lock) }
        window.press("Space")
        try window.wait(for: "2 overridden")
        kill(try process(), SIGTERM)
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(value == "false\n")
    }

    @Test func `a change is saved though the window is closed meanwhile`() throws {
        try expectSaved {
            let window = try opened()
            try window.wait(for: "Multiple locations", "1 overridden")
            let lock = try takeLock()
            window.press("Space")
            try window.wait(for: "2 overridden")
            let menu = try process()
            window.close()
            close(lock)
            #expect(Clock.wait { kill(menu, 0) != 0 || value == "true\n" })
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `the menu in lines saves too`(signal: Int32) throws {
        try expectSaved {
            let window = try opened(variables: ["TERM": "dumb"])
            try window.wait(for: "q to quit:")
            let lock = try takeLock()
            window.press("1", "Space", "1", "Enter")
            try window.wait(for: "Waiting. Ctrl-C leaves.")
            kill(try process(), signal)
            close(lock)
            try window.wait(for: "ended \(128 + signal)")
        }
    }
}
