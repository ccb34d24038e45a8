package import FlagModel

// The evaluation context of a source: the project file's, with the tester's overrides on top.
extension SourceSettings {
    /// A member of the project file's entry, or the tester's override of it.
    package func member(_ name: String) -> JSONValue? {
        let below = options?[name]
        if contextTexts.contains(where: { $0.name == name }) {
            guard let decided = own.members.first(where: { $0.name == name }) else { return below }
            return decided.value.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root }
        }
        if name == contextMember, own.members.contains(where: { !isContextText($0.name) }) {
            return Self.object(contextMembers.compactMap { member in member.value.map { (member.name, $0) } })
        }
        if name == Self.conditionsMember, !own.decisions.isEmpty || !own.undecided.isEmpty {
            return Self.object(decisions(over: below).map { ($0.condition, $0.holds ? "true" : "false") })
        }
        return below
    }

    /// The source's evaluation and its members.
    ///
    /// - Parameter document: the known document; `nil` if there is none yet.
    package func evaluation(_ document: RemoteDocument?) -> SourceEvaluation {
        let members = evaluationMembers
        let takesContext = document?.takesContext ?? (kind?.contextMember != nil) || members.contains(where: \.isOwn)
        let decided = options?[Self.conditionsMember]?.members.map(\.key.string) ?? []
        return SourceEvaluation(
            source: shown, context: takesContext ? members : nil, projectDecisions: Set(decided),
            decisions: own.decisions, isChanged: !own.isEmpty, document: document)
    }

    /// Why edits of the context do not have the intended effect, as a sentence; `nil` if they do.
    package func objection(to edits: [ContextEdit]) -> String? {
        for case .set(let name, _) in edits {
            guard let meant = kind?.contextMistakes[name], !contextMembers.contains(where: { $0.name == name }) else {
                continue
            }
            return
                "The context of \(shown) has no \"\(name)\"; use \"\(meant)\"."
        }
        return nil
    }

    private static let conditionsMember = "conditions"

    /// A template in a document has a context too, in a file or at a URL.
    private var contextMember: String? { kind.map { $0.isURL ? "context" : $0.contextMember } ?? "context" }

    private var contextTexts: [(name: String, standard: String?)] { kind?.contextTexts ?? [] }

    private func isContextText(_ name: String) -> Bool { contextTexts.contains { $0.name == name } }

    /// All members of the evaluation context: the targeting key, options beside the context, then the context.
    private var evaluationMembers: [SourceEvaluation.Member] {
        contextTexts.compactMap { name, standard in
            let own = own.members.first { $0.name == name }
            let base = options?[name]?.compactSource ?? standard.map { JSONOutput.quoted($0) }
            let isLeftOut = own.map { $0.value == nil } ?? false
            let value = own?.value ?? (isLeftOut ? standard.map { JSONOutput.quoted($0) } : base)
            guard value != nil || base != nil else { return nil }
            return SourceEvaluation.Member(name: name, value: value, base: base, isOwn: own != nil)
        } + contextMembers
    }

    /// The members of the context: those of the project file in its order, then those that only the tester has set.
    private var contextMembers: [SourceEvaluation.Member] {
        let below =
            contextMember.flatMap { options?[$0] }?.members.map { ($0.key.string, $0.value.compactSource) } ?? []
        let decided = own.members.filter { !isContextText($0.name) }
        let listed = below.map { name, base in
            let own = decided.first { $0.name == name }
            return SourceEvaluation.Member(
                name: name, value: own.map(\.value) ?? base, base: base, isOwn: own != nil)
        }
        let added = decided.filter { member in !below.contains { $0.0 == member.name } && member.value != nil }
        return listed
            + added.map { SourceEvaluation.Member(name: $0.name, value: $0.value, base: nil, isOwn: true) }
    }

    private func decisions(over below: JSONValue?) -> [OwnContext.Decision] {
        let known = Set(own.decisions.map(\.condition) + own.undecided)
        let kept = (below.map { Array($0.members) } ?? []).compactMap { name, value in
            known.contains(name.string)
                ? nil : value.bool.map { OwnContext.Decision(condition: name.string, holds: $0) }
        }
        return kept + own.decisions
    }

    /// An object whose member values are JSON.
    private static func object(_ members: [(String, String)]) -> JSONValue? {
        let text = JSONOutput.object(members.map { ($0.0, .raw($0.1)) }).text(indented: false)
        return try? JSONDocument(parsing: Array(text.utf8)).root
    }
}

extension JSONValue {
    /// The value as JSON without unneeded white space.
    fileprivate var compactSource: String { JSONSpacing.compact(source) ?? source }
}
