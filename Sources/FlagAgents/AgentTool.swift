/// What an agent can ask for, by its name in the protocol.
package enum AgentTool: String, CaseIterable, Sendable {
    case listFlags = "list_flags"
    case getFlag = "get_flag"
    case explainFlag = "explain_flag"
    case listChanges = "list_changes"
    case listApps = "list_apps"
    case listScenarios = "list_scenarios"
    case previewScenario = "preview_scenario"
    case waitForApps = "wait_for_apps"
    case setFlag = "set_flag"
    case resetFlag = "reset_flag"
    case resetAll = "reset_all"
    case undo
    case applyScenario = "apply_scenario"
    case addNote = "add_note"

    /// Whether the tool changes overrides. Such a tool exists only if the person who started the server allows changes.
    package var isWriting: Bool { !Self.reading.contains(self) }

    // The reading tools are listed, and not the writing ones, so that a new tool is not offered by mistake.
    private static let reading: Set<AgentTool> = [
        .listFlags, .getFlag, .explainFlag, .listChanges, .listApps, .listScenarios, .previewScenario, .waitForApps,
    ]

    /// What the tool does, for the agent.
    var about: String {
        switch self {
        case .listFlags:
            "Lists flags with value, layer, type, options and override. A filter has words, which must all be in the "
                + "key, title, description or value, and conditions: is:on, is:off, is:changed, type:bool, "
                + "cat:CATEGORY, layer:override, value:>10; ! excludes, as in !is:on."
        case .getFlag: "Reads one flag: the value that apps use, its layer, type, options and override."
        case .explainFlag:
            "Says why a flag has its value: every layer, conditions, who set the override and when, and what each "
                + "running app does about it."
        case .listChanges:
            "Lists all overrides and changes of contexts on this machine, the applied scenario, and the newest entries "
                + "of the history with their authors. Your name in it is the member you."
        case .listApps: "Lists the processes that read these flags, and the values that each uses."
        case .listScenarios: "Lists the scenarios, which are named sets of changes, and which one is applied."
        case .previewScenario: "Shows what applying a scenario would change: the value now, in the scenario, and after."
        case .waitForApps:
            "Waits until every running app that declares the flags uses their overrides. Ends by itself with what each "
                + "app does; if taken is false, call it again."
        case .setFlag:
            "Overrides a flag, or every flag that a filter matches, as one change that undo takes back. The value is "
                + "checked against the options and the type; an error says what is valid."
        case .resetFlag:
            "Removes the override of a flag, or of every flag that a filter matches, no matter who has set it."
        case .resetAll:
            "Removes the overrides that you have set. With expectedRevision, all changes of everybody."
        case .undo:
            "Takes back your last change that is not undone, unless others have changed its flags since. With "
                + "expectedRevision, the last change of anybody."
        case .applyScenario: "Makes the changes of a scenario as one change that undo takes back."
        case .addNote: "Says why the override of a flag exists; an empty note removes the old one."
        }
    }

    /// What the tool may be called with.
    var parameters: [AgentParameter] { ownParameters + (isWriting ? AgentParameter.ofWrites : []) }

    private var ownParameters: [AgentParameter] {
        switch self {
        case .listFlags:
            [
                AgentParameter("matching", .text, "A filter; all flags by default."),
                AgentParameter("offset", .integer(0...10_000_000), "How many flags to skip; 0 by default."),
                AgentParameter("limit", .integer(1...500), "The most flags to return; 50 by default."),
            ]
        case .getFlag, .explainFlag: [.key]
        case .listChanges:
            [AgentParameter("limit", .integer(0...100), "The most entries of the history; 10 by default.")]
        case .previewScenario, .applyScenario:
            [
                AgentParameter("name", .text, "The scenario's name.", isRequired: true),
                AgentParameter("replace", .bool, "Reset changes that it does not have, of anybody.", isRequired: true),
            ]
        case .waitForApps:
            [
                AgentParameter("keys", .texts, "Keys of flags; those of the newest change by default."),
                AgentParameter("seconds", .integer(1...45), "The longest time to wait; 10 by default."),
            ]
        case .setFlag:
            [
                .keyOrMatching, .matching,
                AgentParameter("value", .value, "The value as text, such as true.", isRequired: true),
                AgentParameter("note", .text, "Why the override exists, for the people who find it."),
                AgentParameter("for", .life, "When it ends by itself: a duration such as 2h, restart, or never."),
                AgentParameter("any", .bool, "Set a value that is not valid for the flag, too."),
            ]
        case .resetFlag: [.keyOrMatching, .matching]
        case .listApps, .listScenarios, .resetAll, .undo: []
        case .addNote: [.key, AgentParameter("note", .text, "The note.", isRequired: true)]
        }
    }
}
