import CNcurses

/// The bytes that turn off the modes that a full-screen program, or its child processes, may have turned on.
enum RestoreSequence {
    /// The sequences of the loaded terminal description. No terminal gets a sequence that it does not support.
    static func bytes() -> [UInt8] {
        ["sgr0", "BD", "rmkx", "cnorm"].compactMap(capability).joined() + reportsOff
            + (capability("rmcup") ?? Array("\r\n".utf8))
    }

    /// The bytes that show the cursor and turn off reports. They are sent after another program that may have been
    /// killed.
    static func afterOthers() -> [UInt8] { (capability("cnorm") ?? []) + reportsOff }

    /// Turns off xterm's mouse modes (with their coordinates), focus events and synchronised output; empty for
    /// terminals without xterm's mouse reports. The modes are already off unless a program crashed or an editor left
    /// them on.
    private static var reportsOff: [UInt8] {
        capability("kmous") == nil ? [] : Array("\u{1B}[?1000;1002;1003;1006;1004;2026l".utf8)
    }

    /// A sequence of the loaded terminal description.
    static func capability(_ name: String) -> [UInt8]? {
        cn_capability(name).map { withoutPadding(Array(String(cString: $0).utf8)) }
    }

    /// Removes terminfo's delays, such as `$<5>`. Only `tputs` understands these delays.
    static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while let delay = bytes.firstRange(of: Array("$<".utf8)),
            let end = bytes[delay.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        {
            bytes.removeSubrange(delay.lowerBound...end)
        }
        return bytes
    }
}
