package import FlagModel
import Synchronization

/// All flags that the process has declared.
///
/// There is one entry for each combination of name, type and default. Entries are never removed.
enum FlagRegistry {
    private struct Identity: Hashable {
        let name: FlagText
        let type: ObjectIdentifier
        /// How texts are read: the same Swift type may be read from plain text or from JSON.
        let reading: FlagType
        let defaultText: String?
    }

    private struct Contents {
        var declarations: [Identity: any AnyFlagDeclaration] = [:]
        /// The first declaration of each key.
        var firstDeclarations: FlagTable<any AnyFlagDeclaration> = [:]
        /// The keys with several defaults, a sentence each.
        var issues: FlagTable<String> = [:]
    }

    private static let contents = Mutex(Contents())

    static func declare<Value>(
        _ name: String, default defaultValue: Value, facts: DeclaredFlag.Facts
    ) -> FlagDeclaration<Value> {
        let text = try? defaultValue.flagText()
        let identity = Identity(
            name: FlagText(name), type: ObjectIdentifier(Value.self), reading: Value.flagType, defaultText: text)
        let (declaration, first) = contents.withLock { contents in
            if let existing = contents.declarations[identity] as? FlagDeclaration<Value> {
                return (existing, contents.firstDeclarations[name])
            }
            let new = FlagDeclaration(
                name: name, slot: contents.declarations.count, defaultValue: defaultValue, defaultText: text,
                facts: facts)
            contents.declarations[identity] = new
            let first = contents.firstDeclarations[name] ?? new
            contents.firstDeclarations[name] = first
            if first !== new {
                let defaults = [first.defaultText, text].map { $0.map { JSONOutput.quoted($0, limit: 80) } ?? "none" }
                contents.issues[name] =
                    "The flag \(JSONOutput.quoted(name, limit: 80)) is declared with the defaults "
                    + "\(defaults.joined(separator: " and ")). Declare it once, and share the key."
            }
            return (new, first)
        }
        if let first, first.valueType != Value.self || first.type != Value.flagType {
            assertionFailure(
                "The flag \(JSONOutput.quoted(name)) is declared as \(first.valueType) (\(first.type.rawValue)) and as "
                    + "\(Value.self) (\(Value.flagType.rawValue)). Declare it once, and share the key.")
        }
        return declaration
    }

    /// What is wrong with the declarations of a key, as a sentence; `nil` if nothing is.
    static func issue(of name: String) -> String? { contents.withLock { $0.issues[name] } }

    /// The first declaration of every key, sorted by name.
    static var declarations: [any AnyFlagDeclaration] {
        contents.withLock { $0.firstDeclarations }.values.sorted { $0.name.precedes($1.name) }
    }

    /// The first declaration of a key; `nil` if no code declares it.
    static func declaration(of name: String) -> (any AnyFlagDeclaration)? {
        contents.withLock { $0.firstDeclarations[name] }
    }
}

extension DeclaredFlags {
    /// The flags that the code of this process declares.
    package static func ofThisProcess() -> DeclaredFlags {
        let flags = FlagRegistry.declarations.map { $0.declared() }
        return DeclaredFlags([Program(name: ProcessEnvironment.programName, seenAt: nil, flags: flags)])
    }
}
