extension MenuState {
    /// Why a change is refused while nothing may be changed; `nil` otherwise.
    var readOnlyObstacle: String? {
        preferences.isReadOnly ? "Read-only: nothing was changed. flagmenu config tells who asked for it." : nil
    }
}

extension Intent {
    /// Whether the intent changes what apps read: overrides, or the remote values that hold.
    func changesValues(in context: Binding.Context) -> Bool {
        switch self {
        case .toggle, .clear, .clearCategory, .clearAll, .undo, .redo, .retry, .activate, .useRemote, .editOutside,
            .setListed, .clearListed, .importAdding, .importReplacing, .addMember, .resetContext:
            true
        case .open: context == .explanation
        case .accept: [.options, .editor, .json, .otherValue, .question, .context].contains(context)
        default: false
        }
    }
}
