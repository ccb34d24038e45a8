import Platform

/// A failed system call.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call, by its C name: "rename".
    package let call: String
    /// The value of `errno`.
    package let code: Int32
    /// The link that root does not follow, if that is the failure.
    var plantedLink: String?

    /// The system's own message, "No space left on device", or ours if it has none.
    package var text: String {
        plantedLink.map { "Root does not follow \($0), a link of another user to what is not theirs" }
            ?? String(cString: strerror(code))
    }

    /// The call and the message: "rename: No space left on device".
    package var description: String { "\(call): \(text)" }

    /// The `result` of a C call that reports failure as -1; throws `errno` then.
    static func check<Number: SignedInteger>(
        _ call: String, _ result: Number
    ) throws(SystemError) -> Number {
        guard result != -1 else { throw SystemError(call: call, code: errno) }
        return result
    }
}

/// Retries `call` as long as a signal interrupts it.
///
/// This includes `fsync`: EINTR means that the wait was interrupted, not that data was lost. Any other failure of
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
