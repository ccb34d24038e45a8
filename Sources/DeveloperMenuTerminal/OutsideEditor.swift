import DeveloperMenu
import FlagModel
import FlagStorage
import Flags
import Platform
import TerminalShell

/// The user's own editor, which edits a value while the menu waits.
struct OutsideEditor {
    /// The shell command, to which the file's path is appended.
    let command: String

    /// The editor in VISUAL or EDITOR, otherwise `nano` or `vi`; `nil` if no editor is installed.
    static func current() -> OutsideEditor? {
        let named = ["VISUAL", "EDITOR"].compactMap { ProcessEnvironment.variable($0) }.first
        return (named ?? ["nano", "vi"].first(where: isInstalled)).map(OutsideEditor.init)
    }

    /// Writes the text to a file, runs the editor on the file, and reads the file. The menu must have released the
    /// terminal.
    ///
    /// - Parameter folder: the folder of the file; `nil` for the system's temporary folder.
    static func edit(_ text: String, as type: FlagType, in folder: String?) -> OutsideEdit {
        guard let editor = current() else {
            return .failed(reason: "No editor found. The value is unchanged. Set EDITOR, then try again.")
        }
        // Until the editor is awaited, a signal would leave the file and the editor behind.
        ForegroundChild.holdSignals()
        defer { ForegroundChild.releaseSignals() }
        do throws(StorageError) {
            let temporary = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { ProcessEnvironment.variable($0) }.first
            let folder = folder ?? temporary ?? "/tmp"
            let file = try EditingFile(text, name: type == .json ? "value.json" : "value.txt", in: folder)
            defer { file.remove() }
            guard let child = editor.spawn(file.path) else {
                return .failed(reason: "The shell for the editor did not start. The value is unchanged.")
            }
            switch ForegroundChild.wait(for: child) {
            case .ended(let status):
                if let reason = editor.failureReason(status) { return .failed(reason: reason) }
                return .written(try file.read())
            case .lost: return .failed(reason: "The editor ended without a result. The value is unchanged.")
            case .endRequested(let signal):
                // The user's text must not stay on disk.
                file.remove()
                raise(signal)
                return .failed(reason: "The editor was terminated. The value is unchanged.")
            }
        } catch {
            return .failed(reason: error.description)
        }
    }

    /// Why the edited text is not used, as a sentence; `nil` if the editor exited with code 0.
    private func failureReason(_ status: Int32) -> String? {
        // The low seven bits are the signal, the byte above them the exit code (wait.h).
        let code = (status >> 8) & 0xFF
        // The codes of the shell for a command that is missing or cannot be run (POSIX, 2.8.2).
        if code == 126 || code == 127 {
            return "The editor cannot run; the value is unchanged. Set EDITOR to one that can. (\(command))"
        }
        // A shell that waits for the editor reports a signal as 128 plus its number.
        let signal = max(status & 0x7F, code - 128)
        if signal > 0 { return "The editor was terminated by signal \(signal). The value is unchanged." }
        return code == 0 ? nil : "The editor exited with code \(code). The value is unchanged."
    }

    /// Starts `sh -c 'EDITOR "$1"' sh PATH`, as git and crontab do, so that EDITOR may contain arguments. Returns the
    /// process id; `nil` if the shell cannot be started.
    ///
    /// If EDITOR has no shell syntax such as quotes or variables, `exec` replaces the shell with the editor, so that
    /// the menu can see when the editor is suspended, and can terminate it.
    private func spawn(_ path: String) -> pid_t? {
        let isPlain = command.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || " _-./:@%+,".utf8.contains(byte)
        }
        return ForegroundChild.spawn(["/bin/sh", "-c", "\(isPlain ? "exec " : "")\(command) \"$1\"", "sh", path])
    }

    private static func isInstalled(_ name: String) -> Bool {
        let folders = (ProcessEnvironment.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
