import CNcurses

/// The bytes that undo what a full-screen program, or one that it started, may have switched on.
enum RestoreSequence {
    /// Made from the description that is loaded now, so that no terminal gets a sequence it does not have.
    static func bytes() -> [UInt8] {
        var sequence = ["sgr0", "BD", "rmkx", "cnorm"].compactMap(capability)
        sequence.append(reportsOff)
        sequence.append(capability("rmcup") ?? "\r\n")
        return sequence.flatMap { withoutPadding(Array($0.utf8)) }
    }

    /// What a program that had the terminal meanwhile may have left on, when it was ended: a hidden cursor, and reports.
    static func afterOthers() -> [UInt8] { withoutPadding(Array(((capability("cnorm") ?? "") + reportsOff).utf8)) }

    /// Switches off xterm's mouse modes (with their coordinates), focus events and synchronised output. Terminals that
    /// report the mouse its way take that; others get nothing. The modes are off already unless something died, or an
    /// editor left them on.
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
