package import FlagModel
import Synchronization

// Access to the values of single layers, for providers with their own rules.
extension FlagStore {
    /// The first valid value in `layers`; `nil` if there is none. Invalid texts before it are reported, each once.
    ///
    /// - Parameters:
    ///   - key: the flag's key, declared or not. The default of a declaration is ignored.
    ///   - snapshot: a snapshot of this store.
    ///   - layers: the layers to read, the highest first.
    ///   - typeName: the name of the value type in reports.
    ///   - read: decodes a text; returns `nil` if the text is invalid.
    package func value<Value>(
        of key: String, at snapshot: FlagSnapshot, in layers: [FlagLayer], typeName: String, by read: (String) -> Value?
    ) -> Value? {
        var refused: [RejectedValue] = []
        defer { reportOnce(refused) }
        snapshot.onRead(.text(key: key), snapshot.values)
        for layer in layers {
            guard let text = snapshot.values.text(of: key, in: layer) else { continue }
            if let value = read(text) { return value }
            refused.append(RejectedValue(key: key, layer: layer, text: text, typeName: typeName))
        }
        return nil
    }

    /// Signals once immediately, and then after each change of `layers`, even if no effective value changes.
    ///
    /// - Parameters:
    ///   - key: the key whose changes are signalled; by default, every key.
    ///   - layers: the layers whose changes are signalled.
    package func layerUpdates(of key: String? = nil, in layers: [FlagLayer]) -> LayerUpdates {
        // One pending signal is enough, as a reader reads the current state after each signal.
        let (signals, updates) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let layers = Set(layers)
        let observation = observe(
            begin: { _ in updates.yield() }, onEnd: { updates.finish() },
            { change in if change.affects(key, in: layers) { updates.yield() } })
        updates.onTermination = { _ in observation.cancel() }
        return LayerUpdates(signals: signals, updates: updates)
    }
}

/// Signals of changes, until the reading task or the caller ends them.
package struct LayerUpdates: Sendable {
    /// The signals, for one reader.
    package let signals: AsyncStream<Void>
    fileprivate let updates: AsyncStream<Void>.Continuation

    /// Ends the signals, also for readers that are still waiting.
    package func end() { updates.finish() }
}
