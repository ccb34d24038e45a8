import FlagModel
import Testing

/// Flags that code declares, on the board with catalogs and remote values.
@Suite struct DeclaredFlagsTests {
    private static let seen = FlagTimestamp(seconds: 1_795_000_000)

    private static func flag(
        _ key: String, _ type: FlagType = .bool, _ value: String? = "false", title: String? = nil, group: String? = nil,
        options: [String] = []
    ) -> DeclaredFlag {
        DeclaredFlag(
            key: key, type: type, defaultValue: value,
            facts: DeclaredFlag.Facts(title: title, group: group, options: options))
    }

    private static func program(_ name: String, seenAt: FlagTimestamp? = nil, _ flags: DeclaredFlag...)
        -> DeclaredFlags.Program
    { DeclaredFlags.Program(name: name, seenAt: seenAt, flags: flags) }

    private func snapshot(
        _ document: String? = nil, code programs: [DeclaredFlags.Program]
    ) throws -> RemoteSnapshot {
        RemoteSnapshot(
            documents: try document.map { [try RemoteDocument(parsing: Array($0.utf8))] } ?? [],
            declared: DeclaredFlags(programs))
    }

    private func board(_ snapshot: RemoteSnapshot, _ overrides: FlagTable<FlagOverride> = [:]) -> FlagBoard {
        FlagBoard(snapshot: snapshot, launch: [:], overrides: overrides)
    }

    @Test func `without any document, the flags are listed by group with their defaults`() throws {
        let snapshot = try snapshot(code: [
            Self.program(
                "shop", Self.flag("b", title: "B", group: "Checkout"), Self.flag("c", .int, "3"),
                Self.flag("a", .string, "light", group: "Look", options: ["light", "dark"]))
        ])
        #expect(snapshot.catalog.categories.map(\.name.string) == ["Checkout", "Look", "In code"])
        #expect(snapshot.catalog.items.map(\.key.string) == ["b", "a", "c"])
        let facts = board(snapshot).facts(of: "a")
        #expect(facts.value == "light" && facts.explanation.winner == .default)
        #expect(facts.options.map(\.value) == ["light", "dark"] && facts.hasChoice)
        #expect(facts.declarations.map(\.program) == ["shop"] && facts.mismatches == [])
        #expect(board(snapshot).facts(of: "b").toggled == .set(key: "b", value: "true"))
        #expect(board(snapshot).facts(of: "b").name == "B" && board(snapshot).facts(of: "c").type == .int)
        if case .notAnOption(let sentence) = facts.check(on: "purple") {
            #expect(sentence.contains("light, dark"))
        } else {
            Issue.record("purple is accepted")
        }
    }

    @Test func `the catalog describes a flag, the code completes it, and the type is that of the code`() throws {
        let document = """
            {"a": "7", "other": "1", "config_categories": [{"category": "C", "items": [
              {"key": "a", "title": "From the catalog", "type": "int"}]}]}
            """
        let declared = DeclaredFlag(
            key: "a", type: .string, defaultValue: "1",
            facts: DeclaredFlag.Facts(title: "From code", description: "What it does.", group: "G", owner: "ana"))
        let snapshot = try snapshot(document, code: [Self.program("shop", declared, Self.flag("new", group: "C"))])
        #expect(snapshot.catalog.categories.map(\.name.string) == ["C", "Other"])
        #expect(snapshot.catalog.items.map(\.key.string) == ["a", "new", "other"], "a group joins its category")
        let facts = board(snapshot).facts(of: "a")
        #expect(
            facts.name == "From the catalog" && facts.item?.details == "What it does." && facts.item?.owner == "ana")
        #expect(facts.type == .string && facts.value == "7" && facts.explanation.value(in: .default) == "1")
        #expect(facts.mismatches == ["a is a string in shop, but an int in the catalog."])
    }

    @Test func `a program that runs counts before those that ran, and processes of one program together`() throws {
        let declared = DeclaredFlags([
            Self.program("shop", Self.flag("a")), Self.program("shop", Self.flag("b")),
            Self.program("shop", seenAt: Self.seen, Self.flag("removed")),
            Self.program("admin", seenAt: Self.seen, Self.flag("a", .string, "x")),
        ])
        #expect(declared.programs.map(\.name) == ["shop", "admin"])
        #expect(declared.keys == ["a", "b"], "what an older version declared is forgotten")
        let words = declared.declarations(of: "a").map {
            $0.label(at: FlagTimestamp(seconds: Self.seen.seconds + 7_200))
        }
        #expect(words == ["shop", "admin, last seen 2 h ago"])
        #expect(DeclaredFlags([Self.program("empty")]).isEmpty)
    }

    @Test(arguments: [
        (#"{"a": "maybe"}"#, [#"The remote value "maybe" of a is not a bool that shop can read."#]),
        (#"{"a": "on"}"#, []),
        (
            #"{"config_categories": [{"category": "C", "items": [{"key": "a", "value": "true|perhaps"}]}]}"#,
            [#"The catalog offers "perhaps" for a, which shop cannot read."#]
        ),
    ])
    func `types that disagree are sentences`(document: String, sentences: [String]) throws {
        #expect(try snapshot(document, code: [Self.program("shop", Self.flag("a"))]).mismatches["a"] ?? [] == sentences)
    }

    @Test func `defaults that disagree are sentences`() throws {
        let programs = [
            Self.program("shop", Self.flag("a"), Self.flag("b", .int, "1")),
            Self.program("admin", Self.flag("a", .bool, "true"), Self.flag("b", .string, "1")),
        ]
        let snapshot = RemoteSnapshot(
            documents: [], defaults: ValueTable([(key: "a", value: "yes")]), declared: DeclaredFlags(programs))
        #expect(
            snapshot.mismatches["a"] == [
                #"The default of a is "false" in shop, but "true" in admin."#,
                #"The default of a is "false" in shop, but "yes" in the other defaults, which win."#,
            ])
        #expect(snapshot.mismatches["b"] == ["b is an int in shop, but a string in admin."])
        #expect(board(snapshot).facts(of: "a").value == "yes")
    }

    @Test func `flags are missing remotely or undeclared only if both sides are known`() throws {
        let programs = [Self.program("shop", Self.flag("a"), Self.flag("b"))]
        let both = try snapshot(#"{"a": "true", "c": "1"}"#, code: programs)
        #expect(both.isMissingRemotely("b") && !both.isMissingRemotely("a") && !both.isMissingRemotely("c"))
        #expect(both.isUndeclared("c") && !both.isUndeclared("a") && !both.isUndeclared("nosuch"))
        #expect(try !snapshot(code: programs).isMissingRemotely("a"))
        #expect(try !snapshot(#"{"a": "true"}"#, code: []).isUndeclared("a"))
    }
}
