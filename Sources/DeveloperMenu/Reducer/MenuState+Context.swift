import FlagModel
import TerminalUI

// For whom flags are evaluated, and which conditions hold.
extension MenuState {
    mutating func performInContext(_ intent: Intent) -> [Effect] {
        guard case .context(var sheet) = mode else { return [] }
        switch intent {
        case .cancel: return closeSheet()
        case .accept: return changeSelectedContextRow(sheet)
        case .clear: return clearSelectedContextRow()
        case .addMember:
            askForMember(of: selectedContextRow?.source ?? 0, sheet)
            return []
        case .resetContext:
            guard let source = selectedContextRow?.source else { return [] }
            return change(source, [.reset])
        default:
            let page = max(1, SheetFrame.room(on: size) - 3)
            let selection = intent.index(after: sheet.selection, of: contextChoices.count, page: page)
            sheet.selection = selection ?? sheet.selection
            mode = .context(sheet)
            return []
        }
    }

    /// Asks for the value of a member, or decides a condition: by its rule, on, off, and again.
    private mutating func changeSelectedContextRow(_ sheet: ContextSheet) -> [Effect] {
        let row = selectedContextRow
        if let member = member(row), let source = row?.source {
            var prompt = LinePrompt(.contextValue(source: evaluations[source].source, name: member.name))
            prompt.field = TextField(
                member.value == nil ? member.base.map { ContextText.shown($0) } ?? "" : member.text)
            prompt.behind = sheet
            mode = .prompt(prompt)
        } else if let condition = condition(row), let source = row?.source {
            let next: Bool? = condition.forced.map { $0 ? false : nil } ?? true
            return change(source, [evaluations[source].decision(on: condition.name, next)])
        } else if let source = row?.source {
            askForMember(of: source, sheet)
        }
        return []
    }

    private mutating func clearSelectedContextRow() -> [Effect] {
        let row = selectedContextRow
        guard let source = row?.source else { return [] }
        if let member = member(row) { return change(source, [member.removal]) }
        return condition(row).map { change(source, [evaluations[source].decision(on: $0.name, nil)]) } ?? []
    }

    private mutating func askForMember(of source: Int, _ sheet: ContextSheet) {
        guard evaluations.indices.contains(source) else { return }
        let known = Set((evaluations[source].context ?? []).filter { $0.value != nil }.map(\.name))
        var wanted: [String] = []
        var suggestions: [LinePrompt.Suggestion] = []
        for condition in evaluations[source].conditions {
            for name in condition.wants where !known.contains(name) && !wanted.contains(name) {
                wanted.append(name)
                suggestions.append(LinePrompt.Suggestion(text: "\(name)=", note: "\(condition.name.string) goes by it"))
            }
        }
        var prompt = LinePrompt(.contextMember(source: evaluations[source].source), suggestions: suggestions)
        prompt.behind = sheet
        mode = .prompt(prompt)
    }

    /// What was typed for a member; answers why it cannot be taken, as a sentence.
    mutating func takeMember(
        _ text: String, named name: String?, of source: String
    ) -> (effects: [Effect], refusal: String?) {
        guard let index = evaluations.firstIndex(where: { $0.source == source }) else {
            return ([], "\(source) is not evaluated any more.")
        }
        guard let (name, value) = name.map({ ($0, text) }) ?? Self.member(in: text) else {
            return ([], "Write the name, the sign = and the value, such as country=FR.")
        }
        let known = evaluations[index].context?.first { $0.name == name }
        let json = ContextText.json(value, for: name, known: known?.value ?? known?.base)
        return (change(index, [.set(name: name, value: json)]), nil)
    }

    /// The name and the value in `country=FR`.
    private static func member(in text: String) -> (String, String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = String(text[..<equals]).trimmed
        return name.isEmpty ? nil : (name, String(text[text.index(after: equals)...]))
    }

    private mutating func change(_ source: Int, _ edits: [ContextEdit]) -> [Effect] {
        guard evaluations.indices.contains(source) else { return [] }
        awaitedContexts += 1
        lastCommands = commands(for: edits, of: evaluations[source])
        // At once, so that pressing twice steps twice.
        evaluations[source] = evaluations[source].deciding(by: edits)
        return [.changeContext(ContextChange(source: evaluations[source].source, edits: edits))]
    }

    /// What became of a change of a context.
    mutating func takeContextNews(_ event: Event) {
        // That a service has none is told once it was asked, after the answer.
        let isAnswer = if case .contextWithoutValues = event { !awaitsContextValues } else { true }
        if isAnswer { awaitedContexts = max(0, awaitedContexts - 1) }
        switch event {
        case .contextChanged(let news, let notice):
            fetch = nil
            awaitsContextValues = false
            let before = board.values.remote
            takeOver(news)
            say(notice ?? changeSentence(since: before))
            takeOverContext()
        case .contextAwaited(let known, let notice):
            (awaitsContextValues, showsFormerContext) = (true, loadedAt != nil)
            knownEvaluations = known
            if awaitedContexts == 0 { evaluations = known }
            say(notice ?? "Saved. The values for it are fetched.")
            takeOverContext()
        case .contextWithoutValues(let problems, let known):
            awaitsContextValues = false
            fetch = nil
            (evaluations, knownEvaluations) = (known, known)
            showsFormerContext = loadedAt != nil
            remote = .failed(keptFrom: loadedAt)
            self.problems.remote = problems
            sayContextHasNoValues()
            takeOverContext()
        case .contextRefused(let reason):
            evaluations = knownEvaluations
            say(reason, .refusal)
            takeOverContext()
        default: break
        }
    }

    private mutating func sayContextHasNoValues() {
        guard loadedAt != nil else {
            let key = keyWord(of: .context)
            return say("There are no values for the context that you have chosen. \(key) changes it.", .refusal)
        }
        say("Saved, but there are no values for it. Those shown are of before.", .refusal)
    }

    private func changeSentence(since before: ValueTable) -> String {
        let count = before.differenceCount(from: board.values.remote)
        return count == 0 ? "No remote value changed." : "\(count.counted("remote value")) changed."
    }

    /// What followed from a decision once a service was asked about it; nothing where none is awaited.
    ///
    /// - Parameter before: the remote values until now; `nil` where it has given none.
    mutating func endContextWait(since before: ValueTable?) {
        guard awaitsContextValues else { return }
        awaitsContextValues = false
        if let before { say(changeSentence(since: before)) } else { sayContextHasNoValues() }
    }

    /// What lies over the list may be about something else by now.
    mutating func takeOverContext() {
        closeEmptyOptionList()
        refreshQuestion()
        guard case .context(var sheet) = mode else { return }
        sheet.selection = max(0, min(sheet.selection, contextChoices.count - 1))
        mode = contextChoices.isEmpty ? .list : .context(sheet)
    }

    /// Why there is no context to change.
    var contextObstacle: String? {
        contextChoices.isEmpty ? "No source here is evaluated for a context or has conditions." : nil
    }

    /// Why nothing is to be taken back on the selected line.
    var contextClearObstacle: String? {
        let row = selectedContextRow
        if let condition = condition(row) {
            return condition.forced == nil ? "The rule of \(condition.name.string) decides already." : nil
        }
        guard let member = member(row) else { return "There is nothing to take back here." }
        return member.isOwn || member.value != nil ? nil : "There is nothing to take back here."
    }

    /// Why no member can be added.
    var contextAddObstacle: String? {
        guard let source = selectedContextRow?.source else { return contextObstacle }
        return evaluations[source].context == nil ? "This source is not evaluated for a context." : nil
    }

    /// Why there is nothing to reset.
    var contextResetObstacle: String? {
        guard let source = selectedContextRow?.source else { return contextObstacle }
        return evaluations[source].isChanged ? nil : "Nothing was decided by hand here."
    }

    /// The commands that do the same; none where several sources would have to be told apart.
    private func commands(for edits: [ContextEdit], of source: SourceEvaluation) -> [ShellCommand] {
        guard evaluations.count == 1 else { return [] }
        var (options, operands): ([String], [String]) = ([], [])
        for edit in edits {
            switch edit {
            case .set(let name, let value): operands.append("\(name)=\(ContextText.shown(value, for: name))")
            case .leaveOut(let name): options += ["--unset", name]
            case .restore(let name):
                // The command leaves out what the project file says, which is something else.
                guard source.context?.first(where: { $0.name == name })?.base == nil else { return [] }
                options += ["--unset", name]
            case .decide(let name, let holds): options += ["--condition", "\(name)=\(holds ? "on" : "off")"]
            case .leaveToRule(let name, _): options += ["--condition", "\(name)=auto"]
            case .reset: options.append("--reset")
            }
        }
        return [command("context", options: options, operands: operands)]
    }
}
