package import FlagModel
import Synchronization

// Access by layer, for readers of flags with their own rules.
extension FlagStore {
    /// The valid value of the highest of some layers. Invalid texts above it are reported, each a single time.
    ///
    /// - Parameters:
    ///   - key: the flag's key, declared or not. The default of a declaration is ignored.
    ///   - snapshot: a snapshot of this store.
    ///   - layers: the layers to read, the highest first.
    ///   - typeName: the name of the value type in reports.
    ///   - read: decodes a text; `nil` if it is invalid.
    package func value<Value>(
        of key: String, at snapshot: FlagSnapshot, in layers: [Layer], typeName: String, by read: (String) -> Value?
    ) -> Value? {
        var refused: [RefusedValue] = []
        defer { reportOnce(refused) }
        for layer in layers {
            guard let text = snapshot.values.text(of: key, in: layer) else { continue }
            if let value = read(text) { return value }
            refused.append(RefusedValue(key: key, layer: layer, text: text, typeName: typeName))
        }
        return nil
    }

    /// A signal at once, and one after each change of some layers, even if no effective value changes.
    ///
    /// - Parameters:
    ///   - key: the only key whose changes matter; by default, all.
    ///   - layers: the layers whose changes matter.
    package func layerNews(of key: String? = nil, in layers: [Layer]) -> LayerNews {
        // One pending signal is enough: a reader that wakes reads the current state.
        let (signals, news) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let remove = add(LayerFeed(key: key, layers: Set(layers), news: news), to: \.layerFeeds)
        news.onTermination = { _ in remove() }
        news.yield()
        return LayerNews(signals: signals, news: news)
    }
}

/// Signals of changes, until the reading task or the caller ends them.
package struct LayerNews: Sendable {
    /// The signals, for one reader.
    package let signals: AsyncStream<Void>
    fileprivate let news: AsyncStream<Void>.Continuation

    /// Ends the signals, also for readers that are still waiting.
    package func end() { news.finish() }
}

/// A subscription to changes of layers.
struct LayerFeed: Sendable {
    let key: String?
    let layers: Set<Layer>
    let news: AsyncStream<Void>.Continuation

    func tell(of keys: Set<String>, in changed: Set<Layer>) {
        guard key.map(keys.contains) ?? true, !layers.isDisjoint(with: changed) else { return }
        news.yield()
    }
}
