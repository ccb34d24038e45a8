import FlagModel
import FlagRemote

// The evaluation context of a source: the project file's, with the tester's overrides on top.
extension SourceSettings {
    /// The value of an option: the tester's override or, if there is none, the value in the project file.
    func member(_ name: String) -> JSONValue? {
        if isContextText(name), let member = contextOverride.members.first(where: { $0.name == name }) {
            return member.value.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root }
        }
        if name == contextMember {
            guard contextOverride.members.contains(where: { !isContextText($0.name) }) else { return projectContext }
            return Self.object(contextMembers.compactMap { member in member.value.map { (member.name, $0) } })
        }
        let decisions = contextOverride.decisions
        if name == Self.conditionsMember, !decisions.isEmpty {
            let others = (options?[name].map { Array($0.members) } ?? []).filter { condition, value in
                value.bool != nil && !decisions.contains { $0.condition == condition.string }
            }
            return Self.object(
                others.map { ($0.key.string, $0.value.source) }
                    + decisions.compactMap { decision in decision.applies.map { (decision.condition, String($0)) } })
        }
        return options?[name]
    }

    /// The source's evaluation context and conditions, with the tester's overrides.
    ///
    /// - Parameter document: the source's document; `nil` if none has been read yet.
    func evaluation(_ document: RemoteDocument?) -> SourceEvaluation {
        let members = evaluationMembers
        let dependsOnContext =
            document?.dependsOnContext ?? (kind?.contextOption != nil) || members.contains(where: \.isOwn)
        let projectConditions = options?[Self.conditionsMember]?.members.map(\.key.string) ?? []
        var evaluation = SourceEvaluation(
            source: shown, context: dependsOnContext ? members : nil, projectDecisions: Set(projectConditions),
            decisions: contextOverride.decisions, isChanged: !contextOverride.isEmpty, document: document)
        evaluation.portableName = FilePath.portable(shown, from: folder)
        return evaluation
    }

    /// An error message if an edit sets a member that the context does not have; `nil` if no edit does.
    func invalidReason(to edits: [ContextEdit]) -> String? {
        for case .set(let name, _?) in edits {
            guard let rightName = kind?.contextOption?.context?.mistakes[name],
                !contextMembers.contains(where: { $0.name == name })
            else { continue }
            return
                "The context of \(shown) has no \"\(name)\"; use \"\(rightName)\"."
        }
        return nil
    }

    private static let conditionsMember = "conditions"

    /// The option with the evaluation context. Files and URLs have this option too, as their document may be a
    /// template.
    private var contextMember: String? {
        kind.map { $0.address.isURL ? "context" : $0.contextOption?.name } ?? "context"
    }

    /// The evaluation context in the project file. Every kind of source can have it under the name `context`.
    private var projectContext: JSONValue? {
        contextMember.flatMap { options?[$0] ?? options?["context"] }
    }

    private var contextTexts: [(name: String, standard: String?)] { kind?.contextTexts ?? [] }

    private func isContextText(_ name: String) -> Bool { contextTexts.contains { $0.name == name } }

    /// All members of the evaluation context: ``SourceKind/contextTexts``, then the members of the context.
    private var evaluationMembers: [SourceEvaluation.Member] {
        contextTexts.compactMap { name, standard in
            let quoted = standard.map { JSONOutput.quoted($0) }
            let own = contextOverride.members.first { $0.name == name }
            return Self.member(name, own, base: options?[name]?.compactSource ?? quoted, standard: quoted)
        } + contextMembers
    }

    /// A member of the context; `nil` if it has no value.
    ///
    /// - Parameters:
    ///   - own: the tester's override.
    ///   - base: the value without the override.
    ///   - standard: the value if the tester has removed the member.
    private static func member(
        _ name: String, _ own: ContextOverride.Member?, base: String?, standard: String? = nil
    ) -> SourceEvaluation.Member? {
        let value = own.map { $0.value ?? standard } ?? base
        guard value != nil || base != nil else { return nil }
        return SourceEvaluation.Member(name: name, value: value, base: base, isOwn: own != nil)
    }

    /// The members of the context: first those in the project file, in its order, then those that only the tester has
    /// set.
    private var contextMembers: [SourceEvaluation.Member] {
        let listed = (projectContext?.members.map { $0 } ?? []).map { key, value in
            (name: key.string, base: Optional(value.compactSource))
        }
        let overrides = contextOverride.members.filter { !isContextText($0.name) }
        let added = overrides.filter { member in !listed.contains { $0.name == member.name } }
        return (listed + added.map { ($0.name, nil) }).compactMap { name, base in
            Self.member(name, overrides.first { $0.name == name }, base: base)
        }
    }

    /// A JSON object from names and values, which are given as JSON.
    private static func object(_ members: [(String, String)]) -> JSONValue? {
        let text = JSONOutput.object(members.map { ($0.0, .raw($0.1)) }).text(indented: false)
        return try? JSONDocument(parsing: Array(text.utf8)).root
    }
}

extension JSONValue {
    /// The value as JSON without unneeded white space.
    fileprivate var compactSource: String { JSONSpacing.compact(source) ?? source }
}
