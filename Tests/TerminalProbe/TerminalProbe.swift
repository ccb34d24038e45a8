import Dispatch
import Platform
import TerminalShell
import TerminalUI

/// A full-screen program that shows its input, and ends in every way a program can end.
///
/// `TerminalProbe keep ARGUMENT...` runs the program as a job, as a shell does; see `Keeper`.
@main
struct TerminalProbe {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "keep" { exit(Keeper(arguments: Array(arguments.dropFirst())).run()) }
        if arguments.contains("--foreground") { takeForeground() }
        if arguments.contains("--handles-user-signal") { signal(SIGUSR1) { _ in } }
        if arguments.contains("--handles-termination") { signal(SIGTERM) { _ in _ = write(1, "HANDLED", 7) } }
        let mailbox = Mailbox<ProbeEvent>()
        do throws(TerminalError) {
            let options = TerminalOptions(
                isColorAllowed: !arguments.contains("--no-color"),
                areQueriesAllowed: !arguments.contains("--no-asking"))
            for _ in 0..<(arguments.contains("--twice") ? 2 : 1) {
                let program = probe(payload(arguments), mailbox, reportsFinish: arguments.contains("--tidies"))
                let finalState = try program.run(mailbox: mailbox, options: options)
                print("finished after \(finalState.keyCount) keys")
            }
        } catch {
            let sentence = Array("\(error)\n".utf8)
            _ = write(STDERR_FILENO, sentence, sentence.count)
            exit(error.exitStatus)
        }
    }

    private static func payload(_ arguments: [String]) -> [String]? {
        arguments.contains("--payload") ? ProbeState.hostileText : nil
    }

    /// Makes this process group the terminal's foreground job, as a shell does for a job that it starts.
    private static func takeForeground() {
        signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(STDIN_FILENO, getpgrp())
        signal(SIGTTOU, SIG_DFL)
    }

    private static func probe(
        _ payload: [String]?, _ mailbox: Mailbox<ProbeEvent>, reportsFinish: Bool
    ) -> Program<ProbeState, ProbeEvent, ProbeEffect> {
        Program(
            state: ProbeState(payload: payload),
            reduce: { $0.reduce($1) },
            view: \.screen,
            keyEvent: ProbeEvent.key,
            resizeEvent: ProbeEvent.resized,
            backgroundEvent: ProbeEvent.background,
            perform: { effect, control in perform(effect, control, mailbox) },
            isFinished: \.isFinished,
            finish: { if reportsFinish { _ = write(STDOUT_FILENO, "TIDIED", 6) } }
        )
    }

    private static func perform(_ effect: ProbeEffect, _ control: TerminalControl, _ mailbox: Mailbox<ProbeEvent>) {
        switch effect {
        case .suspend: control.suspend()
        case .repaint: control.repaint()
        case .runOutside: control.runOutside { print("OUTSIDE\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h") }
        case .mail: mailbox.post(.mailed)
        case .die(let way): way.die()
        case .leave: exit(7)
        case .copy: _ = control.copy("grün")
        case .takeTime: usleep(30_000)
        case .hang:
            _ = write(STDOUT_FILENO, "HUNG", 4)
            while true { usleep(30_000) }
        case .work:
            PendingWork.begin()
            // Longer than the event loop may take to react to a signal.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) {
                _ = write(STDOUT_FILENO, "WORKED", 6)
                PendingWork.end()
            }
        case .setMouse(let isOn): control.setMouse(isOn)
        case .flood:
            // More than a terminal buffers, so that the write blocks if nobody reads.
            let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
            _ = write(STDOUT_FILENO, blanks, blanks.count)
        }
    }
}
