public import FlagModel
import TerminalUI

extension MenuState {
    /// Handles an event at a time and returns effects; the only code that changes the menu.
    public mutating func reduce(_ event: Event, at now: Timestamp) -> [Effect] {
        takeTime(now)
        let before = (errors: errors, evaluations: remote.evaluations)
        var effects = take(event)
        effects += releaseTypeAhead()
        for error in errors where !before.errors.contains(error) {
            messages.keep(Message(text: error, kind: .error), at: now)
        }
        followContext(from: before.evaluations)
        refreshSources()
        layOut()
        // The event may have taken a line from the list, such as for an error.
        list.keepSelectionInView(height: layout.listHeight)
        return effects
    }

    private mutating func takeTime(_ now: Timestamp) {
        // Only on another day: formatting a date takes longer than a key press may.
        let isOtherDay = now.seconds / 86_400 != self.now.seconds / 86_400
        self.now = now
        guard isOtherDay || board.today.isEmpty else { return }
        board.today = now.date
        needs = ColumnNeeds(board, charset: charset)
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
        case .open(let id, let open): take(open, id)
        case .report(let id, _, let lines): show(lines, id)
        }
    }

    private mutating func take(_ event: LineEvent) -> [Effect] {
        switch event {
        case .flagChosen(let key): chooseFlag(key)
        case .actionChosen(let id, let part): return choose(id, in: part)
        case .textWritten(let text): write(text)
        }
        return []
    }

    private mutating func take(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size):
            self.size = size
            layOut()
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
        case .openOffered: return openOther()
        }
        return []
    }

    mutating func addWatchError(_ reason: String) {
        if !watchErrors.contains(reason) { watchErrors.append(reason) }
    }

    /// Errors until they are fixed, a sentence each.
    private var errors: [String] { remote.errors + [store.error].compactMap { $0 } + watchErrors }

    mutating func press(_ key: KeyPress) -> [Effect] {
        if waitsForFlags(key) {
            typeAhead.append(key)
            return []
        }
        if case .mouse(let mouse) = key { return point(mouse) }
        (messages.current, remote.watchedFetch) = (nil, nil)
        if let action = keymap.action(for: key, in: mode.part) {
            // Keys typed for a response that is cancelled are dropped.
            if isAwaitingAnswer, action.id == .cancel { typeAhead = [] }
            return follow(action)
        }
        // Alt with a key is Escape and then the key unless it has a meaning of its own.
        if case .alt(let letter) = key { return press(.escape) + press(.character(letter)) }
        return isBlind ? [] : type(key)
    }

    /// Performs an action if its effect is visible.
    mutating func follow(_ action: Action) -> [Effect] {
        guard !isBlind || action.traits.contains(.worksUnseen) else { return [] }
        return run(action)
    }

    /// Performs an action, or shows why it is disabled.
    mutating func run(_ action: Action) -> [Effect] {
        if let reason = action.disabledReason(self) {
            say(reason, .refusal)
            return []
        }
        // The warning that leaving loses changes is repeated after any other action.
        if action.part == .list, action.id != .quit { isWarnedOfLoss = false }
        return action.perform(&self)
    }

    /// Whether the screen is too small to see what a key changes.
    private var isBlind: Bool { layout.isTooSmall }

    /// Handles a key that is not an action: text if a line is open, else a hint.
    private mutating func type(_ key: KeyPress) -> [Effect] {
        if key == .oversizedPaste {
            refuseOversizedPaste()
        } else if let sheet = mode.sheet {
            return sheet.type(key, in: &self)
        } else if mode == .list {
            say(
                "\(key.displayName(charset: charset)) does nothing here. \(keyWord(of: .help)) shows every key.",
                .refusal)
        } else if let text = key.typedText {
            typeInFilter(text)
        }
        return []
    }

    /// A truncated value would be wrong, so nothing is inserted.
    private mutating func refuseOversizedPaste() {
        say("A paste has at most 1 MiB; nothing of this one was entered.", .refusal)
    }

    /// Quits as soon as pending changes are saved; pressed again, at once.
    mutating func interrupt() -> [Effect] {
        if ending == .interrupted {
            (store.pending, store.moves) = ([], [:])
            (remote.activations, remote.contextChanges) = ([], [])
        }
        ending = .interrupted
        sayWhileSaving()
        return []
    }

    /// Shows why the menu is still open.
    mutating func sayWhileSaving() {
        if isWorking { say("Saving. Ctrl-C again leaves without waiting.", .refusal) }
    }

    /// Shows a message on the line above the footer.
    mutating func say(_ text: String, _ kind: Message.Kind = .news) {
        messages.say(Message(text: text, kind: kind), at: now)
    }
}
