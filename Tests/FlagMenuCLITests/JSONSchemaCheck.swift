import FlagModel

/// The part of JSON Schema (2020-12) that the published schemas use. An unknown keyword fails.
struct JSONSchemaCheck {
    private let root: JSONValue

    init(_ schema: JSONOutput) throws {
        root = try JSONDocument(parsing: Array(schema.text().utf8)).root
    }

    func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        schema.members.allSatisfy { keyword, rule in accepts(value, keyword.string, rule, schema) }
    }

    private func accepts(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue) -> Bool {
        switch keyword {
        case "$schema", "$defs", "title", "description": return true
        case "type" where rule.text?.string == "integer": return value.kind == .number && Int(value.source) != nil
        case "type": return Self.type(of: value) == rule.text?.string
        case "required": return rule.elements.allSatisfy { value[$0.text?.string ?? ""] != nil }
        case "minimum": return value.kind != .number || (Int(value.source) ?? .min) >= Self.number(rule)
        case "enum":
            return rule.elements.contains {
                $0.kind == value.kind && (value.kind == .string ? $0.text == value.text : $0.source == value.source)
            }
        case "not": return !accepts(value, rule)
        case "pattern":
            let pattern = try? Regex(rule.text?.string ?? "")
            return value.text.map { text in pattern.map { text.string.contains($0) } ?? false } ?? true
        case "maxLength": return value.text.map { $0.string.unicodeScalars.count <= Self.number(rule) } ?? true
        case "minLength": return value.text.map { $0.string.unicodeScalars.count >= Self.number(rule) } ?? true
        case "minItems": return value.kind != .array || value.count >= Self.number(rule)
        case "items": return value.kind != .array || value.elements.allSatisfy { accepts($0, rule) }
        case "anyOf": return rule.elements.contains { accepts(value, $0) }
        case "$ref":
            let name = rule.text?.string.split(separator: "/").last.map(String.init) ?? ""
            return root["$defs"]?[name].map { accepts(value, $0) } ?? false
        case "properties":
            return rule.members.allSatisfy { name, rule in
                value[name.string].map { accepts($0, rule) } ?? true
            }
        case "additionalProperties":
            return value.members.allSatisfy { member in
                schema["properties"]?[member.key.string] != nil || rule.kind == .object && accepts(member.value, rule)
            }
        default: return false
        }
    }

    /// The number of a rule, or the smallest integer if the rule is not a number.
    private static func number(_ rule: JSONValue) -> Int { Int(rule.source) ?? .min }

    private static func type(of value: JSONValue) -> String {
        switch value.kind {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
