import FlagModel

extension MenuState {
    mutating func performInList(_ intent: Intent) -> [Effect] {
        // Who goes on after a warning is warned anew.
        if intent != .quit { isWarnedOfLoss = false }
        switch intent {
        case .moveDown, .moveUp, .pageDown, .pageUp, .moveToFirst, .moveToLast, .nextCategory, .previousCategory,
            .nextMatch, .previousMatch:
            move(intent)
        case .toggle: return toggleSelected()
        case .open: openSelected()
        case .explain: explainSelected()
        case .clear: return clearSelected()
        case .clearCategory: return clearSelectedCategory()
        case .clearAll: askToClearAll()
        case .undo: return moveHistory(.undo)
        case .redo: return moveHistory(.redo)
        case .retry: return retrySaving()
        case .filter: mode = .filter
        case .showOverriddenOnly: toggleOverriddenOnly()
        case .changeOrder: changeOrder()
        case .pin: pinSelected()
        case .cancel where remote.fetch != nil: return cancelFetch()
        case .cancel: showAll()
        case .fetch:
            lastCommands = commands(for: intent)
            return [.fetchRemote(id: makeRequestID())]
        case .activate:
            let id = makeRequestID()
            remote.activations.insert(id)
            lastCommands = commands(for: intent)
            return [.activateRemote(id: id)]
        case .changeTheme: changeTheme()
        case .switchMouse: return switchMouse()
        case .palette: mode = .palette(ActionSheet(over: .list, context: .palette, keymap: keymap))
        case .copy: openCopySheet()
        case .context: mode = .context(ContextSheet())
        case .log: return open(.log)
        case .history: return open(.history)
        case .sources: return open(.sources)
        case .status: return open(.status)
        case .doctor: return open(.doctor)
        case .paths: return open(.paths)
        case .config: return open(.config)
        case .shellCommands: return open(.shell)
        case .setListed: askForValueOfListed()
        case .clearListed: askToClearListed()
        case .export: mode = .prompt(LinePrompt(.export))
        case .importAdding: mode = .prompt(LinePrompt(.importing(replacing: false)))
        case .importReplacing: mode = .prompt(LinePrompt(.importing(replacing: true)))
        case .quit: leave()
        default: break
        }
        return []
    }

    /// Makes the rows anew after anything that decides which flags are listed.
    mutating func rebuildList(_ reselecting: FlagList.Reselection = .sameFlag) {
        let layout = Layout(self)
        list.rebuild(from: board, height: layout.listHeight, hasGaps: layout.hasGaps, reselecting: reselecting)
    }

    private mutating func move(_ intent: Intent) {
        guard let row = list.selection else { return }
        let height = Layout(self).listHeight
        let target: Int? =
            switch intent {
            case .moveDown: list.flag(1, from: row)
            case .moveUp: list.flag(-1, from: row)
            case .pageDown: list.page(1, from: row, height: height)
            case .pageUp: list.page(-1, from: row, height: height)
            case .moveToFirst: list.nearestFlag(to: 0)
            case .moveToLast: list.nearestFlag(to: list.rows.count - 1)
            case .nextCategory: list.nextCategory(after: row)
            case .previousCategory: list.previousCategory(before: row)
            case .nextMatch: wrapped(1, from: row)
            case .previousMatch: wrapped(-1, from: row)
            default: nil
            }
        guard let target else { return }
        list.select(target, height: height, board: board)
    }

    /// Matches form a ring, as in every program with n and N.
    private func wrapped(_ count: Int, from row: Int) -> Int? {
        guard list.flag(count, from: row) == row else { return list.flag(count, from: row) }
        return list.nearestFlag(to: count > 0 ? 0 : list.rows.count - 1)
    }

    /// Leaving never loses a change that nobody was told of.
    private mutating func leave() {
        guard store.unsaved.isEmpty || isWarnedOfLoss else {
            isWarnedOfLoss = true
            return sayUnsaved(store.unsaved.count)
        }
        ending = .left
        sayWhileSaving()
    }

    /// Tells what leaving would lose.
    mutating func sayUnsaved(_ count: Int) {
        let retry = store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) saves again, "
        let fact = "\(count.counted("change is", "changes are")) not saved."
        say("\(fact) \(retry)\(keyWord(of: .quit)) leaves without.", .error)
    }

    private mutating func toggleOverriddenOnly() {
        list.showsOverriddenOnly.toggle()
        list.forgetKept()
        rebuildList()
    }

    private mutating func showAll() {
        list.filter = TextField()
        list.showsOverriddenOnly = false
        list.forgetKept()
        rebuildList()
    }

    private mutating func openSelected() {
        guard let flag = selected else { return }
        // An editor that cannot save is a trap; what there is to see, the explanation shows.
        guard !preferences.isReadOnly else { return explainSelected() }
        open(flag)
    }

    private mutating func open(_ flag: FlagFacts) {
        mode = flag.hasOptionList ? .options(OptionList(flag)) : .editor(ValueEditor(flag))
    }

    private mutating func explainSelected() {
        guard let flag = selected else { return }
        mode = .explanation(ExplanationSheet(key: FlagText(flag.key)))
    }

    mutating func performInExplanation(_ intent: Intent) -> [Effect] {
        guard case .explanation(var sheet) = mode else { return [] }
        let view = ExplanationView(state: self, sheet: sheet, facts: facts(of: sheet.key))
        switch intent {
        case .moveDown, .moveUp, .pageDown, .pageUp: sheet.top = view.scrolled.top(after: intent) ?? sheet.top
        case .fold: sheet.isUnfolded.toggle()
        default: return performOnExplained(intent, facts(of: sheet.key))
        }
        mode = .explanation(sheet)
        return []
    }

    /// What is done to the flag that is read about; its explanation stays open where it is about to tell what came of it.
    private mutating func performOnExplained(_ intent: Intent, _ flag: FlagFacts) -> [Effect] {
        switch intent {
        case .open: open(flag)
        case .clear: return save([.clear(key: flag.key)])
        case .undo: return moveHistory(.undo)
        case .copy: mode = .copy(CopySheet(key: FlagText(flag.key)))
        case .nextFlag, .previousFlag:
            guard let row = list.selection, let next = list.flag(intent == .nextFlag ? 1 : -1, from: row) else { break }
            list.select(next, height: Layout(self).listHeight, board: board)
            explainSelected()
        default: return closeSheet()
        }
        return []
    }
}
