public import Foundation

/// Programs that tests end from outside.
extension Workplace {
    /// A script that runs a command, saves the process id of the command in the file `pid`, and then prints `ended` and
    /// the command's exit status.
    public static func scriptSavingProcessID(of command: String) -> String {
        "sh -c 'echo $$ > pid; exec \(command)'; echo \"ended $?\""
    }

    /// The process id that a script wrote to a file, or `nil` if there is none.
    public func process(_ name: String = "pid") -> pid_t? {
        read(name).flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Whether a process has ended, even if its status is not collected yet.
    public func isGone(_ process: pid_t) -> Bool {
        if kill(process, 0) != 0 { return true }
        return read("/proc/\(process)/stat")?.contains(") Z ") == true
    }
}
