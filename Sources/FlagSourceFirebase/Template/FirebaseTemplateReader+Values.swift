import FlagModel

extension FirebaseTemplateReader {
    /// The value under one condition or under none. One that is empty, zero or false counts as none.
    mutating func readValue(_ value: JSONValue, of key: FlagText) -> ParameterValue {
        guard value.isTruthy else {
            if value.kind != .null { note("a value of \(key.quoted) is empty and counts as none", at: value) }
            return .absent
        }
        guard value.kind == .object else {
            note("a value of \(key.quoted) is \(value.kindWords); expected an object", at: value)
            return .unusable
        }
        if value.truthy("useInAppDefault") != nil { return .inAppDefault }
        if let text = value.present("value") {
            if text.kind != .string {
                note("a value of \(key.quoted) is \(text.kindWords); expected a string", at: text)
            }
            return .text(SignalValue(text).map { FlagText($0.text) } ?? text.flagText ?? "")
        }
        return Self.special(value)
    }

    /// The forms that firebase-admin does not know: to it they are values without a text.
    private static func special(_ value: JSONValue) -> ParameterValue {
        if let rollout = value["rolloutValue"] {
            return .rollout(
                id: rollout["rolloutId"]?.flagText, text: rollout["value"]?.flagText,
                percent: rollout["percent"]?.flagText)
        }
        if let personalization = value["personalizationValue"] {
            return .personalization(id: personalization["personalizationId"]?.flagText)
        }
        guard let experiment = value["experimentValue"] else { return .unknown }
        let variants = experiment["variantValue"].map { Array($0.elements) } ?? []
        return .experiment(
            id: experiment["experimentId"]?.flagText,
            variants: variants.map { .init(id: $0["variantId"]?.flagText, text: $0["value"]?.flagText) })
    }
}
