extension AsyncStream<LiveUpdateEvent> {
    /// The events that `run` reports. The stream ends with `run`, which is cancelled when the stream ends before.
    ///
    /// It runs on the threads of the engine, so that an app whose tasks block does not delay changes.
    package static func reported(by run: @escaping @Sendable (Continuation) async -> Void) -> AsyncStream {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { updates in
            let task = Task(executorPreference: OwnThreads.engine) {
                await run(updates)
                updates.finish()
            }
            updates.onTermination = { _ in task.cancel() }
        }
    }
}
