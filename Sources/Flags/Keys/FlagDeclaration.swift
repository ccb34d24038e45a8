import FlagModel

/// The target of a ``FlagKey``. There is one for each name, type and default, and it is never freed.
final class FlagDeclaration<Value: Sendable>: AnyFlagDeclaration, Sendable {
    let name: String
    let slot: Int
    let defaultValue: Value
    let coding: FlagCoding<Value>
    /// The default as explanations show it; `nil` if it cannot be encoded.
    let defaultText: String?

    init(name: String, slot: Int, defaultValue: Value, defaultText: String?, coding: FlagCoding<Value>) {
        self.name = name
        self.slot = slot
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.coding = coding
    }

    var type: FlagType { coding.type }
    var valueType: any Any.Type { Value.self }

    func accepts(_ text: String) -> Bool { coding.read(text) != nil }

    func resolve(in values: LayerValues) -> FlagResolution<Value> {
        var refused: [RefusedValue] = []
        for layer in Layer.allCases {
            guard let text = values.text(of: name, in: layer) else { continue }
            if let value = coding.read(text) {
                return FlagResolution(value: value, text: text, layer: layer, refused: refused)
            }
            refused.append(RefusedValue(key: name, layer: layer, text: text, typeName: type.rawValue))
        }
        return FlagResolution(value: defaultValue, text: defaultText, layer: .default, refused: refused)
    }

    func outcome(in values: LayerValues) -> FlagOutcome {
        let resolution = resolve(in: values)
        // Encoded again, so that two spellings of one value compare equal.
        let meaning = (try? coding.write(resolution.value)) ?? resolution.text
        return FlagOutcome(text: resolution.text, layer: resolution.layer, meaning: meaning)
    }

    func refused(in values: LayerValues) -> [RefusedValue] { resolve(in: values).refused }

    func publishable(_ values: LayerValues) -> PublishableValue {
        let resolution = resolve(in: values)
        return PublishableValue(refused: resolution.refused) { [slot, value = resolution.value] slots in
            slots.publish(value, at: slot)
        }
    }
}

/// A declaration without its value type.
protocol AnyFlagDeclaration: AnyObject, Sendable {
    var name: String { get }
    var type: FlagType { get }
    var slot: Int { get }
    var valueType: any Any.Type { get }
    var defaultText: String? { get }

    /// Whether a text is a valid value.
    func accepts(_ text: String) -> Bool
    /// The effective text, and the layer that it comes from.
    func outcome(in values: LayerValues) -> FlagOutcome
    /// The invalid texts of layers above the effective one.
    func refused(in values: LayerValues) -> [RefusedValue]
    /// The effective value, ready to be published to readers.
    func publishable(_ values: LayerValues) -> PublishableValue
}

/// An effective value, decoded from its text.
struct PublishableValue: Sendable {
    /// The invalid texts of higher layers.
    let refused: [RefusedValue]
    /// Publishes it to readers; returns the previous object.
    let publish: @Sendable (borrowing SlotTable) -> (any AnyObject & Sendable)?
}

/// The effective value of a declared flag.
struct FlagResolution<Value> {
    let value: Value
    let text: String?
    let layer: Layer
    /// Texts of higher layers that could not be decoded.
    let refused: [RefusedValue]
}

/// The effective text of a flag.
struct FlagOutcome: Sendable {
    let text: String?
    let layer: Layer?
    /// The same for all texts that the flag decodes to the same value.
    let meaning: String?

    /// Whether readers of the flag get the same value, from any layer.
    func isSameValue(as other: FlagOutcome) -> Bool { meaning == other.meaning }
}

/// A text that is not a valid value of its flag's type.
struct RefusedValue: Hashable {
    let key: String
    let layer: Layer
    let text: String
    let typeName: String

    var sentence: String {
        let text = JSONOutput.quoted(text, limit: 80)
        return "The flag \(JSONOutput.quoted(key, limit: 80)) has \(text) in the layer \(layer.word), not a valid "
            + "\(typeName). The next layer is used instead; "
            + (layer == .override ? "clear or change the override." : "fix the value there.")
    }
}
