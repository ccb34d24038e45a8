/// What a test does not get although it waits for it.
package struct WaitError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Waits until a condition is true.
///
/// - Throws: an error with the words if the condition is false even after a time that is enough for a very busy machine.
package func wait(for words: String, until isTrue: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(240)
    while !isTrue() {
        guard ContinuousClock.now < end else { throw WaitError(description: "no \(words) within four minutes") }
        try await Task.sleep(for: .milliseconds(1))
    }
}
