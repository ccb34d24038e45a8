import FlagModel
import Synchronization

/// All keys that the process has declared.
///
/// It only grows: by one entry for each name, type and default, however often a key is made from them.
enum FlagRegistry {
    private struct Identity: Hashable {
        let name: String
        let type: ObjectIdentifier
        /// The same type of value may be read from plain text or from JSON.
        let reading: FlagType
        let defaultText: String?
    }

    private struct Contents {
        var declarations: [Identity: any AnyFlagDeclaration] = [:]
        var first: [String: any AnyFlagDeclaration] = [:]
    }

    private static let contents = Mutex(Contents())

    static func declare<Value>(
        _ name: String, default defaultValue: Value, coding: FlagCoding<Value>
    ) -> FlagDeclaration<Value> {
        let text = try? coding.write(defaultValue)
        let identity = Identity(
            name: name, type: ObjectIdentifier(Value.self), reading: coding.type, defaultText: text)
        let (declaration, other) = contents.withLock { contents in
            if let known = contents.declarations[identity] as? FlagDeclaration<Value> {
                return (known, contents.first[name])
            }
            let new = FlagDeclaration(
                name: name, slot: contents.declarations.count, defaultValue: defaultValue, defaultText: text,
                coding: coding)
            contents.declarations[identity] = new
            let first = contents.first[name] ?? new
            contents.first[name] = first
            return (new, first)
        }
        if let other, other.valueType != Value.self || other.type != coding.type {
            assertionFailure(
                "The flag \(JSONOutput.quoted(name)) is declared as \(other.valueType) (\(other.type.rawValue)) and as "
                    + "\(Value.self) (\(coding.type.rawValue)). Declare it once, and share the key.")
        }
        return declaration
    }

    /// The first declaration of every key, sorted by name.
    static var declarations: [any AnyFlagDeclaration] {
        contents.withLock { $0.first.values.sorted { $0.name < $1.name } }
    }

    /// The first declaration of a key; `nil` if no code declares it.
    static func declaration(of name: String) -> (any AnyFlagDeclaration)? {
        contents.withLock { $0.first[name] }
    }
}
