package import FlagModel
import Synchronization

// Layer by layer, for what reads flags by rules of its own.
extension FlagStore {
    /// The value of the highest of some layers whose text can be read. Texts above it that cannot are reported, once.
    ///
    /// - Parameters:
    ///   - key: the flag's key, declared or not. The default of a declaration does not count.
    ///   - snapshot: the moment to read at; one of this store.
    ///   - layers: the layers to ask, the highest first.
    ///   - typeName: what a report calls the values that can be read.
    ///   - read: the value that a text means; `nil` when it means none.
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

    /// A signal at once, and one after each change of some layers, whether or not it changes what is effective.
    ///
    /// - Parameters:
    ///   - key: the only key whose changes matter; left out, those of all do.
    ///   - layers: the layers whose changes matter.
    package func layerNews(of key: String? = nil, in layers: [Layer]) -> LayerNews {
        // One waiting signal is enough: whoever wakes reads what holds then.
        let (signals, news) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let remove = add(LayerFeed(key: key, layers: Set(layers), news: news), to: \.layerFeeds)
        news.onTermination = { _ in remove() }
        news.yield()
        return LayerNews(signals: signals, news: news)
    }
}

/// Signals of changes, until the reading task or whoever asked for them ends them.
package struct LayerNews: Sendable {
    /// The signals, for one reader.
    package let signals: AsyncStream<Void>
    fileprivate let news: AsyncStream<Void>.Continuation

    /// Ends the signals, also for readers that are still waiting.
    package func end() { news.finish() }
}

/// Somebody who wants to know of changes of layers.
struct LayerFeed: Sendable {
    let key: String?
    let layers: Set<Layer>
    let news: AsyncStream<Void>.Continuation

    func tell(of keys: Set<String>, in changed: Set<Layer>) {
        guard key.map(keys.contains) ?? true, !layers.isDisjoint(with: changed) else { return }
        news.yield()
    }
}
