package import FlagFormats
package import FlagModel

/// One difference between two templates.
package enum TemplateDifference: Sendable, Hashable {
    /// The default value of a parameter, or its value under a condition.
    case value(key: FlagText, condition: FlagText?, old: ParameterValue, new: ParameterValue)
    /// Other members of a parameter than its values, such as its description, its group or its type.
    case parameter(key: FlagText)
    /// The rule of a condition; `nil` if one of the templates does not have the condition.
    case condition(name: FlagText, old: TemplateCondition.Rule?, new: TemplateCondition.Rule?)
    /// The order of the conditions that both templates have.
    case order(old: [FlagText], new: [FlagText])
    /// Another part of the template, by its key.
    case other(part: FlagText)

    /// Whether a value that only Firebase evaluates is removed or changed: a rollout, a personalization or an
    /// experiment.
    package var replacesWhatFirebaseDecides: Bool {
        if case .value(_, _, let old, _) = self { old.isEvaluatedByFirebase } else { false }
    }

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

    // MARK: parameters

    private static func parameters(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        let removed = old.template.parameters.map(\.key).filter { new.parameters[$0] == nil }
        return (new.template.parameters.map(\.key) + removed).flatMap { key in
            differences(of: key, old.parameters[key], new.parameters[key])
        }
    }

    private static func differences(
        of key: FlagText, _ old: TemplateText.Parameter?, _ new: TemplateText.Parameter?
    ) -> [TemplateDifference] {
        let conditions = new?.conditions ?? []
        let removed = (old?.conditions ?? []).filter { !conditions.contains($0) }
        let allConditions = [FlagText?.none] + conditions + removed
        let values = allConditions.compactMap { condition -> TemplateDifference? in
            let (before, after) = (old?.value(under: condition), new?.value(under: condition))
            let (from, to) = (before?.value ?? .absent, after?.value ?? .absent)
            // Values of an unknown form are compared by their text.
            guard from != to || (from == .unknown && !isSame(before?.text, after?.text)) else { return nil }
            return .value(key: key, condition: condition, old: from, new: to)
        }
        let hasOtherMembers =
            old?.parsed.group != new?.parsed.group || !isSame(old?.remainder ?? "{}", new?.remainder ?? "{}")
        // Values that differ only in spelling are reported too, as publishing changes the spelling.
        let hasOtherSpelling = values.isEmpty && !isSame(old?.text, new?.text)
        return values + (hasOtherMembers || hasOtherSpelling ? [.parameter(key: key)] : [])
    }

    // MARK: conditions

    private static func conditions(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        let removed = old.template.conditionNames.filter { new.rules[$0] == nil }
        let rules = (new.template.conditionNames + removed).compactMap { name -> TemplateDifference? in
            let (before, after) = (old.rules[name], new.rules[name])
            return before == after ? nil : .condition(name: name, old: before, new: after)
        }
        let before = old.template.conditionNames.filter { new.rules[$0] != nil }
        let after = new.template.conditionNames.filter { old.rules[$0] != nil }
        return rules + (before == after ? [] : [.order(old: before, new: after)])
    }

    // MARK: other parts

    private static func others(_ old: TemplateText, _ new: TemplateText) -> [TemplateDifference] {
        let removed = old.others.map(\.key).filter { key in !new.others.contains { $0.key == key } }
        return (new.others.map(\.key) + removed).compactMap { key in
            let (before, after) = (old.others.first { $0.key == key }, new.others.first { $0.key == key })
            return isSame(before?.text, after?.text) ? nil : .other(part: key)
        }
    }

    private static func isSame(_ old: String?, _ new: String?) -> Bool {
        old == new || old.flatMap(JSONSpacing.compact) == new.flatMap(JSONSpacing.compact)
    }
}

/// A template with the text of its parts.
private struct TemplateText {
    /// A parameter with its text.
    struct Parameter {
        let parsed: TemplateParameter
        let source: JSONValue

        var text: String { source.source }

        /// The members other than the values, as JSON.
        var remainder: String {
            JSONOutput.object(
                source.members.filter { !["defaultValue", "conditionalValues"].contains($0.key.string) }
                    .map { ($0.key.string, .raw($0.value.source)) }
            ).text(indented: false)
        }

        /// The conditions of the conditional values.
        var conditions: [FlagText] { parsed.conditionalValues.map(\.condition) }

        /// The value under a condition, or the default value for `nil`, with its text.
        func value(under condition: FlagText?) -> (value: ParameterValue, text: String?) {
            guard let condition else { return (parsed.defaultValue, source["defaultValue"]?.source) }
            let value = parsed.conditionalValues.first { $0.condition == condition }?.value
            return (value ?? .absent, source["conditionalValues"]?[condition.string]?.source)
        }
    }

    let template: FirebaseTemplate
    let parameters: [FlagText: Parameter]
    let rules: [FlagText: TemplateCondition.Rule]
    /// The parts that are neither values of parameters nor rules of conditions, without those that the service sets.
    let others: [(key: FlagText, text: String)]

    init(_ bytes: [UInt8]) throws(DocumentError) {
        let document = try JSONDocument(document: bytes)
        let (template, root) = (try FirebaseTemplate(document), document.root)
        self.template = template
        rules = template.rules
        let objects = root.members(of: "parameterGroups").compactMap { $0.value["parameters"] } + [root["parameters"]]
        var sources: [FlagText: JSONValue] = [:]
        for (key, source) in objects.compactMap({ $0 }).flatMap({ Array($0.members) }) where sources[key] == nil {
            sources[key] = source
        }
        parameters = Dictionary(
            template.parameters.compactMap { parsed in
                sources[parsed.key].map { (parsed.key, Parameter(parsed: parsed, source: $0)) }
            }
        ) { first, _ in first }
        let compared: Set<String> = ["parameters", "parameterGroups", "conditions", "version", "etag"]
        others =
            root.members.filter { !compared.contains($0.key.string) }.map { ($0.key, $0.value.source) }
            + Self.bareGroups(root) + Self.bareConditions(root)
    }

    /// The groups without their parameters.
    private static func bareGroups(_ root: JSONValue) -> [(key: FlagText, text: String)] {
        let groups = root.members(of: "parameterGroups").map { name, group -> (String, JSONOutput) in
            let otherMembers = group.members.filter { $0.key != "parameters" }
            return (name.string, JSONOutput.object(otherMembers.map { ($0.key.string, .raw($0.value.source)) }))
        }
        guard !groups.isEmpty else { return [] }
        return [(FlagText("parameterGroups"), JSONOutput.object(groups).text(indented: false))]
    }

    /// The conditions without their rules. The order of conditions is reported separately.
    private static func bareConditions(_ root: JSONValue) -> [(key: FlagText, text: String)] {
        let compared: Set<String> = ["name", "expression", "condition"]
        let conditions = (root["conditions"].map { Array($0.elements) } ?? []).compactMap { condition -> String? in
            // A condition without a name is not compared elsewhere.
            guard let name = condition["name"]?.source else { return "\"\":\(condition.source)" }
            let otherMembers = condition.members.filter { !compared.contains($0.key.string) }
            guard !otherMembers.isEmpty else { return nil }
            let members = otherMembers.map { ($0.key.string, JSONOutput.raw($0.value.source)) }
            return "\(name):\(JSONOutput.object(members).text(indented: false))"
        }
        guard !conditions.isEmpty else { return [] }
        return [(FlagText("conditions"), "{\(conditions.sorted().joined(separator: ","))}")]
    }
}
