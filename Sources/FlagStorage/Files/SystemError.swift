import Platform

/// A system call that failed.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call, by its C name: "rename".
    package let call: String
    /// The value of `errno`.
    package let code: Int32
    /// The link that root does not follow, where that is the failure.
    var plantedLink: String?

    /// The system's own words, "No space left on device", or ours where the system has none.
    package var text: String {
        plantedLink.map { "Root does not follow \($0), a link of another user to what is not theirs" }
            ?? String(cString: strerror(code))
    }

    /// The call and the system's words: "rename: No space left on device".
    package var description: String { "\(call): \(text)" }

    /// `result` of a C call that reports failure as -1; throws what `errno` says then.
    static func check<Number: SignedInteger>(
        _ call: String, _ result: Number
    ) throws(SystemError) -> Number {
        guard result != -1 else { throw SystemError(call: call, code: errno) }
        return result
    }
}

/// Repeats `call` for as long as a signal interrupts it.
///
/// This holds for `fsync` too: EINTR says that the wait was interrupted, not that data was lost. Any other failure of
/// `fsync` is final for its descriptor, because the kernel may report it once and then forget the unwritten pages.
func uninterrupted<Result>(_ call: () throws(SystemError) -> Result) throws(SystemError) -> Result {
    while true {
        do throws(SystemError) {
            return try call()
        } catch {
            guard error.code == EINTR else { throw error }
        }
    }
}
