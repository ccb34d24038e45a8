import Platform

package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The C name of the call, such as "rename".
    package let call: String
    /// The value of `errno`.
    package let code: Int32

    package init(call: String, code: Int32) { (self.call, self.code) = (call, code) }

    /// The message of the system, such as "No space left on device".
    package var text: String { String(cString: strerror(code)) }

    /// The call and the message, such as "rename: No space left on device".
    package var description: String { "\(call): \(text)" }

    /// Returns the `result` of a C call, or throws `errno` if it is -1.
    @discardableResult
    static func check<Number: SignedInteger>(
        _ call: String, _ result: Number
    ) throws(SystemError) -> Number {
        guard result != -1 else { throw SystemError(call: call, code: errno) }
        return result
    }
}

/// Runs `call`, and retries it as long as a signal interrupts it.
///
/// This includes `fsync`: EINTR means that the wait was interrupted, not that data was lost. Any other failure of
/// `fsync` is final for its descriptor, because the kernel may report a failure once and then forget the unwritten
/// pages.
func uninterrupted<Result>(_ call: @autoclosure () throws(SystemError) -> Result) throws(SystemError) -> Result {
    while true {
        do throws(SystemError) {
            return try call()
        } catch {
            guard error.code == EINTR else { throw error }
        }
    }
}
