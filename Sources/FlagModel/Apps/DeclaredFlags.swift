/// The flags that the code of an app declares: in programs that run, and in programs that ran before.
public struct DeclaredFlags: Sendable, Hashable {
    /// A program of an app, with the flags that its code declares.
    public struct Program: Sendable, Hashable {
        /// The name of the program.
        public let name: String
        /// When the program was last seen; `nil` if it runs.
        public let seenAt: FlagTimestamp?
        /// Whether the program reads sources or a team of its own.
        public let hasSources: Bool
        /// The flags, sorted by key.
        public let flags: [DeclaredFlag]

        /// A program with its flags. What the program uses is left out, because it changes all the time.
        public init(name: String, seenAt: FlagTimestamp?, hasSources: Bool = false, flags: [DeclaredFlag]) {
            (self.name, self.seenAt, self.hasSources) = (name, seenAt, hasSources)
            self.flags = flags.map(\.withoutUse).sorted { $0.key.precedes($1.key) }
        }

        /// The program of an announcement.
        package init(_ app: RunningApp, seenAt: FlagTimestamp?) {
            self.init(name: app.name, seenAt: seenAt, hasSources: app.hasSources, flags: app.flags)
        }
    }

    /// A flag, and the program that declares it.
    public struct Declaration: Sendable, Hashable {
        /// The name of the program.
        public let program: String
        /// When the program was last seen; `nil` if it runs.
        public let seenAt: FlagTimestamp?
        /// The flag.
        public let flag: DeclaredFlag
    }

    /// The programs: those that run, the one that started last at the start; then the others, the one that was seen last
    /// at the start.
    public let programs: [Program]
    /// The first declaration of each flag, sorted by key.
    public let flags: [DeclaredFlag]
    /// All declarations by key, in the order of the programs.
    private let declarationsByKey: FlagTable<[Declaration]>

    /// The flags of programs. Processes of the same program count as one program.
    public init(_ programs: [Program] = []) {
        var names: [String] = []
        var programsByName: [String: Program] = [:]
        for program in programs where !program.flags.isEmpty {
            guard let known = programsByName[program.name] else {
                names.append(program.name)
                programsByName[program.name] = program
                continue
            }
            // Each process knows the keys that its code has touched. Keys of an older version do not come back.
            guard known.seenAt == nil, program.seenAt == nil else { continue }
            let keys = Set(known.flags.map { FlagText($0.key) })
            programsByName[program.name] = Program(
                name: known.name, seenAt: nil, hasSources: known.hasSources || program.hasSources,
                flags: known.flags + program.flags.filter { !keys.contains(FlagText($0.key)) })
        }
        self.programs = names.compactMap { programsByName[$0] }
        let declarationsByKey: FlagTable<[Declaration]> = self.programs.reduce(into: [:]) { declarations, program in
            for flag in program.flags {
                declarations[flag.key, default: []].append(
                    Declaration(program: program.name, seenAt: program.seenAt, flag: flag))
            }
        }
        self.declarationsByKey = declarationsByKey
        flags = declarationsByKey.values.compactMap { $0.first?.flag }.sorted { $0.key.precedes($1.key) }
    }

    /// Whether no code declares a flag.
    public var isEmpty: Bool { programs.isEmpty }

    /// The keys of all flags, sorted.
    public var keys: [String] { flags.map(\.key) }

    /// All declarations of a key. The first one describes the flag.
    public func declarations(of key: String) -> [Declaration] { declarationsByKey[key] ?? [] }

    /// Whether code declares a key.
    public func contains(_ key: String) -> Bool { declarationsByKey[key] != nil }

    /// The defaults in code.
    package var defaults: ValueTable {
        ValueTable(
            flags.compactMap { flag in flag.defaultValue.map { (key: FlagText(flag.key), value: FlagText($0)) } })
    }

    /// The name of the category for flags without a group.
    public static let ungroupedName: FlagText = "In code"

    /// The flags as a catalog: a category for each group by name, and then ``ungroupedName``.
    package var catalog: Catalog {
        let groups = Dictionary(grouping: flags) { $0.facts.group ?? "" }
        return Catalog(
            (groups.keys.filter { !$0.isEmpty }.sorted() + [""]).compactMap { group in
                groups[group].map { flags in
                    (
                        category: group.isEmpty ? Self.ungroupedName : FlagText(group),
                        items: flags.map { FlagItem(key: FlagText($0.key)).completed(by: $0) }
                    )
                }
            })
    }
}

extension DeclaredFlags.Declaration {
    /// The program, with its age if it does not run: `shop`, or `shop, last seen 3 h ago`.
    public func label(at now: FlagTimestamp) -> String {
        seenAt.map { "\(program), last seen \($0.age(at: now))" } ?? program
    }
}

extension DeclaredFlag {
    /// The declaration without what an app uses.
    public var withoutUse: DeclaredFlag {
        use == nil ? self : DeclaredFlag(key: key, type: type, defaultValue: defaultValue, facts: facts)
    }

    /// The cases of an enumeration, as the reason why another value is invalid.
    package static func invalidReason(for cases: [String]) -> String {
        "the cases are \(cases.joined(separator: ", "))"
    }

    /// Whether code of this type, and with these options, can read a value.
    public func accepts(_ value: String) -> Bool {
        facts.options.isEmpty ? type.accepts(value) : facts.options.contains(value)
    }
}
