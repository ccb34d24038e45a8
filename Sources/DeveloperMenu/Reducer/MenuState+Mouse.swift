import TerminalUI

// The mouse, where it is switched on: it does nothing that keys do not do.
extension MenuState {
    /// Flags that one step of the wheel moves by, as in most terminal programs.
    private static let wheelStep = 3

    /// Takes in a press of the mouse or a turn of its wheel.
    mutating func point(_ mouse: MousePress) -> [Effect] {
        guard isMouseOn, !Layout(self).isTooSmall else { return [] }
        switch mouse.kind {
        case .wheelUp: return turnWheel(-1)
        case .wheelDown: return turnWheel(1)
        case .press: return press(on: target(at: mouse.position))
        }
    }

    private mutating func turnWheel(_ direction: Int) -> [Effect] {
        let context = mode.context
        if context == .list || context == .filter {
            guard let row = list.selection, let target = list.flag(direction * Self.wheelStep, from: row) else {
                return []
            }
            list.select(target, height: Layout(self).listHeight, board: board)
            return []
        }
        let intent = direction > 0 ? Intent.moveDown : .moveUp
        return choose(intent, in: context)
    }

    private mutating func press(on target: MouseTarget) -> [Effect] {
        switch target {
        case .nothing: return []
        case .key(let key): return press(key)
        case .flag(let row, let isSwitch):
            messages.current = nil
            mode = .list
            let wasSelected = row == list.selection
            list.select(row, height: Layout(self).listHeight, board: board)
            if isSwitch { return choose(.toggle, in: .list) }
            return wasSelected ? choose(.open, in: .list) : []
        case .option(let index):
            guard case .options(var options) = mode else { return [] }
            let choices = OptionList.choices(of: facts(of: options.key))
            if options.selectedIndex(in: choices) == index { return choose(.accept, in: .options) }
            options.move(to: index, in: choices)
            mode = .options(options)
            return []
        }
    }
}
