import FlagModel

@testable import FlagSharing

/// Any text is searched, also as the JSON of a shared state, and a state that is found is found again when it is written.
func fuzz(_ bytes: [UInt8]) {
    let written = try? SharedForm.text.encoded(bytes)
    for text in [String(decoding: bytes, as: UTF8.self), "> \(written ?? "")\n"] {
        for state in SharedState.found(in: text).states {
            _ = state.summary(at: FlagTimestamp(seconds: 0))
            guard let again = try? state.text() else { continue }
            require(SharedState.found(in: again).states == [state], "a state differs when it is written again")
        }
    }
}
