import ArgumentParser
import FlagModel
import FlagQueries
import FlagWorkspace
import Flags
import TerminalUI

struct ContextCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "context",
        abstract: "Show or change the evaluation context and which conditions apply.",
        usage: """
            flagmenu context [<options>]
            flagmenu context <name>=<value> ... [--unset <name>] [<options>]
            flagmenu context --restore <name> [<options>]
            flagmenu context --condition <name>=<on|off|auto> [<options>]
            flagmenu context --reset [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu context
              flagmenu context country=FR os=18 randomization_id=ana
              flagmenu context --condition 'iOS users=on'
              flagmenu context --restore country
              flagmenu context --reset

            These changes override the context and the conditions of flagmenu.json, for this user and this \
            app, until they are reset. A value is a string unless it is a whole number, true, false, or JSON in \
            quotes, braces or brackets. If several sources are evaluated, name one with --source.
            """)

    @Argument(help: ArgumentHelp("Members of the context.", valueName: "name=value"))
    var members: [String] = []

    @Option(help: ArgumentHelp("Remove a member from the context.", valueName: "name"))
    var unset: [String] = []

    @Option(
        help: ArgumentHelp(
            "Restore a member from flagmenu.json, or remove it if it is not there.", valueName: "name"))
    var restore: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set a condition to on or off; auto evaluates its rule again.", valueName: "name=state"))
    var condition: [String] = []

    @ArgumentParser.Flag(help: "Remove all your changes.")
    var reset = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options.values)
        try settings.requireFlags()
        let run = try RunStore(settings)
        run.openRemote()
        let oldReading = run.flags.remoteReading
        guard reset || isChangingMembers else {
            if let error = run.flags.contents.overrideFile?.issue { StandardError.warn(error) }
            let evaluations = oldReading.sources.evaluations
            guard !settings.isJSON else { return printJSON(evaluations) }
            StandardOutput.write(lines: Array(evaluations.map(Self.lines(of:)).joined(separator: [""])))
            if evaluations.isEmpty { settings.printLine("No source here uses a context or has conditions.") }
            return
        }
        let changes = try changes(of: oldReading.sources.evaluations)
        for change in changes {
            do throws(FlagStore.ContextChangeError) {
                if let notice = try run.flags.changeContext(change).notice { StandardError.warn(notice) }
            } catch {
                throw run.failure(of: error)
            }
        }
        let newReading = run.flags.remoteReading
        // If no values are cached for a context, the next command that needs values requests them. Values that were not
        // there before are no change.
        let changedSources = changes.map(\.source)
        let isCached = (newReading.sources.sources + oldReading.sources.sources).allSatisfy {
            !changedSources.contains($0.address) || $0.active != nil
        }
        let differences =
            isCached ? ValueDifference.between(oldReading.snapshot.values, newReading.snapshot.values) : []
        guard !settings.isJSON else { return printJSON(newReading.sources.evaluations, differences) }
        let summary =
            differences.isEmpty ? "No remote value changed." : "\(differences.count.counted("remote value")) changed."
        settings.report(
            differences, isCached ? summary : "The values for this context are fetched when next needed.")
    }

    /// The changes in the arguments: of the only source, or with `--reset` alone of every source.
    private func changes(of evaluations: [SourceEvaluation]) throws(CommandFailure) -> [ContextChange] {
        guard !evaluations.isEmpty else {
            throw Self.failure("No source here uses a context or has conditions.")
        }
        guard evaluations.count == 1 || !isChangingMembers else {
            let names = evaluations.map { ShellCommand.word($0.source) }.joined(separator: ", ")
            throw CommandFailure(.usage, "Several sources are evaluated; name one with --source: \(names).")
        }
        return try evaluations.map { source throws(CommandFailure) in try change(of: source) }
    }

    private static func failure(_ sentence: String, _ status: ExitStatus = .usage) -> CommandFailure {
        CommandFailure(status, "\(sentence) Nothing was changed.")
    }

    private var isChangingMembers: Bool { !(members + unset + restore + condition).isEmpty }

    /// The edits in the arguments.
    private func change(of source: SourceEvaluation) throws(CommandFailure) -> ContextChange {
        var edits: [ContextEdit] = reset ? [.reset] : []
        for typed in members { edits.append(try member(typed, of: source)) }
        for name in unset {
            let member = try Self.existingMember(name, in: source)
            edits.append(member.base == nil ? .restore(.attribute, name) : .set(name: name, value: nil))
        }
        for name in restore {
            guard try Self.existingMember(name, in: source).isOwn else {
                let quoted = JSONOutput.quoted(name, limit: 60)
                throw Self.failure(
                    "You have not changed the member \(quoted); it is as in flagmenu.json.", .noMatch)
            }
            edits.append(.restore(.attribute, name))
        }
        for typed in condition { edits.append(try decision(typed, of: source)) }
        return ContextChange(source: source.source, edits: edits)
    }

    /// The member of the context called `name`.
    ///
    /// - Throws: an error if the context has no such member.
    private static func existingMember(
        _ name: String, in source: SourceEvaluation
    ) throws(CommandFailure) -> SourceEvaluation.Member {
        guard let member = source.context?.first(where: { $0.name == name }) else {
            let suggestion = NearestKeys.suggestion(about: name, among: (source.context ?? []).map(\.name))
            throw failure("The context has no member \(JSONOutput.quoted(name, limit: 60)).\(suggestion)", .noMatch)
        }
        return member
    }

    /// The edit for an argument NAME=VALUE.
    private func member(_ typed: String, of source: SourceEvaluation) throws(CommandFailure) -> ContextEdit {
        guard let context = source.context else {
            throw Self.failure("\(source.source) does not use a context; set its conditions with --condition.")
        }
        guard let equals = typed.firstIndex(of: "="), equals != typed.startIndex else {
            throw Self.failure("\(JSONOutput.quoted(typed, limit: 60)) is not NAME=VALUE.")
        }
        let name = String(typed[..<equals])
        let current = context.first { $0.name == name }
        let value = String(typed[typed.index(after: equals)...])
        return .set(name: name, value: ContextText.json(value, for: name, known: current?.value ?? current?.base))
    }

    /// The edit for an argument of `--condition`, NAME=STATE.
    private func decision(_ typed: String, of source: SourceEvaluation) throws(CommandFailure) -> ContextEdit {
        let states: [String: Bool?] = ["on": true, "off": false, "auto": nil]
        // The name may contain "=".
        guard let equals = typed.lastIndex(of: "="), let state = states[String(typed[typed.index(after: equals)...])]
        else {
            throw Self.failure("\(JSONOutput.quoted(typed, limit: 60)) is not NAME=on, NAME=off or NAME=auto.")
        }
        let name = String(typed[..<equals])
        let names = source.conditions.map(\.name.string)
        guard names.contains(name) else {
            let suggestion = NearestKeys.suggestion(about: name, among: names)
            throw Self.failure("\(JSONOutput.quoted(name, limit: 60)) is not a condition.\(suggestion)", .noMatch)
        }
        return source.decision(on: FlagText(name), state)
    }

    private func printJSON(_ evaluations: [SourceEvaluation], _ differences: [ValueDifference]? = nil) {
        let changes = differences.map { [("changes", JSONOutput.array($0.map(\.json)))] } ?? []
        JSONOutput.object([("sources", .array(evaluations.map(Self.json)))] + changes).print()
    }

    private static func json(_ evaluation: SourceEvaluation) -> JSONOutput {
        let members = evaluation.context?.map { member in
            JSONOutput.object([
                ("name", .string(member.name)), ("value", member.value.map(JSONOutput.raw) ?? .null),
                ("project", member.base.map(JSONOutput.raw) ?? .null), ("own", .bool(member.isOwn)),
            ])
        }
        let conditions = zip(evaluation.conditions, evaluation.flagCounts).map { condition, count in
            JSONOutput.object(FlagJSON.condition(condition) + [("flags", .integer(count))])
        }
        return .object([
            ("source", .string(evaluation.source)), ("context", members.map(JSONOutput.array) ?? .null),
            ("conditions", .array(conditions)),
        ])
    }

    /// The name of a source, its context and its conditions, as lines.
    private static func lines(of evaluation: SourceEvaluation) -> [String] {
        let context = evaluation.context?.map { member in
            let value = member.value.map { EffectiveChange.shown(ContextText.shown($0)) } ?? "left out"
            return [shown(member.name), value + (member.isOwn ? "   yours" : "")]
        }
        let conditions = zip(evaluation.conditions, evaluation.flagCounts).map { condition, count in
            let word = DisplayText.padded(condition.word, to: 16)
            let flags = DisplayText.padded(count.counted("flag"), to: 8)
            // If only the service can evaluate the rule, the text of the rule says more than the reason "unknown".
            let isOnlyInService = condition.result == .unknown && condition.wants.isEmpty
            let why = isOnlyInService || condition.why.isEmpty ? condition.rule : condition.why
            return [shown(condition.name.string), "\(word)  \(flags)  \(why)"]
        }
        return [evaluation.source]
            + (context.map { [$0.isEmpty ? "context: empty" : "context:"] + $0.table } ?? [])
            + (conditions.isEmpty ? [] : ["conditions, in evaluation order:"] + conditions.table)
    }

    /// An indented name, of at most 40 columns.
    private static func shown(_ name: String) -> String { "  " + DisplayText.clipped(name, to: 40) }
}
