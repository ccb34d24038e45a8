import Foundation
import TestSupport
import Testing

/// A signal ends the menu, but only after the changes that it shows are saved.
@Suite(.slow, .enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct EndedFromOutsideTests {
    private let workplace = Workplace()
    private let menu = "flagmenu --store kept"

    /// Opens a window with a command whose process id and exit code are known.
    private func window(
        _ command: String, variables: [String: String?] = [:], showing words: String...
    ) throws -> TerminalWindow {
        try TerminalWindow(
            workplace, "\(Workplace.scriptSavingProcessID(of: command)); exec cat", variables: variables, showing: words
        )
    }

    /// Opens a menu with an unsaved change. Returns its window and the lock, which blocks saving until it is closed.
    private func opened(
        _ script: String? = nil, variables: [String: String?] = [:]
    ) throws -> (window: TerminalWindow, lock: Int32) {
        // Create the store.
        #expect(workplace.flagmenu("set login_variant B --store kept").status == 0)
        let window = try TerminalWindow(
            workplace, script ?? "\(Workplace.scriptSavingProcessID(of: menu)); exec cat", variables: variables,
            showing: ["Multiple locations", "1 changed"])
        let lock = try takeLock()
        window.press("Space")
        // Wait for the number in the title: a category says "1 of 2 overridden" earlier.
        try window.wait(for: "2 changed")
        return (window, lock)
    }

    private func process() throws -> pid_t { try #require(workplace.process()) }

    /// Blocks the menu from saving until the descriptor is closed.
    private func takeLock() throws -> Int32 {
        let descriptor = open(workplace.place("kept/overrides.lock"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    private var value: String { workplace.flagmenu("get enable_multiple_locations --store kept").text }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a change that waits for the store lock is saved before a signal ends the menu`(signal: Int32) throws {
        let (window, lock) = try opened()
        kill(try process(), signal)
        try window.wait("the terminal") { _ in window.value("alternate_on") == "0" }
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    /// The signals of timeout(1), and those of a closing window, which the kernel and the shell send.
    @Test(arguments: [[SIGTERM, SIGTERM, SIGCONT], [SIGHUP, SIGCONT, SIGHUP], [SIGTERM, SIGHUP]])
    func `signals that arrive together count as one, and the change is saved`(signals: [Int32]) throws {
        let (window, lock) = try opened()
        for signal in signals { kill(try process(), signal) }
        close(lock)
        // Pending signals are delivered in the order of their numbers.
        try window.wait("the end") { text in signals.contains { text.contains("ended \(128 + $0)") } }
        #expect(value == "true\n")
    }

    @Test func `a store lock that is never released does not block the exit`() throws {
        let (window, lock) = try opened()
        defer { close(lock) }
        kill(try process(), SIGTERM)
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(value == "false\n")
    }

    @Test func `repeated signals end the menu without waiting for the store`() throws {
        let (window, lock) = try opened()
        defer { close(lock) }
        let start = Clock.seconds()
        let menu = try process()
        #expect(Clock.wait { workplace.isGone(menu) || kill(menu, SIGTERM) != 0 })
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(Clock.seconds() - start < 5, "the exit waited for the store")
        #expect(window.value("alternate_on") == "0")
    }

    @Test func `a change is saved even if the window closes`() throws {
        let (window, lock) = try opened()
        let menu = try process()
        window.close()
        close(lock)
        #expect(Clock.wait(atMost: 20) { workplace.isGone(menu) })
        #expect(value == "true\n")
    }

    @Test func `a stopped menu that is terminated in the background still saves its change`() throws {
        let (window, lock) = try opened(
            "set -m; \(Workplace.scriptSavingProcessID(of: menu)); echo stopped; exec cat")
        try window.press("C-z", showing: "stopped")
        let menu = try process()
        kill(menu, SIGTERM)
        kill(menu, SIGCONT)
        close(lock)
        #expect(Clock.wait(atMost: 20) { workplace.isGone(menu) })
        #expect(value == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal while the external editor runs still saves the change`(signal: Int32) throws {
        let (window, lock) = try opened(variables: ["EDITOR": "sh -c \"echo editing; exec sleep 1000\""])
        try window.press("j", "j", "j", "j", "Enter", showing: "\"text\": \"Welcome\"", "$EDITOR")
        try window.press("C-g", showing: "editing")
        kill(try process(), signal)
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    @Test func `a signal to the app saves the change of its embedded menu`() throws {
        workplace.write(RemoteMap.document, to: "remote-map.json")
        let app = "flagmenu-demo --source remote-map.json --app demo --store kept"
        #expect(workplace.flagmenu("set AWESOME_FEATURE false --app demo --store kept").status == 0)
        let window = try window(app, showing: "Single Location")
        try window.press("d", showing: "Multiple Locations", "1 changed")
        let lock = try takeLock()
        try window.press("Space", showing: "2 changed")
        kill(try process(), SIGTERM)
        close(lock)
        try window.wait(for: "ended \(128 + SIGTERM)")
        #expect(window.value("alternate_on") == "0")
        #expect(
            workplace.flagmenu("get enable_multiple_locations --source remote-map.json --app demo --store kept").text
                == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `in line mode a signal saves the change`(signal: Int32) throws {
        #expect(workplace.flagmenu("set login_variant B --store kept").status == 0)
        let window = try window(menu, variables: ["TERM": "dumb"], showing: "q to quit:")
        let lock = try takeLock()
        try window.press("1", "Space", "1", "Enter", showing: "Waiting. Ctrl-C leaves.")
        kill(try process(), signal)
        close(lock)
        try window.wait(for: "ended \(128 + signal)")
        #expect(value == "true\n")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `in line mode a signal ends the menu while it waits for a line`(signal: Int32) throws {
        let window = try window(menu, variables: ["TERM": "dumb"], showing: "q to quit:")
        kill(try process(), signal)
        try window.wait(for: "ended \(128 + signal)")
    }
}
