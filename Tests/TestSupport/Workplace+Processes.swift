public import Foundation

/// Programs that tests end from outside.
extension Workplace {
    /// A script that runs a command with its process id in the file `pid`, and then shows its exit status as `ended N`.
    public static func noting(_ command: String) -> String {
        "sh -c 'echo $$ > pid; exec \(command)'; echo \"ended $?\""
    }

    /// The process whose id a script has written to a file; `nil` where there is none.
    public func process(_ name: String = "pid") -> pid_t? {
        read(name).flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Whether a process has ended, be it that nobody has asked for its status yet.
    public func isGone(_ process: pid_t) -> Bool {
        if kill(process, 0) != 0 { return true }
        return read("/proc/\(process)/stat")?.contains(") Z ") == true
    }
}
