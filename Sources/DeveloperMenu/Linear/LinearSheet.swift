import FlagModel
import TerminalUI

/// What lies over the list of the full screen, in lines: what it says when it opens, what can be chosen by number, and
/// how it asks.
struct LinearSheet {
    /// What is said when the sheet opens or says something else.
    var lines: [String] = []
    /// What the numbers from 1 choose: moving to it and accepting.
    var choices: [String] = []
    /// What stands in front of the answer.
    var prompt = "Answer: "
    /// Whether there is nothing to ask, so that it closes as soon as it was told.
    var isTold = false
}

extension LinearSheet {
    /// The sheet that is open; `nil` in the list.
    init?(_ state: MenuState) {
        switch state.mode {
        case .list: return nil
        case .filter: self.init(lines: ["An empty line clears the filter."], prompt: "Filter: ")
        case .options(let options): self.init(options, state)
        case .editor(let editor): self.init(editor, state)
        case .otherValue(let editor): self.init(otherValue: editor, state)
        case .question(let question): self.init(question, state)
        case .explanation(let sheet):
            self.init(lines: FlagSentences(state.facts(of: sheet.key), in: state).full, isTold: true)
        case .help(let sheet), .palette(let sheet): self.init(sheet, state)
        case .copy: self.init(copyIn: state)
        case .context: self.init(contextIn: state)
        case .report(let sheet): self.init(sheet, state)
        case .prompt(let prompt): self.init(prompt)
        }
    }

    private init(_ options: OptionList, _ state: MenuState) {
        let sentences = FlagSentences(state.facts(of: options.key), in: state)
        choices = OptionList.choices(of: sentences.facts).map(sentences.option)
        let numbered = choices.enumerated().map { "\($0 + 1). \($1)" }
        lines = [sentences.brief] + numbered + [sentences.hint]
        prompt = "Option: "
    }

    private init(_ editor: ValueEditor, _ state: MenuState) {
        let facts = state.facts(of: editor.key)
        let now = facts.override?.value ?? facts.value
        let bounds = editor.bounds.map { ", \($0.words)" } ?? ""
        let value = now.map { "now \(FlagSentences.stored($0))" } ?? "not set now"
        lines = ["New value of \(facts.name), \(facts.type.rawValue)\(bounds), \(value). Enter alone keeps it."]
        if editor.type == .json { lines.append("JSON on one line, or on several with a single period after the last.") }
        if editor.type == .string { lines.append("Two double quotes make it empty.") }
        prompt = "New value: "
        // What was refused is not on the line any more.
        if let refusal = editor.refusal {
            lines = ["Not saved. \(refusal) Type it again, whole; Enter alone goes back."]
            prompt = "New value, again: "
        }
    }

    private init(otherValue editor: ValueEditor, _ state: MenuState) {
        let facts = state.facts(of: editor.key)
        let options = facts.options.map { FlagSentences.stored($0.value) }.joined(separator: ", ")
        lines = [
            "\(FlagSentences.stored(editor.text)) is none of the \(facts.options.count) options of \(facts.name). "
                + "Apps may not know it.",
            "Options: \(options).",
            "\(state.keyWord(of: .accept, in: .otherValue)) sets it anyway, anything else goes back.",
        ]
        prompt = "Set it? "
    }

    private init(_ question: BulkQuestion, _ state: MenuState) {
        lines = ["\(question.title) \(question.outcome)"]
        lines += question.lines.map { line in
            let before = line.before.map(FlagSentences.stored) ?? "not set"
            let isSame = line.before == line.after
            let after =
                isSame ? "stays, as remote says the same" : line.after.map { "becomes \(FlagSentences.stored($0))" }
            return "\(line.key): \(before) \(after ?? "becomes not set")."
        }
        lines += question.exceptions.map { "\($0.key) is left out. \($0.reason)" }
        lines.append("\(state.keyWord(of: .accept, in: .question)) does it, anything else keeps.")
        prompt =
            switch question.deed {
            case .clear: "Clear? "
            case .set: "Set? "
            case .take: "Import? "
            }
    }

    private init(_ sheet: ActionSheet, _ state: MenuState) {
        choices = sheet.entries.map { LinearCommands.entry(state.keymap.all[$0.index]) }
        lines = choices.enumerated().map { "\($0 + 1). \($1)" }
        prompt = state.mode.context == .help ? "Help: " : "Command: "
    }

    private init(copyIn state: MenuState) {
        choices = CopySheet.entries.map { entry in
            "\(entry.copiedThing): \(state.text(toCopy: entry) ?? state.obstacle(toCopying: entry) ?? "none")"
        }
        lines = choices.enumerated().map { "\($0 + 1). \($1)" }
        prompt = "Copy: "
    }

    private init(contextIn state: MenuState) {
        var number = 0
        for row in ContextRow.rows(of: state.remote.evaluations) {
            switch row {
            case .source(let name): lines.append("\(name).")
            case .heading(let words): lines.append("\(words).")
            case .add, .member, .condition:
                number += 1
                choices.append(Self.contextLine(row, state))
                lines.append("\(number). \(choices[number - 1])")
            }
        }
        lines.append("A number edits a member or decides a condition. Enter goes back.")
        prompt = "Context: "
    }

    private static func contextLine(_ row: ContextRow, _ state: MenuState) -> String {
        let words = state.contextWords(row)
        let condition = state.condition(row)?.word
        let parts = [condition, words.standing.isEmpty ? nil : words.standing].compactMap { $0 }
        let standing = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        return "\(words.name)\(standing). \(words.note.hasSuffix(".") ? words.note : "\(words.note).")"
    }

    /// A report is told whole, once it is there.
    private init(_ sheet: ReportSheet, _ state: MenuState) {
        lines = ["\(sheet.report.title)."] + state.lines(of: sheet)
        isTold = !state.isAwaitingReport
    }

    private init(_ asking: LinePrompt) {
        // On the screen Enter is pressed on the name that still stands there; here it has to be typed again.
        let refusal = asking.existingFile.map { "\($0) exists. The same name once more replaces it." } ?? asking.refusal
        lines = ["\(refusal ?? asking.purpose.question) Enter alone goes back."]
        lines += asking.suggestions.map { "\(FlagSentences.stored($0.text)), \($0.note)." }
        prompt =
            switch asking.purpose {
            case .valueOfListed, .contextValue: "Value: "
            case .contextMember: "Member: "
            case .export, .importing: "File: "
            }
    }
}
