public import FlagModel
import TerminalUI

extension MenuState {
    /// Handles an event and returns its effects. This function is the only code that changes the menu.
    public mutating func reduce(_ event: Event, at now: FlagTimestamp) -> [Effect] {
        updateTime(now)
        let oldErrors = errors
        var effects = effectsOfSheet(event) ?? receive(event)
        effects += releaseTypeAhead()
        for error in errors where !oldErrors.contains(error) {
            messages.keep(Message(text: error, kind: .error), at: now)
        }
        layOut()
        // The list may now have fewer lines, for example because an error has appeared.
        list.keepSelectionInView(height: layout.listHeight)
        return effects
    }

    /// The effects of the open sheet, which is asked first about every event but keys; `nil` if the menu handles it.
    private mutating func effectsOfSheet(_ event: Event) -> [Effect]? {
        if case .key = event { return nil }
        return inSheet { sheet, state in sheet.receive(event, in: &state) } ?? nil
    }

    private mutating func updateTime(_ now: FlagTimestamp) {
        // Only if the day has changed: formatting a date at each key press would be too slow.
        let isOtherDay = now.seconds / 86_400 != self.now.seconds / 86_400
        self.now = now
        guard isOtherDay || board.today.isEmpty else { return }
        board.today = now.date
    }

    /// Handles an event that the open sheet leaves to the menu.
    mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key): press(key)
        case .line(let line): receive(line)
        case .terminal(let terminal): receive(terminal)
        case .settings(let settings): receive(settings)
        case .store(let store): receive(store)
        case .team(let team): receive(team)
        case .apps(let status): receive(status)
        case .remote(let report): receive(report)
        case .file(_, let file): receive(file)
        // The response to a sheet that has closed meanwhile.
        case .open, .status: []
        }
    }

    private mutating func receive(_ event: LineEvent) -> [Effect] {
        switch event {
        case .flagChosen(let key): chooseFlag(key)
        case .actionChosen(let id, let part): return choose(id, in: part)
        case .textWritten(let text): write(text)
        }
        return []
    }

    private mutating func receive(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size):
            self.size = size
            layOut()
            rebuildList()
        case .backgroundDetected(let background):
            terminalBackground = background
            showTheme()
        case .minutePassed: break  // Each event brings the time.
        case .mouseRefused: refuseMouse()
        case .typeAheadEnded: endFirstWait()
        case .editedOutside: break  // The editor that asked for it has closed.
        case .copied(_, let text, let what, let result): showCopied(text, what, result)
        }
        return []
    }

    private mutating func receive(_ event: SettingsEvent) -> [Effect] {
        switch event {
        case .preferencesRead(let preferences, let errors): return apply(preferences, errors: errors)
        case .preferencesNotWatched(let reason): addWatchError(reason)
        case .sessionRestored(let session): return restore(session)
        case .sessionNotRead(let reason): show(reason, .rejection)
        case .openOffered: return openOther()
        }
        return []
    }

    /// Adds a reason why a file cannot be watched.
    mutating func addWatchError(_ reason: String) {
        if !watchErrors.contains(reason) { watchErrors.append(reason) }
    }

    /// The errors that are not fixed yet, one sentence each.
    private var errors: [String] { remote.errors + [store.error, team?.error].compactMap { $0 } + watchErrors }

    /// Handles a key, or stores the key until the flags that it needs are read.
    mutating func press(_ key: KeyPress) -> [Effect] {
        if waitsForFlags(key) {
            typeAhead.append(key)
            return []
        }
        if case .mouse(let mouse) = key { return handleMouse(mouse) }
        (messages.current, remote.watchedFetch) = (nil, nil)
        if let action = keymap.action(for: key, in: mode.part) {
            // Cancelling the wait for a response also drops the keys that were typed during the wait.
            if isAwaitingResponse, action.id == .cancel { typeAhead = [] }
            return performIfVisible(action)
        }
        // If Alt with a key has no action, it counts as Escape followed by the key.
        if case .alt(let letter) = key { return press(.escape) + press(.character(letter)) }
        return isScreenTooSmall ? [] : type(key)
    }

    /// Performs an action, unless the screen is too small to show its effect.
    mutating func performIfVisible(_ action: Action) -> [Effect] {
        guard !isScreenTooSmall || action.traits.contains(.worksUnseen) else { return [] }
        return run(action)
    }

    /// Performs an action, or shows why it is disabled.
    mutating func run(_ action: Action) -> [Effect] {
        if let reason = action.disabledReason(self) {
            show(reason, .rejection)
            return []
        }
        // After any action except quitting, the next attempt to leave warns of lost changes again.
        if action.part == .list, action.id != .quit { isWarnedOfLoss = false }
        return action.perform(&self)
    }

    /// Whether the screen is too small for the menu.
    private var isScreenTooSmall: Bool { layout.isTooSmall }

    /// Handles a key without an action: inserts its text into the edited line, or shows a hint in the list.
    private mutating func type(_ key: KeyPress) -> [Effect] {
        if key == .oversizedPaste {
            refuseOversizedPaste()
        } else if mode.sheet != nil {
            return inSheet { sheet, state in sheet.type(key, in: &state) } ?? []
        } else if mode == .list {
            show(
                "\(key.displayName(charset: charset)) does nothing here. \(keyWord(of: .help)) shows every key.",
                .rejection)
        } else if let text = key.typedText {
            typeInFilter(text)
        }
        return []
    }

    /// Shows that an oversized paste was not inserted: a truncated value would be wrong.
    private mutating func refuseOversizedPaste() {
        show("Not pasted: the text is longer than 1 MiB.", .rejection)
    }

    /// Closes the menu after pending changes are saved. If the menu is closing already, closes it without waiting.
    mutating func interrupt() -> [Effect] {
        if ending != nil {
            (store.pending, store.moves) = ([], [:])
            team?.pending = [:]
            (remote.activations, remote.contextChanges) = ([], [])
        }
        ending = .interrupted
        showWhileSaving()
        return []
    }

    /// If the menu is still saving, shows a message about this.
    mutating func showWhileSaving() {
        if isWorking { show("Saving. Ctrl-C quits without waiting.", .rejection) }
    }

    /// Shows a message on the line above the footer.
    mutating func show(_ text: String, _ kind: Message.Kind = .updates) {
        messages.show(Message(text: text, kind: kind), at: now)
    }
}
