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
            messages.keep(MenuMessage(error, .error), at: now)
        }
        layOut()
        // The list may now have fewer lines, for example because an error has appeared.
        list.keepSelectionInView()
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
        if isOtherDay || board.today.isEmpty { list.board.today = now.date }
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
        case .pasted(let text): return [.findShared(id: makeRequestID(), in: text)]
        }
        return []
    }

    private mutating func receive(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size):
            self.size = size
            layOut()
            list.rebuild()
        case .backgroundDetected(let background): settings.terminalBackground = background
        case .minutePassed: break  // Each event brings the time.
        case .mouseRefused:
            settings.chosenMouse = false
            show("This terminal does not support a mouse.", .rejection)
        case .typeAheadEnded: endFirstWait()
        case .editedOutside: break  // The editor that asked for it has closed.
        case .copied(_, let text, let what, let reply): show(reply.message(about: text, what))
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
        let action = keymap.action(for: key, in: mode.part)
        clearLast(before: action?.id)
        if let action {
            // Cancelling the wait for a response also drops the keys that were typed during the wait.
            if isAwaitingResponse, action.id == .cancel { typeAhead = [] }
            return perform(action)
        }
        // If Alt with a key has no action, it counts as Escape followed by the key.
        if case .alt(let letter) = key { return press(.escape) + press(.character(letter)) }
        return layout.isTooSmall ? [] : type(key)
    }

    /// Clears what lasts until the next key or choice. A fetch that is asked for again while it runs is refused, but
    /// its user still waits for it.
    mutating func clearLast(before action: Action.ID?) {
        (messages.current, clickedEntry) = (nil, nil)
        if action != .fetch { remote.watchedFetch = nil }
    }

    /// Performs an action, or shows why it is disabled. If the screen is too small to show the effect, does nothing.
    mutating func perform(_ action: Action) -> [Effect] {
        guard !layout.isTooSmall || action.traits.contains(.worksUnseen) else { return [] }
        if let reason = action.disabledReason(self) { return show(reason, .rejection) }
        // After any action except quitting, the next attempt to leave warns of lost changes again.
        if action.part == .list, action.id != .quit { isWarnedOfLoss = false }
        return action.perform(&self)
    }

    /// No shared state is as short as this.
    private static let shortestShared = 20

    /// Handles a key without an action: inserts its text into the edited line, or shows a hint in the list.
    private mutating func type(_ key: KeyPress) -> [Effect] {
        // A truncated value would be wrong.
        if key == .oversizedPaste { return show("Not pasted: the text is longer than 1 MiB.", .rejection) }
        if case .paste(let text) = key, !part.takesText, text.utf8.count > Self.shortestShared {
            return [.findShared(id: makeRequestID(), in: text)]
        }
        switch mode {
        case .sheet: return inSheet { sheet, state in sheet.type(key, in: &state) } ?? []
        case .list:
            return show(
                "\(key.displayName(charset: charset)) does nothing here. \(keyWord(of: .help)) shows every key.",
                .rejection)
        case .filter:
            key.typedText.map { typeInFilter($0) }
            return []
        }
    }

    /// Shows a message on the line above the footer.
    ///
    /// - Returns: no effects, so that a handler can end with the message.
    @discardableResult
    mutating func show(_ text: String, _ kind: MenuMessage.Kind = .updates) -> [Effect] {
        show(MenuMessage(text, kind))
    }

    @discardableResult
    mutating func show(_ message: MenuMessage) -> [Effect] {
        messages.show(message, at: now)
        return []
    }
}
