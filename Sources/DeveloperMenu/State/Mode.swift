extension MenuState {
    /// The part of the menu that has the keyboard: the list, its filter line, or a sheet over the list.
    public enum Mode: Sendable, Equatable {
        case list
        case filter
        case options(OptionList)
        case editor(ValueEditor)
        case otherValue(OtherValueDialog)
        case dialog(BulkDialog)
        case explanation(ExplanationSheet)
        indirect case actions(ActionSheet)
        case copy(CopySheet)
        case context(ContextSheet)
        case report(ReportSheet)
        case history(HistorySheet)
        case apps(AppsSheet)
        case open(OpenSheet)
        indirect case prompt(LinePrompt)

        /// The types of all sheets, in the order in which help lists them.
        static let sheets: [any Sheet.Type] = [
            OptionList.self, ValueEditor.self, OtherValueDialog.self, BulkDialog.self, ExplanationSheet.self,
            ActionSheet.self, CopySheet.self, ContextSheet.self, ReportSheet.self, HistorySheet.self, AppsSheet.self,
            OpenSheet.self, LinePrompt.self,
        ]

        /// The open sheet; `nil` for the list and its filter line.
        var sheet: (any Sheet)? {
            switch self {
            case .list, .filter: nil
            case .options(let sheet): sheet
            case .editor(let sheet): sheet
            case .otherValue(let sheet): sheet
            case .dialog(let sheet): sheet
            case .explanation(let sheet): sheet
            case .actions(let sheet): sheet
            case .copy(let sheet): sheet
            case .context(let sheet): sheet
            case .report(let sheet): sheet
            case .history(let sheet): sheet
            case .apps(let sheet): sheet
            case .open(let sheet): sheet
            case .prompt(let sheet): sheet
            }
        }

        /// The part of the menu whose actions work in this mode.
        public var part: MenuPart { sheet?.part ?? (self == .filter ? .filter : .list) }
    }
}
