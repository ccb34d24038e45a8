import Foundation
import TestSupport
import Testing

/// A signal ends the menu, but not before what it shows as made is on disk.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct EndedFromOutsideTests {
    private let workplace = Workplace()
    private let menu = "flagmenu --store kept"

    /// A window in which a change waits for the store, and the lock that keeps it from being saved until it is closed.
    private func opened(
        _ script: String? = nil, variables: [String: String?] = [:]
    ) throws -> (window: TerminalWindow, lock: Int32) {
        // So that the store is there.
        #expect(workplace.flagmenu("set login_variant B --store kept").status == 0)
        let window = try TerminalWindow(
            workplace, script ?? "\(Workplace.noting(menu)); exec cat", variables: variables)
        try window.wait(for: "Multiple locations", "1 overridden")
        let lock = try takeLock()
        window.press("Space")
        // The number in the title: a category says "1 of 2 overridden" before.
        try window.wait(for: "* 2 overridden")
        return (window, lock)
    }

    private func process() throws -> pid_t { try #require(workplace.process()) }

    /// Keeps the menu from saving until it is closed.
    private func takeLock() throws -> Int32 {
        let descriptor = open(workplace.place("kept/overrides.lock"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    private var value: String { workplace.flagmenu("get enable_multiple_locations --store kept").text }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a change that waits for another process is saved before a signal takes effect`(signal: Int32) throws {
        let (window, lock) = try opened()
        kill(try process(), signal)
        try window.wait("the terminal") { _ in window.value("alternate_on") == "0" }
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    /// As timeout(1) does, and a window that closes: by the kernel and by its shell.
    @Test(arguments: [[SIGTERM, SIGTERM, SIGCONT], [SIGHUP, SIGCONT, SIGHUP], [SIGTERM, SIGHUP]])
    func `signals in a row are one wish`(signals: [Int32]) throws {
        let (window, lock) = try opened()
        for signal in signals { kill(try process(), signal) }
        close(lock)
        // Those that wait at the same time are delivered by their numbers.
        try window.wait("the end") { text in signals.contains { text.contains("ended \(128 + $0)") } }
        #expect(value == "true\n")
    }

    @Test func `a process that never lets go of the store does not keep the menu`() throws {
        let (window, lock) = try opened()
        defer { close(lock) }
        kill(try process(), SIGTERM)
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(value == "false\n")
    }

    @Test func `whoever insists does not wait`() throws {
        let (window, lock) = try opened()
        defer { close(lock) }
        let start = Clock.seconds()
        let menu = try process()
        #expect(Clock.wait { workplace.isGone(menu) || kill(menu, SIGTERM) != 0 })
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(Clock.seconds() - start < 5, "a wait for the store takes ten seconds")
        #expect(window.value("alternate_on") == "0")
    }

    @Test func `a change is saved though the window is closed meanwhile`() throws {
        let (window, lock) = try opened()
        let menu = try process()
        window.close()
        close(lock)
        #expect(Clock.wait(atMost: 20) { workplace.isGone(menu) })
        #expect(value == "true\n")
    }

    @Test func `a menu that was stopped saves when it is continued to end, in the background too`() throws {
        let (window, lock) = try opened(
            "set -m; \(Workplace.noting(menu)); echo stopped; exec cat")
        window.press("C-z")
        try window.wait(for: "stopped")
        let menu = try process()
        kill(menu, SIGTERM)
        kill(menu, SIGCONT)
        close(lock)
        #expect(Clock.wait(atMost: 20) { workplace.isGone(menu) })
        #expect(value == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a change is saved though the user's own editor has the terminal`(signal: Int32) throws {
        let (window, lock) = try opened(variables: ["EDITOR": "sh -c \"echo editing; exec sleep 1000\""])
        window.press("j", "j", "j", "j", "Enter")
        try window.wait(for: "\"text\": \"Welcome\"", "$EDITOR")
        window.press("C-g")
        try window.wait(for: "editing")
        kill(try process(), signal)
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    @Test func `the app around an embedded menu ends as the menu alone does`() throws {
        workplace.write(RemoteMap.document, to: "remote-map.json")
        let app = "flagmenu-demo --source remote-map.json --app demo --store kept"
        #expect(workplace.flagmenu("set AWESOME_FEATURE false --app demo --store kept").status == 0)
        let window = try TerminalWindow(workplace, "\(Workplace.noting(app)); exec cat")
        try window.wait(for: "Single Location")
        window.press("d")
        try window.wait(for: "Multiple Locations", "1 overridden")
        let lock = try takeLock()
        window.press("Space")
        try window.wait(for: "* 2 overridden")
        kill(try process(), SIGTERM)
        close(lock)
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(window.value("alternate_on") == "0")
        #expect(
            workplace.flagmenu("get enable_multiple_locations --source remote-map.json --app demo --store kept").text
                == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `the menu in lines saves too`(signal: Int32) throws {
        #expect(workplace.flagmenu("set login_variant B --store kept").status == 0)
        let window = try TerminalWindow(
            workplace, "\(Workplace.noting(menu)); exec cat", variables: ["TERM": "dumb"])
        try window.wait(for: "q to quit:")
        let lock = try takeLock()
        window.press("1", "Space", "1", "Enter")
        try window.wait(for: "Waiting. Ctrl-C leaves.")
        kill(try process(), signal)
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `the menu in lines ends while it waits for a line`(signal: Int32) throws {
        let window = try TerminalWindow(
            workplace, "\(Workplace.noting(menu)); exec cat", variables: ["TERM": "dumb"])
        try window.wait(for: "q to quit:")
        kill(try process(), signal)
        try window.wait(for: "ended \(128 + signal)")
    }
}
