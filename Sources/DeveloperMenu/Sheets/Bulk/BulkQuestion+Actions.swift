import FlagModel
import TerminalUI

extension MenuPart {
    /// The dialog of a bulk action.
    public static let question = MenuPart(id: "question", heading: "In a dialog", opener: .clearAll)
}

extension BulkQuestion: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.question, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.accept, ["y"], label: "yes", help: "Do it; undo reverts all, except an activation.", .changesValues) {
            $0.acceptQuestion()
        },
        Action(
            .cancel, ["n", .escape, "q", .enter], label: "no (default)", help: "Change nothing.", .isWayOut,
            rank: .always
        ) { $0.closeQuestion() },
        Action(
            "others", [.tab], label: "others",
            help: "Show matches by letters, or import unknown keys.",
            currentLabel: { $0.sheet(BulkQuestion.self)?.othersLabel }, disabledReason: \.othersReason
        ) { $0.askAboutOthers() },
        .moving(.down, [.down, "j"], help: "Scroll the list down."),
        .moving(.up, [.up, "k"], help: "Scroll the list up."),
        .moving(.pageDown, [.pageDown, " "], help: "Scroll the list one page down."),
        .moving(.pageUp, [.pageUp], help: "Scroll the list one page up."),
        .moving(.first, [.home, "g"], help: "Scroll the list to its start."),
        .moving(.last, [.end, "G"], help: "Scroll the list to its end."),
    ]

    var part: MenuPart { .question }
    var mode: MenuState.Mode { .question(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        scrolled = scrolled.moved(movement)
    }
}

// Bulk actions: first the list of flags, and after confirmation the change, as one step for undo.
extension MenuState {
    mutating func clearSelectedCategory() -> [Effect] {
        let places = overriddenInSelectedCategory
        let question = BulkQuestion.clearing(places.map(board.facts(at:)), scope: "in \(selectedCategoryName)")
        let isAllInView = places.allSatisfy { list.rows.contains(.flag($0)) }
        guard places.count > 1 || !isAllInView else {
            return save(
                question.edits,
                saying: places.first.map {
                    "Cleared \(board.key(at: $0).string). \(keyWord(of: .undo)) brings it back."
                })
        }
        ask(question, commands: commandsToClearCategory)
        return []
    }

    mutating func askToClearAll() -> [Effect] {
        let listed = board.overriddenItems.map { board.facts(at: .item($0)) }
        let listedKeys = Set(listed.map(\.key))
        let others = board.values.overrides.keys.filter { !listedKeys.contains($0) }.sorted()
        // Only the listed flags are cleared: an override that is set meanwhile was not confirmed.
        ask(.clearing(listed + others.map { board.facts(of: FlagText($0)) }), commands: commands(for: .clearAll))
        return []
    }

    mutating func askToClearListed() -> [Effect] {
        let targets = bulkTargets
        let flags = facts(of: targets.keys).filter { $0.override != nil }
        guard !flags.isEmpty else {
            say(reasonForNone(targets), .refusal)
            return []
        }
        ask(
            .clearing(flags, adjective: targets.areMarked ? "marked" : isNarrowed ? "listed" : ""), targets,
            commands: commandsToClear(targets))
        return []
    }

    /// Opens the line for the value of all marked or listed flags, and suggests those that fit most of them.
    mutating func askForValueOfListed() -> [Effect] {
        let targets = bulkTargets
        guard !targets.keys.isEmpty else {
            say(reasonForNone(targets), .refusal)
            return []
        }
        var counts: [String: Int] = [:]
        var order: [String] = []
        for flag in facts(of: targets.keys) {
            for option in flag.options {
                if counts[option.value] == nil { order.append(option.value) }
                counts[option.value, default: 0] += 1
            }
        }
        // Swift's sort is stable, so equal counts keep the order of the list.
        let common = order.sorted { counts[$0, default: 0] > counts[$1, default: 0] }.prefix(Self.suggestionLimit)
        mode = .prompt(
            LinePrompt(
                .value(of: targets),
                suggestions: common.map { value in
                    LinePrompt.Suggestion(
                        text: value,
                        note: "an option of \(counts[value, default: 0]) of \(targets.keys.count.counted("flag"))")
                }))
        return []
    }

    /// More suggestions than any screen shows.
    private static let suggestionLimit = 20

    private func facts(of keys: [String]) -> [FlagFacts] { keys.map { facts(of: FlagText($0)) } }

    private func reasonForNone(_ targets: BulkTargets) -> String {
        guard !targets.byLettersOnly.isEmpty else { return "No listed flag is overridden." }
        let mark = keyName(of: "mark")
        let count = targets.byLettersOnly.count.counted("flag has", "flags have")
        let words = JSONOutput.quoted(list.filter.text, limit: 40)
        return "Nothing to do: no flag contains \(words); \(count) its letters only. \(mark) marks flags."
    }

    /// Opens the dialog to set flags.
    ///
    /// - Returns: why it cannot be opened, as a sentence; `nil` if it is open.
    mutating func askToSet(_ targets: BulkTargets, to value: String) -> String? {
        let question = BulkQuestion.setting(facts(of: targets.keys), to: value)
        guard !question.lines.isEmpty else {
            guard let exception = question.exceptions.first else { return "All of them have it already." }
            return "None of the flags can have it. \(exception.key): \(exception.reason)"
        }
        ask(question, targets, commands: commandsToSet(question, targets, to: value))
        return nil
    }

    private mutating func ask(_ question: BulkQuestion, _ targets: BulkTargets, commands: [ShellCommand]) {
        var question = question
        question.byLettersOnly = targets.byLettersOnly
        ask(question, commands: commands)
    }

    /// Switches the dialog to the others: the flags that only have the letters of the filter, as a list of its own, or
    /// an import with its unknown keys; and back.
    fileprivate mutating func askAboutOthers() -> [Effect] {
        guard let asked = sheet(BulkQuestion.self) else { return [] }
        switch asked.request {
        case .clearing(let keys, _, _):
            let others = facts(of: asked.byLettersOnly)
            let question =
                asked.isByLetters
                ? BulkQuestion.clearing(others, adjective: "listed")
                : .clearing(others, scope: "found by letters only")
            askByLetters(question, asked, keys)
        case .setting(let keys, let value):
            askByLetters(.setting(facts(of: asked.byLettersOnly), to: value), asked, keys)
        case .importing(let file, let plan, let withUnknown, let isReplacing):
            askToImport(file, plan, withUnknown: !withUnknown, replacing: isReplacing)
        case .activating: break
        }
        return []
    }

    private mutating func askByLetters(_ question: BulkQuestion, _ asked: BulkQuestion, _ keys: [String]) {
        var question = question
        (question.byLettersOnly, question.isByLetters) = (keys, !asked.isByLetters)
        ask(question, commands: commands(for: question.edits))
    }

    /// Opens the dialog to import the overrides of a file.
    mutating func askToImport(_ file: String, _ plan: ImportPlan, withUnknown: Bool = false, replacing: Bool) {
        let question = BulkQuestion.importing(
            plan, from: file, withUnknown: withUnknown, over: board.values.overrides, replacing: replacing,
            into: subject.app
        ) { facts(of: FlagText($0)) }
        let options = [
            replacing ? "--replace" : nil, withUnknown ? "--new" : nil,
            question.exceptions.isEmpty ? nil : "--skip-invalid",
        ]
        ask(question, commands: [command("import", options: options.compactMap { $0 }, operands: [file])])
    }

    fileprivate var othersReason: String? {
        sheet(BulkQuestion.self)?.othersLabel == nil ? "There are no others." : nil
    }

    mutating func ask(_ question: BulkQuestion, commands: [ShellCommand]) {
        var question = question
        question.commands = commands
        mode = .question(question)
    }

    /// Updates the open dialog if flags change before it is confirmed.
    mutating func refreshQuestion() {
        guard case .question(let asked) = mode else { return }
        var question = asked.asked(over: board.values.overrides, waiting: remote.waiting ?? [], in: subject.app) {
            facts(of: FlagText($0))
        }
        if asked.commands == commands(for: asked.edits) { question.commands = commands(for: question.edits) }
        mode = .question(question)
    }

    fileprivate mutating func closeQuestion() -> [Effect] {
        let isActivation = sheet(BulkQuestion.self)?.deed == .activate
        say(
            isActivation
                ? "Not activated: the values wait. \(keyWord(of: .activate)) shows them again." : "Nothing was changed."
        )
        return closeSheet()
    }

    fileprivate mutating func acceptQuestion() -> [Effect] {
        guard let question = sheet(BulkQuestion.self) else { return [] }
        mode = .list
        guard !question.lines.isEmpty else {
            say("Nothing was left to change.")
            return []
        }
        let count = question.lines.count
        let (undo, them) = (keyWord(of: .undo), count == 1 ? "it" : "them")
        let done: String
        switch question.deed {
        case .activate: return activate()
        case .clear: done = "Cleared \(count.counted("override")). \(undo) brings \(them) back."
        case .set: done = "Set \(count.counted("flag")). \(undo) undoes it."
        case .take: done = "Imported \(count.counted("change")). \(undo) undoes \(them)."
        }
        list.marks = FlagMarks()
        let effects = save(question.edits, saying: done, keepingSelected: question.deed != .clear)
        lastCommands = question.commands
        return effects
    }

    /// Why there is no bulk action for the marked or listed flags.
    var listedReason: String? {
        list.marks.isEmpty && list.flagCount == 0 ? selectionReason : nil
    }

    var clearListedReason: String? {
        guard list.marks.isEmpty else { return clearReason }
        return listedReason ?? (hasListedOverride ? nil : "No listed flag is overridden.")
    }

    private var hasListedOverride: Bool {
        !board.values.overrides.isEmpty
            && list.rows.contains { if case .flag(let place) = $0 { board.isOverridden(place) } else { false } }
    }

    private var selectedCategoryName: String {
        list.selectedCategory(on: board).map { board.catalog.categories[$0].name.string }
            ?? FlagRows.unlistedHeading.string
    }
}
