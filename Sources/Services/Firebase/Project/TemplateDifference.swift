package import FlagFormats
package import FlagModel
import FlagRemote

/// One difference between two templates.
package struct TemplateDifference: Sendable, Hashable {
    /// What differs.
    package enum Kind: String, Sendable {
        /// The default value of a parameter, or its value under a condition.
        case value
        /// Other members of a parameter than its values, such as its description, its group or its type.
        case parameter
        /// The rule of a condition.
        case condition
        /// The order of the conditions that both templates have.
        case order
        /// Another part of the template, by its key.
        case other
    }

    package let kind: Kind
    /// The parameter or the other part.
    package var key: FlagText?
    package var condition: FlagText?
    /// The values, or the rules and the order of conditions as text.
    package var old = ParameterValue.absent
    package var new = ParameterValue.absent

    /// The differences between two templates.
    ///
    /// - Parameters:
    ///   - old: the text of the older template.
    ///   - new: the text of the newer template, in whose order the differences are.
    /// - Throws: an error if one of the texts is not a template.
    package static func between(_ old: [UInt8], _ new: [UInt8]) throws(DocumentError) -> [TemplateDifference] {
        let (old, new) = (try TemplateText(old), try TemplateText(new))
        return parameters(old, new) + conditions(old, new) + others(old, new)
    }

    /// The new elements in their order, then those that only the old list has.
    private static func union(_ old: [FlagText], _ new: [FlagText]) -> [FlagText] {
        new + old.filter { !new.contains($0) }
    }

    private static func parameters(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        let removed = old.template.parameters.map(\.key).filter { new.parameters[$0] == nil }
        return (new.template.parameters.map(\.key) + removed).flatMap { key in
            differences(of: key, old.parameters[key], new.parameters[key])
        }
    }

    private static func differences(
        of key: FlagText, _ old: TemplateText.Parameter?, _ new: TemplateText.Parameter?
    ) -> [TemplateDifference] {
        let conditions = union(old?.conditions ?? [], new?.conditions ?? [])
        let values = ([nil] + conditions).compactMap { condition -> TemplateDifference? in
            let before = old?.parsed.value(under: condition) ?? .absent
            let after = new?.parsed.value(under: condition) ?? .absent
            guard before != after else { return nil }
            return TemplateDifference(kind: .value, key: key, condition: condition, old: before, new: after)
        }
        let hasOtherMembers = old?.parsed.group != new?.parsed.group || old?.remainder ?? "{}" != new?.remainder ?? "{}"
        // Values that differ only in spelling are reported too, as publishing changes the spelling.
        let hasOtherSpelling = values.isEmpty && old?.source.compactJSON != new?.source.compactJSON
        return values + (hasOtherMembers || hasOtherSpelling ? [TemplateDifference(kind: .parameter, key: key)] : [])
    }

    private static func conditions(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        let (oldNames, newNames) = (old.template.conditionNames, new.template.conditionNames)
        let (oldRules, newRules) = (old.template.rules, new.template.rules)
        let rules = union(oldNames, newNames).compactMap { name -> TemplateDifference? in
            let (before, after) = (oldRules[name], newRules[name])
            guard before != after else { return nil }
            return TemplateDifference(
                kind: .condition, condition: name, old: text(before?.summary), new: text(after?.summary))
        }
        let (before, after) = (oldNames.filter(newNames.contains), newNames.filter(oldNames.contains))
        guard before != after else { return rules }
        return rules + [TemplateDifference(kind: .order, old: text(list(before)), new: text(list(after)))]
    }

    private static func list(_ names: [FlagText]) -> String { names.map(\.string).joined(separator: ", ") }

    private static func text(_ words: String?) -> ParameterValue { words.map { .text(FlagText($0)) } ?? .absent }

    private static func others(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        union(old.others.map(\.key), new.others.map(\.key)).compactMap { key in
            let (before, after) = (old.others.first { $0.key == key }, new.others.first { $0.key == key })
            return before?.text == after?.text ? nil : TemplateDifference(kind: .other, key: key)
        }
    }
}

/// A template with the text of its parts, without white space.
private struct TemplateText {
    /// A parameter with its text.
    struct Parameter {
        let parsed: TemplateParameter
        let source: JSONValue

        /// The members other than the values.
        var remainder: String { source.text(without: ["defaultValue", "conditionalValues"]) }

        /// The conditions of the conditional values.
        var conditions: [FlagText] { parsed.conditionalValues.map(\.condition) }
    }

    let template: FirebaseTemplate
    private(set) var parameters: [FlagText: Parameter] = [:]
    /// The parts that are neither values of parameters nor rules of conditions, without those that the service sets.
    let others: [(key: FlagText, text: String)]

    init(_ bytes: [UInt8]) throws(DocumentError) {
        let document = try JSONDocument(document: bytes)
        let (template, root) = (try FirebaseTemplate(document), document.root)
        self.template = template
        let sources = (root.members(of: "parameterGroups").map(\.value) + [root]).flatMap {
            $0.members(of: "parameters")
        }
        let sourcesByKey = Dictionary(sources.map { ($0.key, $0.value) }) { first, _ in first }
        for parsed in template.parameters {
            parameters[parsed.key] = sourcesByKey[parsed.key].map { Parameter(parsed: parsed, source: $0) }
        }
        let compared: [FlagText] = ["parameters", "parameterGroups", "conditions", "version", "etag"]
        let groups = root.members(of: "parameterGroups").map { name, group in
            "\(name.quoted) \(group.text(without: ["parameters"]))"
        }
        let conditions = (root["conditions"].map { Array($0.elements) } ?? []).compactMap { condition -> String? in
            // A condition without a name is not compared elsewhere.
            guard let name = condition["name"]?.source else { return condition.compactJSON }
            let text = condition.text(without: ["name", "expression", "condition"])
            return text == "{}" ? nil : "\(name) \(text)"
        }
        // The order of conditions is a difference of its own.
        let parts: [(FlagText, [String])] = [("parameterGroups", groups), ("conditions", conditions.sorted())]
        others =
            root.members.filter { !compared.contains($0.key) }.map { ($0.key, $0.value.compactJSON) }
            + parts.filter { !$1.isEmpty }.map { ($0, $1.joined(separator: "\n")) }
    }
}

extension JSONValue {
    /// An object without some of its members, as JSON.
    fileprivate func text(without keys: [FlagText]) -> String {
        members { !keys.contains($0) }.text(indented: false)
    }
}
