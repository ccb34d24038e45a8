public import FlagModel

/// The dialog before a bulk action changes overrides, with the list of them; the default is no.
///
/// The command line uses the same dialog, so both list and skip the same flags.
public struct BulkQuestion: Sendable, Equatable {
    /// The change of one flag.
    public struct Line: Sendable, Equatable {
        /// The flag's key.
        public let key: String
        /// The value before: of a cleared override, else the one in use; `nil` if there is none.
        public let before: String?
        /// The value afterwards; `nil` if no layer has one then.
        public let after: String?
    }

    /// A skipped flag, and why, as a sentence.
    public struct Exception: Sendable, Equatable {
        /// The flag's key.
        public let key: String
        /// Why it is skipped.
        public let reason: String
    }

    /// What yes does to the overrides; the word is the label of the key for yes.
    public enum Deed: String, Sendable {
        case clear, set, activate
        case take = "import"
    }

    /// The request, from which the dialog is made again if values change while it is open.
    enum Request: Sendable, Equatable {
        case clearing(keys: [String], adjective: String, scope: String)
        case setting(keys: [String], value: String)
        case importing(file: String, ImportPlan, withUnknown: Bool, replacing: Bool)
        case activating

        /// The keys of its flags, in order; `nil` if a file or a source decides.
        var keys: [String]? {
            switch self {
            case .clearing(let keys, _, _), .setting(let keys, _): keys
            case .importing, .activating: nil
            }
        }
    }

    private(set) var request: Request
    /// The title of the dialog.
    public let title: String
    /// What yes does.
    public let deed: Deed
    /// The result of yes, as a sentence.
    public let outcome: String
    /// The changes, in the order of the list.
    public let lines: [Line]
    /// The skipped flags.
    public let exceptions: [Exception]
    /// Flags that have the value already and are skipped silently.
    public var unchanged: [String] = []
    /// The edits on yes.
    public let edits: [OverrideEdit]
    /// The equivalent commands.
    var commands: [ShellCommand] = []
    /// Flags that only have the letters of the filter: they are a list of their own.
    var byLettersOnly: [String] = []
    /// Whether this is that list.
    var isByLetters = false
    /// The part of the list in view.
    var scrolled = ScrolledLines.none
}

extension BulkQuestion {
    /// The dialog to clear overrides.
    ///
    /// - Parameters:
    ///   - flags: the flags; those without an override are skipped.
    ///   - adjective: the selection, such as `marked`; empty for all.
    ///   - scope: the place, such as `in Login`; empty for everywhere.
    public static func clearing(_ flags: [FlagFacts], adjective: String = "", scope: String = "") -> BulkQuestion {
        let overridden = flags.filter { $0.override != nil }
        let noun = overridden.count == 1 ? "override" : "overrides"
        let words = ["Clear", "\(overridden.count)", adjective, noun, scope].filter { !$0.isEmpty }
        return BulkQuestion(
            request: .clearing(keys: overridden.map(\.key), adjective: adjective, scope: scope),
            title: "\(words.joined(separator: " "))?", deed: .clear,
            outcome: "The remote values return.",
            lines: overridden.map { flag in
                Line(key: flag.key, before: flag.override?.value ?? "", after: flag.valueWithoutOverride)
            },
            exceptions: [], edits: overridden.map { .clear(key: $0.key) })
    }

    /// The dialog to set flags to a value. Flags that have it already, in any layer, are skipped; flags that cannot
    /// have it are left out, with the reason.
    public static func setting(_ flags: [FlagFacts], to value: String) -> BulkQuestion {
        var (lines, exceptions, edits): ([Line], [Exception], [OverrideEdit]) = ([], [], [])
        var unchanged: [String] = []
        for flag in flags {
            guard !flag.alreadyHas(value) else {
                unchanged.append(flag.key)
                continue
            }
            guard case .fitting(let stored) = flag.verdict(on: value) else {
                exceptions.append(Exception(key: flag.key, reason: flag.objection(toChoosing: value)))
                continue
            }
            lines.append(Line(key: flag.key, before: flag.value, after: stored))
            edits.append(.set(key: flag.key, value: stored))
        }
        let shown = JSONOutput.quoted(value, limit: 40)
        let outcome = [
            exceptions.isEmpty
                ? "They keep the value until it is cleared."
                : "\(exceptions.count.counted("flag cannot have it", "flags cannot have it")), unchanged.",
            unchanged.isEmpty ? "" : "\(unchanged.count.counted("other has", "others have")) it already.",
        ]
        return BulkQuestion(
            request: .setting(keys: flags.map(\.key), value: value),
            title: "Set \(lines.count.counted("flag")) to \(shown)?", deed: .set,
            outcome: outcome.filter { !$0.isEmpty }.joined(separator: " "), lines: lines, exceptions: exceptions,
            unchanged: unchanged, edits: edits)
    }

    /// The dialog to import overrides from a file. Overrides of entries that cannot be imported stay.
    ///
    /// - Parameters:
    ///   - plan: the entries of the file.
    ///   - file: the file.
    ///   - withUnknown: whether to import keys that no flag has.
    ///   - overrides: the current overrides.
    ///   - replacing: whether to remove those that the file does not name.
    ///   - app: the app to import into.
    ///   - facts: the facts of a key's flag.
    public static func importing(
        _ plan: ImportPlan, from file: String, withUnknown: Bool = false, over overrides: [String: Override],
        replacing: Bool, into app: String, facts: (String) -> FlagFacts
    ) -> BulkQuestion {
        let leftOut = plan.leftOut(withUnknown: withUnknown)
        var values = plan.values(withUnknown: withUnknown)
        if replacing { for problem in leftOut { values[problem.key] = overrides[problem.key]?.value } }
        let keys = replacing ? Set(values.keys).union(overrides.keys) : Set(values.keys)
        let changed = keys.sorted().filter { overrides[$0]?.value != values[$0] }
        let sorted = values.sorted { $0.key < $1.key }
        let outcome = [
            plan.app.flatMap { $0 == app ? nil : "The file has the overrides of \($0), this is \(app)." },
            replacing ? "Overrides that the file does not name go." : "Overrides that the file does not name stay.",
            leftOut.isEmpty
                ? nil : "\(leftOut.count.counted("entry is", "entries are")) left out; the end of the list shows why.",
        ]
        return BulkQuestion(
            request: .importing(file: file, plan, withUnknown: withUnknown, replacing: replacing),
            title: changed.isEmpty ? "Nothing to import" : "Import \(changed.count.counted("change"))?", deed: .take,
            outcome: outcome.compactMap { $0 }.joined(separator: " "),
            lines: changed.map { key in
                let flag = facts(key)
                return Line(key: key, before: flag.value, after: values[key] ?? flag.valueWithoutOverride)
            },
            exceptions: leftOut.map { Exception(key: $0.key, reason: $0.sentence) },
            edits: replacing ? [.replaceAll(values)] : sorted.map { .set(key: $0.key, value: $0.value) })
    }

    /// The dialog to activate fetched values.
    ///
    /// - Parameters:
    ///   - waiting: the values that wait for activation.
    ///   - overrides: the current overrides, which win over them.
    static func activating(_ waiting: [ValueDifference], overrides: [String: Override]) -> BulkQuestion {
        let overridden = waiting.count { overrides[$0.key] != nil }
        let exception =
            overridden == 0
            ? ""
            : " \(overridden.counted("is overridden and stays", "are overridden and stay")) as you set \(overridden == 1 ? "it" : "them")."
        return BulkQuestion(
            request: .activating, title: "Activate \(waiting.count.counted("remote value"))?", deed: .activate,
            outcome: "\(ValueDifference.summary(waiting)) Apps use them from then on.\(exception)",
            lines: waiting.map { Line(key: $0.key, before: $0.old, after: $0.new) }, exceptions: [], edits: [])
    }

    /// The same dialog with current values: for the same flags, and no others.
    ///
    /// - Parameters:
    ///   - overrides: the current overrides.
    ///   - waiting: the remote values that wait for activation.
    ///   - app: the app to import into.
    ///   - facts: the facts of a key's flag.
    func asked(
        over overrides: [String: Override], waiting: [ValueDifference], in app: String, facts: (String) -> FlagFacts
    ) -> BulkQuestion {
        var question =
            switch request {
            case .clearing(let keys, let adjective, let scope):
                Self.clearing(keys.map(facts), adjective: adjective, scope: scope)
            case .setting(let keys, let value): Self.setting(keys.map(facts), to: value)
            case .importing(let file, let plan, let withUnknown, let replacing):
                Self.importing(
                    plan, from: file, withUnknown: withUnknown, over: overrides, replacing: replacing, into: app,
                    facts: facts)
            case .activating: Self.activating(waiting, overrides: overrides)
            }
        // The flags stay the same, even if one needs no change for now.
        question.request = request
        (question.commands, question.scrolled) = (commands, scrolled)
        (question.byLettersOnly, question.isByLetters) = (byLettersOnly, isByLetters)
        return question
    }
}

extension BulkQuestion {
    /// The current label of the key for the others; `nil` if there are none.
    var othersLabel: String? {
        guard case .importing(_, let plan, let withUnknown, _) = request else {
            return byLettersOnly.isEmpty ? nil : isByLetters ? "the others" : "by letters only"
        }
        guard !plan.unknownValues.isEmpty else { return nil }
        return withUnknown ? "leave out unknown keys" : "import unknown keys too"
    }
}

extension ImportPlan.Problem {
    /// Why the entry is skipped, beside its key.
    fileprivate var sentence: String {
        switch reason {
        case .unreadable(let sentence), .unknown(let sentence, _): sentence
        // The key is beside it.
        case .invalid(let sentence):
            sentence.hasPrefix("\(key): ") ? String(sentence.dropFirst(key.count + 2)) : sentence
        }
    }
}

extension FlagFacts {
    /// Why a value is not valid, as a sentence beside the flag.
    fileprivate func objection(toChoosing value: String) -> String {
        let isOption = hasChoice && !isOpenToOtherValues
        return (isOption ? nil : objection(to: value)) ?? "It is not one of its options."
    }
}
