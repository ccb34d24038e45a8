/// What a test does not get although it waits for it.
package struct WaitError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Waits until a condition is true.
///
/// - Throws: an error with the words if the condition is false even after a time that is enough for a very busy machine.
package func wait(for words: String, until isTrue: () -> Bool) async throws {
    guard try await becomesTrue(within: waitLimit, isTrue) else {
        throw WaitError(description: "no \(words) within four minutes")
    }
}

/// A time limit that even a very busy machine does not reach.
let waitLimit = Duration.seconds(240)

/// Whether a condition is true at any time within a limit.
func becomesTrue(within limit: Duration, _ isTrue: () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}
