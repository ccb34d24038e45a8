import FlagModel
import FlagRemote
import Logging
import Synchronization

// Changing and observing.
extension FlagStore {
    /// Replaces the contents: readers see the whole change at once, before any observer receives it. The caller calls
    /// ``publish()`` when it has no lock.
    ///
    /// - Parameter change: changes the contents and returns the layers whose values may differ, or `nil` to change
    ///   nothing. Must not use the store.
    /// - Returns: the revision of the new contents; `nil` if nothing was changed.
    @discardableResult
    func replaceContents(_ cause: StoreChange.Cause, _ change: (inout StoreContents) -> [FlagLayer]?) -> Int? {
        let change = publication.append {
            let old = contents
            var new = old
            guard let layers = change(&new) else { return nil }
            new.revision += 1
            let change = StoreChange(cause, in: layers, from: old, to: new)
            // The values of changed flags are withdrawn from their slots until they are read again.
            let withdrawn = state.withLock { state in
                revision.store(new.revision, ordering: .releasing)
                state.contents = new
                return state.readFlags(in: change).compactMap { slots.withdraw($0.slot) }
            }
            return (change, withdrawn)
        }
        return change?.new.revision
    }

    /// Delivers changes to the observers. Called without a lock.
    func publish() { publication.deliver() }

    /// Calls a handler with each change from now on, in order, until the returned observation ends.
    ///
    /// - Parameters:
    ///   - begin: called with the contents that the first change replaces, while no change is made.
    ///   - onEnd: called when the store ends.
    ///   - handler: called by the thread that made the change or an earlier one, without a lock. Must return quickly.
    ///     A change that it makes itself is delivered after this one.
    package func observe(
        begin: (StoreContents) -> Void = { _ in }, onEnd: @escaping @Sendable () -> Void = {},
        _ handler: @escaping @Sendable (StoreChange) -> Void
    ) -> FlagObservation {
        let number = publication.add(
            after: {
                let contents = contents
                begin(contents)
                return contents.revision
            }, onEnd: onEnd, handler)
        return FlagObservation { [weak publication] in publication?.remove(number) }
    }

    /// A part of the contents now, and again after each change of it. A slow reader gets only the newest value.
    func updates<Part: Sendable>(
        of part: @escaping @Sendable (StoreContents) -> Part,
        when isChanged: @escaping @Sendable (StoreChange) -> Bool
    ) -> StoreUpdates<Part> {
        // The closures keep only the continuation: a stream that they kept would not end when its reader leaves it.
        let (stream, continuation) = AsyncStream.makeStream(of: Part.self, bufferingPolicy: .bufferingNewest(1))
        let observation = observe(
            begin: { continuation.yield(part($0)) }, onEnd: { continuation.finish() },
            { change in if isChanged(change) { continuation.yield(part(change.new)) } })
        continuation.onTermination = { _ in observation.cancel() }
        return (stream, continuation)
    }

    /// Logs what a change makes wrong, and notifies the observers of flags.
    func report(_ change: StoreChange) {
        let (old, new) = (change.old, change.new)
        var warnings: [String] = []
        switch change.cause {
        case .sources:
            let errors = new.remote.sources.errors
            if !errors.isEmpty, errors != old.remote.sources.errors { warnings = [errors.joined(separator: " ")] }
        case .team:
            if let error = new.team.error, error != old.team.error {
                warnings = ["\(error.asSentence) The team's last values stay in use."]
            }
            warnings += new.team.issues.filter { !old.team.issues.contains($0) }
        case .overrideFile:
            if let issue = new.overrideFile?.issue, issue != old.overrideFile?.issue { warnings = [issue] }
        case .pushed, .written, .declared, .watch, .access: break
        }
        for warning in warnings { logger.warning("\(warning)") }
        let (readFlags, observed) = state.withLock { ($0.readFlags(in: change), $0.observed) }
        if !change.layers.isEmpty { reportOnce(readFlags.flatMap { $0.outcome(in: new.values).refused }) }
        for flag in observed.values where flag.isChanged(by: change) { flag.notify() }
    }

    /// Logs the invalid texts that were not logged before.
    func reportOnce(_ refused: [RejectedValue]) {
        guard !refused.isEmpty else { return }
        for value in state.withLock({ $0.markReported(refused) }) { logger.warning("\(value.sentence)") }
    }
}

/// A part of a store's contents now, and again after each change of it, until the reading task or the caller ends the
/// updates. A slow reader gets only the newest value.
package typealias StoreUpdates<Part> = (stream: AsyncStream<Part>, continuation: AsyncStream<Part>.Continuation)
