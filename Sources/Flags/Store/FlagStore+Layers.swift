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
        recordRead(of: .text(key), in: snapshot.values)
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
    package func layerUpdates(of key: String? = nil, in layers: [FlagLayer]) -> StoreUpdates<Void> {
        updates(of: { _ in }, when: { $0.affects(key, in: layers) })
    }
}
