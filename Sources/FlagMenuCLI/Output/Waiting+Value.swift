import DeveloperMenuTerminal

extension Waiting {
    /// Blocks the thread until asynchronous work returns a value or throws an error.
    static func value<Value: Sendable, Failure: Error>(
        of work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = result { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
