/// The part of the menu that has the keyboard: the list, its filter line, or a sheet over the list.
enum MenuMode: Sendable, Equatable {
    case list
    case filter
    case sheet(any Sheet)

    /// The types of all sheets, in the order in which help lists them.
    static let sheets: [any Sheet.Type] = [
        OptionList.self, ValueEditor.self, OtherValueDialog.self, NoteSheet.self, ResetSheet.self,
        BulkDialog.self, ExplanationSheet.self, ActionSheet.self, CopySheet.self, ContextSheet.self, StatusSheet.self,
        HistorySheet.self, ScenarioSheet.self, ScenarioDialog.self, BisectSheet.self, OpenSheet.self, LinePrompt.self,
    ]

    /// The open sheet; `nil` for the list and its filter line.
    var sheet: (any Sheet)? { if case .sheet(let sheet) = self { sheet } else { nil } }

    /// The part of the menu whose actions work in this mode.
    var part: MenuPart { sheet?.part ?? (self == .filter ? .filter : .list) }

    static func == (left: MenuMode, right: MenuMode) -> Bool {
        switch (left, right) {
        case (.list, .list), (.filter, .filter): true
        case (.sheet(let left), .sheet(let right)): left.isEqual(to: right)
        default: false
        }
    }
}
