import FlagModel
import TerminalUI

extension MenuPart {
    /// A question about several overrides.
    public static let question = MenuPart(id: "question", heading: "In a question", opener: .clearAll)
}

extension BulkQuestion: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.question, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.accept, ["y"], label: "yes", help: "Do it; one undo takes all of it back.", .changesValues) {
            $0.acceptQuestion()
        },
        Action(
            .cancel, ["n", .escape, "q", .enter], label: "no (default)", help: "Change nothing.", .isWayOut,
            rank: .always
        ) { $0.closeQuestion() },
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
        scrolled = ScrolledLines(count: scrolled.count, room: scrolled.room, top: scrolled.top(after: movement))
    }
}

// What is done to many flags at once: the list of them first, and only then the deed, as one step to undo.
extension MenuState {
    /// Every flag that is listed, once.
    var listedPlaces: [FlagBoard.Place] {
        list.rows.compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }

    mutating func clearSelectedCategory() -> [Effect] {
        let places = overriddenInSelectedCategory
        let question = BulkQuestion.clearing(places.map(board.facts(at:)), scope: "in \(selectedCategoryName)")
        let isAllInView = places.allSatisfy { list.rows.contains(.flag($0)) }
        guard places.count > 1 || !isAllInView else {
            if let flag = places.first {
                say("Cleared \(board.key(at: flag).string). \(keyWord(of: .undo)) brings it back.")
            }
            return save(question.edits)
        }
        ask(question, commands: commandsToClearCategory)
        return []
    }

    mutating func askToClearAll() -> [Effect] {
        let listed = board.overriddenItems.map { board.facts(at: .item($0)) }
        let listedKeys = Set(listed.map(\.key))
        let others = board.values.overrides.keys.filter { !listedKeys.contains($0) }.sorted()
        // What is shown is what is cleared: an override that somebody sets meanwhile was not asked about.
        ask(.clearing(listed + others.map { board.facts(of: FlagText($0)) }), commands: commands(for: .clearAll))
        return []
    }

    mutating func askToClearListed() -> [Effect] {
        let places = listedPlaces.filter(board.isOverridden)
        ask(
            .clearing(places.map(board.facts(at:)), scope: isNarrowed ? "of those listed" : ""),
            commands: commandsToClearListed)
        return []
    }

    /// Asks for the value that all listed flags are to have, and suggests those that most of them can have.
    mutating func askForValueOfListed() -> [Effect] {
        let places = listedPlaces
        var counts: [String: Int] = [:]
        var order: [String] = []
        for place in places {
            for option in board.facts(at: place).options {
                if counts[option.value] == nil { order.append(option.value) }
                counts[option.value, default: 0] += 1
            }
        }
        // Swift's sort is stable, so equal counts keep the order of the list.
        let common = order.sorted { counts[$0, default: 0] > counts[$1, default: 0] }.prefix(Self.suggestionLimit)
        mode = .prompt(
            LinePrompt(
                .valueOfListed,
                suggestions: common.map { value in
                    LinePrompt.Suggestion(
                        text: value,
                        note: "an option of \(counts[value, default: 0]) of \(places.count.counted("flag"))")
                }))
        return []
    }

    /// More suggestions than any screen shows help nobody.
    private static let suggestionLimit = 20

    /// Asks whether to set the listed flags.
    ///
    /// - Returns: why there is nothing to ask, as a sentence; `nil` once it is asked.
    mutating func askToSetListed(to value: String) -> String? {
        let flags = listedPlaces.map(board.facts(at:))
        let question = BulkQuestion.setting(flags, to: value)
        guard !question.lines.isEmpty else {
            guard let exception = question.exceptions.first else {
                return "All of them are overridden with it already."
            }
            return "None of the flags can have it. \(exception.key): \(exception.reason)"
        }
        ask(question, commands: commandsToSetListed(question, to: value))
        return nil
    }

    mutating func ask(_ question: BulkQuestion, commands: [ShellCommand]) {
        var question = question
        question.commands = commands
        mode = .question(question)
    }

    /// What the open question lists and counts is what holds, also when that changes before it is answered.
    mutating func refreshQuestion() {
        guard case .question(let asked) = mode else { return }
        var question = asked.asked(over: board.values.overrides) { facts(of: FlagText($0)) }
        if case .setting(_, let value) = question.request {
            question.commands = commandsToSetListed(question, to: value)
        }
        mode = .question(question)
    }

    fileprivate mutating func closeQuestion() -> [Effect] {
        say("Nothing was changed.")
        return closeSheet()
    }

    fileprivate mutating func acceptQuestion() -> [Effect] {
        guard let question = sheet(BulkQuestion.self) else { return [] }
        mode = .list
        guard !question.lines.isEmpty else {
            say("There was nothing left to change.")
            return []
        }
        say(question.done(undo: keyWord(of: .undo)))
        let effects = save(question.edits, keepingSelected: question.deed != .clear)
        lastCommands = question.commands
        return effects
    }

    /// Why nothing can be done to what is listed.
    var listedReason: String? {
        list.flagCount == 0 ? selectionReason : nil
    }

    var clearListedReason: String? {
        listedReason ?? (hasListedOverride ? nil : "No listed flag is overridden.")
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

extension BulkQuestion {
    /// What was done, once it was.
    fileprivate func done(undo: String) -> String {
        let count = lines.count
        let them = count == 1 ? "it" : "them"
        return switch deed {
        case .clear: "Cleared \(count.counted("override")). \(undo) brings \(them) back."
        case .set: "Set \(count.counted("flag")). \(undo) takes it back."
        case .take: "Imported \(count.counted("change")). \(undo) takes \(them) back."
        }
    }
}
