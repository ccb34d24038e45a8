import FlagModel
import Synchronization

/// The declaration that a ``FlagKey`` points to. Each combination of name, type and default has one declaration, which
/// is never freed.
final class FlagDeclaration<Value: FlagValue>: AnyFlagDeclaration, Sendable {
    let name: String
    let slot: Int
    let defaultValue: Value
    /// The default as text; `nil` if it cannot be encoded.
    let defaultText: String?
    let facts: DeclaredFlag.Facts
    /// The JSON text that was decoded last, and its value: snapshots, scopes and observers read the same one.
    private let decoded = Mutex<(text: FlagText, value: Value)?>(nil)

    init(name: String, slot: Int, defaultValue: Value, defaultText: String?, facts: DeclaredFlag.Facts) {
        self.facts = facts
        self.name = name
        self.slot = slot
        self.defaultValue = defaultValue
        self.defaultText = defaultText
    }

    var type: FlagType { Value.flagType }
    var valueType: any Any.Type { Value.self }

    func invalidReason(to text: String) -> InvalidFlagText? {
        do throws(InvalidFlagText) {
            _ = try value(of: text)
            return nil
        } catch {
            return error
        }
    }

    /// The value of a text.
    func value(of text: String) throws(InvalidFlagText) -> Value {
        guard type == .json else { return try Value(flagText: text) }
        let key = FlagText(text)
        if let known = decoded.withLock({ $0?.text == key ? $0 : nil }) { return known.value }
        let value = try Value(flagText: text)
        let old = decoded.withLock { decoded in
            defer { decoded = (key, value) }
            return decoded
        }
        // Released without the lock, as it may have the last reference to an object of the app.
        withExtendedLifetime(old) {}
        return value
    }

    func resolve(in values: LayerValues) -> FlagResolution<Value> {
        var refused: [RejectedValue] = []
        for layer in FlagLayer.allCases {
            guard let text = values.text(of: name, in: layer) else { continue }
            do throws(InvalidFlagText) {
                return FlagResolution(value: try value(of: text), text: text, layer: layer, refused: refused)
            } catch {
                refused.append(
                    RejectedValue(key: name, layer: layer, text: text, typeName: type.rawValue, reason: error.reason))
            }
        }
        return FlagResolution(value: defaultValue, text: defaultText, layer: .default, refused: refused)
    }

    func outcome(in values: LayerValues) -> FlagOutcome {
        let resolution = resolve(in: values)
        // Encoded again, so that different spellings of the same value compare equal.
        let canonicalText = (try? resolution.value.flagText()) ?? resolution.text
        return FlagOutcome(
            value: canonicalText, text: resolution.text, layer: resolution.layer, refused: resolution.refused)
    }

    func publish(_ contents: StoreContents, in store: FlagStore) {
        store.publish(resolve(in: contents.values), of: self, in: contents)
    }
}

/// A declaration without its value type.
protocol AnyFlagDeclaration: AnyObject, Sendable {
    var name: String { get }
    var type: FlagType { get }
    var slot: Int { get }
    var valueType: any Any.Type { get }
    var defaultText: String? { get }
    /// What the code says about the flag for menus.
    var facts: DeclaredFlag.Facts { get }

    /// Why a text is not a valid value; `nil` if it is one.
    func invalidReason(to text: String) -> InvalidFlagText?
    /// The effective text and its layer.
    func outcome(in values: LayerValues) -> FlagOutcome
    /// Publishes the effective value to the readers of a store; see ``FlagStore/publish(_:of:in:)``.
    func publish(_ contents: StoreContents, in store: FlagStore)
}

extension AnyFlagDeclaration {
    /// Whether a text is a valid value.
    func accepts(_ text: String) -> Bool { invalidReason(to: text) == nil }

    /// The declaration as menus see it, with what the app uses.
    func declared(using use: FlagUse? = nil) -> DeclaredFlag {
        DeclaredFlag(key: name, type: type, defaultValue: defaultText, facts: facts, use: use)
    }
}

/// What the code has read: the text of a value, and its layer.
struct ReadValue: Sendable, Hashable {
    /// The text; `nil` if the value has none.
    let text: String?
    let layer: FlagLayer
}

/// The effective value of a flag.
struct FlagResolution<Value: Sendable>: Sendable {
    let value: Value
    let text: String?
    let layer: FlagLayer?
    /// The texts of higher layers that could not be decoded.
    var refused: [RejectedValue] = []

    /// What code reads that reads this value.
    var content: ReadValue { ReadValue(text: text, layer: layer ?? .default) }
}

/// The effective value of a flag, encoded again: the same for all texts that decode to the same value.
typealias FlagOutcome = FlagResolution<String?>

/// A text that is not a valid value of its flag's type.
struct RejectedValue: Hashable {
    let key: String
    let layer: FlagLayer
    let text: String
    let typeName: String
    /// Why the text is not valid, as the end of a sentence; `nil` if the type says enough.
    var reason: String?

    /// What is wrong, for those who have set the value.
    var rejection: String {
        JSONOutput.quoted(text, limit: 80) + (reason.map { " is not valid: \($0)." } ?? " is not a valid \(typeName).")
    }

    var sentence: String {
        let text = JSONOutput.quoted(text, limit: 80)
        return "The flag \(JSONOutput.quoted(key, limit: 80)) has \(text) in the layer \(layer.word), not a valid "
            + "\(typeName)\(reason.map { ": \($0)" } ?? ""). The next layer is used instead; "
            + (layer == .override ? "reset or change the override." : "fix the value there.")
    }
}
