import CNcurses

/// The bytes that turn off what a full-screen program, or one that it started, may have turned on.
enum RestoreSequence {
    /// Made from the current description, so that no terminal gets an unsupported sequence.
    static func bytes() -> [UInt8] {
        var sequence = ["sgr0", "BD", "rmkx", "cnorm"].compactMap(capability)
        sequence.append(reportsOff)
        sequence.append(capability("rmcup") ?? "\r\n")
        return sequence.flatMap { withoutPadding(Array($0.utf8)) }
    }

    /// Turns off what another program may have left on if it was killed: a hidden cursor, and reports.
    static func afterOthers() -> [UInt8] { withoutPadding(Array(((capability("cnorm") ?? "") + reportsOff).utf8)) }

    /// Turns off xterm's mouse modes (with their coordinates), focus events and synchronised output. Only terminals
    /// with xterm's mouse reports get it. The modes are off already unless a program crashed, or an editor left them
    /// on.
    private static var reportsOff: String {
        capability("kmous") == nil ? "" : "\u{1B}[?1000;1002;1003;1006;1004;2026l"
    }

    private static func capability(_ name: String) -> String? {
        cn_capability(name).map { String(cString: $0) }
    }

    /// Without terminfo's `$<5>` delays, which only `tputs` understands.
    static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: Array("$<".utf8)), let end = bytes[index...].firstIndex(of: 0x3E) {
                index = end + 1
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }
}
