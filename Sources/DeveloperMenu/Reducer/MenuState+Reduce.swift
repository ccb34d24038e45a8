public import FlagModel
import TerminalUI

extension MenuState {
    /// The one place where the menu changes: takes in what happened at a time, answers with what the world should do.
    public mutating func reduce(_ event: Event, at now: Timestamp) -> [Effect] {
        self.now = now
        let before = (errors: errors, evaluations: remote.evaluations)
        var effects = take(event)
        effects += releaseTypeAhead()
        for error in errors where !before.errors.contains(error) {
            messages.keep(Message(text: error, kind: .error), at: now)
        }
        followContext(from: before.evaluations)
        refreshSources()
        // What happened may have taken a line from the list, such as to say what is wrong.
        list.keepSelectionInView(height: Layout(self).listHeight)
        return effects
    }

    private mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key): press(key)
        case .line(let line): take(line)
        case .terminal(let terminal): take(terminal)
        case .settings(let settings): take(settings)
        case .store(let store): take(store)
        case .remote(let report): take(report)
        case .file(let id, let file): take(file, id)
        case .report(let id, let report, let lines): show(lines, of: report, id)
        }
    }

    private mutating func take(_ event: LineEvent) -> [Effect] {
        switch event {
        case .flagChosen(let key): chooseFlag(key)
        case .intentChosen(let intent, let context): return choose(intent, in: context)
        case .textWritten(let text): write(text)
        }
        return []
    }

    private mutating func take(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size):
            self.size = size
            rebuildList()
        case .backgroundDetected(let background):
            terminalBackground = background
            showTheme()
        case .mouseRefused: refuseMouse()
        case .typeAheadEnded: awaitedReadings = []
        case .editedOutside(let id, let edit): return takeOutsideEdit(edit, id)
        case .copied(_, let text, let what, let answer): sayCopied(text, what, answer)
        }
        return []
    }

    private mutating func take(_ event: SettingsEvent) -> [Effect] {
        switch event {
        case .preferencesRead(let preferences, let errors): return takePreferences(preferences, errors: errors)
        case .preferencesNotWatched(let reason): addWatchError(reason)
        case .sessionRestored(let session): return restore(session)
        case .sessionNotRead(let reason): say(reason, .refusal)
        }
        return []
    }

    mutating func addWatchError(_ reason: String) {
        if !watchErrors.contains(reason) { watchErrors.append(reason) }
    }

    /// What is wrong and shown until it is fixed, a sentence each.
    private var errors: [String] { remote.errors + [store.error].compactMap { $0 } + watchErrors }

    mutating func press(_ key: KeyPress) -> [Effect] {
        if waitsForFlags(key) {
            typeAhead.append(key)
            return []
        }
        if case .mouse(let mouse) = key { return point(mouse) }
        messages.current = nil
        let context = mode.context
        if let binding = keymap.binding(for: key, in: context) { return follow(binding) }
        // Alt with a key is Escape and then the key wherever it has no meaning of its own.
        if case .alt(let letter) = key { return press(.escape) + press(.character(letter)) }
        return isBlind ? [] : type(key)
    }

    /// Does what a binding asks for, or tells why not.
    mutating func follow(_ binding: Binding) -> [Effect] {
        guard !isBlind || Self.blindIntents.contains(binding.intent) else { return [] }
        return run(binding)
    }

    /// Does what a binding asks for, or tells why not.
    mutating func run(_ binding: Binding) -> [Effect] {
        if let obstacle = binding.obstacle(self) {
            say(obstacle, .refusal)
            return []
        }
        return perform(binding.intent, in: binding.context)
    }

    /// On a screen too small for the menu nobody sees what a key would change.
    private var isBlind: Bool { Layout(self).isTooSmall }
    private static let blindIntents: Set<Intent> = [.quit, .interrupt, .suspend, .repaint]

    private mutating func perform(_ intent: Intent, in context: Binding.Context) -> [Effect] {
        switch intent {
        case .suspend: return [.suspend]
        case .repaint: return [.repaint]
        case .interrupt:
            interrupt()
            return []
        case .help where context != .help:
            mode = .help(ActionSheet(over: mode, context: .help, keymap: keymap))
            return []
        default: break
        }
        return switch context {
        case .list: performInList(intent)
        case .filter: performInFilter(intent)
        case .options: performInOptions(intent)
        case .editor, .json: performInEditor(intent)
        case .otherValue: answerOtherValue(intent)
        case .question: performInQuestion(intent)
        case .explanation: performInExplanation(intent)
        case .help, .palette: performInActions(intent)
        case .copy: performInCopy(intent)
        case .context: performInContext(intent)
        case .report: performInReport(intent)
        case .prompt: performInPrompt(intent)
        }
    }

    /// A key without a binding: text where there is a line to type on, otherwise a hint.
    private mutating func type(_ key: KeyPress) -> [Effect] {
        switch (mode, key.typedText) {
        case (_, nil) where key == .oversizedPaste: refuseOversizedPaste()
        case (.filter, let text?), (.help, let text?), (.palette, let text?): typeInFilter(text)
        case (.prompt, let text?): editPrompt { $0.insert(text) }
        case (.editor, _): typeValue(key)
        case (.options, _): return pickOption(key)
        case (.list, _):
            say(
                "\(key.displayName(charset: charset)) does nothing here. \(keyWord(of: .help)) shows every key.",
                .refusal)
        default: break
        }
        return []
    }

    /// A value that is cut is not the value that somebody meant, so none of it is taken.
    private mutating func refuseOversizedPaste() {
        say("A paste has at most 1 MiB; nothing of this one was entered.", .refusal)
    }

    /// More than anybody looks for; every word is looked for in every flag at each key.
    static let filterLimit = 200

    mutating func typeInFilter(_ text: String) {
        var isWhole = true
        let insert = { (field: inout TextField) in isWhole = field.insert(text, limit: Self.filterLimit) }
        if mode == .filter { editFilter(insert) } else { editActionFilter(insert) }
        if !isWhole { say("A filter has at most \(Self.filterLimit) characters; the rest was left out.", .refusal) }
    }

    /// Leaves as soon as what was asked for is done; pressed again, without waiting for it.
    private mutating func interrupt() {
        if ending == .interrupted {
            (store.pending, store.moves) = ([], [:])
            (remote.activations, remote.contextChanges) = ([], [])
        }
        ending = .interrupted
        sayWhileSaving()
    }

    /// Tells why the menu is still open.
    mutating func sayWhileSaving() {
        if isWorking { say("Saving. Ctrl-C, once more, leaves without waiting.", .refusal) }
    }

    /// Says something on the line above the footer.
    mutating func say(_ text: String, _ kind: Message.Kind = .news) {
        messages.say(Message(text: text, kind: kind), at: now)
    }
}

extension KeyPress {
    /// The text that the key types on a line; `nil` for keys that type none. Line breaks of a paste become spaces.
    var typedText: String? {
        switch self {
        case .character(let character): String(character)
        case .paste(let text): String(text.map { $0.isNewline ? " " : $0 })
        default: nil
        }
    }
}
