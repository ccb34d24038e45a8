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
        let remove = add(LayerFeed(key: key, layers: Set(layers), updates: updates), to: \.layerFeeds)
        updates.onTermination = { _ in remove() }
        updates.yield()
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

/// A subscription to changes of layers.
struct LayerFeed: Sendable {
    let key: String?
    let layers: Set<FlagLayer>
    let updates: AsyncStream<Void>.Continuation

    func notify(of keys: Set<FlagText>, in changedLayers: Set<FlagLayer>) {
        guard key.map({ keys.contains(FlagText($0)) }) ?? true, !layers.isDisjoint(with: changedLayers) else { return }
        updates.yield()
    }
}
