/// A flag with a value of its type, for tests and scopes.
public struct FlagSetting: Sendable {
    let name: String
    let text: String

    /// A declared key and its value: `.set(.multipleLocations, to: true)`.
    ///
    /// A JSON value that cannot be encoded stops the program: it is a programming error.
    public static func set<Value>(_ key: FlagKey<Value>, to value: Value) -> FlagSetting {
        do {
            return FlagSetting(name: key.name, text: try key.declaration.coding.write(value))
        } catch {
            fatalError("The value for the flag \(key.name) cannot be written as text: \(error)")
        }
    }

    /// A key that no code declares, or a text that is invalid for a declared one.
    public static func set(_ key: String, to text: String) -> FlagSetting { FlagSetting(name: key, text: text) }
}
