#if Server
import FlagModel
import FlagQueries
import FlagSharing
import Flags
import TerminalUI

extension ServedFlags {
    /// The changes as one string, with the rows of its QR code if one is large enough, and what is in it.
    func share(_ call: Call) throws -> JSONOutput {
        let now = store.now()
        let changes = SharedChanges(
            of: table(of: call.client), evaluations: store.remoteReading.sources.evaluations, app: store.app, at: now,
            secrets: secrets(), in: shared.board.catalog)
        let state = SharedState(changes.entries, madeAt: now)
        let isEmpty = changes.entries.changeCount == 0
        // A text that is too long has no code.
        let code = isEmpty ? nil : (try? state.text(.code)).flatMap { QRCode($0) }
        let rows = code.map { code in
            (0..<code.size).map { row in
                JSONOutput.string(String((0..<code.size).map { code[row, $0] ? "1" : "0" }))
            }
        }
        return .object([
            ("text", isEmpty ? .null : .string(try state.text())), ("code", rows.map(JSONOutput.array) ?? .null),
            ("lines", .array(changes.lines.map(JSONOutput.string))),
            ("leftOut", .array(changes.leftOut.map(JSONOutput.string))),
        ])
    }
}
#endif
