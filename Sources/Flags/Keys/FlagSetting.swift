/// A flag and the value to give it, such as in a test; for `withOverrides`, `setOverrides` and stores in memory.
public struct FlagSetting: Sendable {
    let name: String
    let text: String

    /// A declared key and its value: `.set(.multipleLocations, to: true)`.
    ///
    /// A JSON value that cannot be encoded is a programming error and stops the program.
    public static func set<Value>(_ key: FlagKey<Value>, to value: Value) -> FlagSetting {
        do {
            return FlagSetting(name: key.name, text: try value.flagText())
        } catch {
            fatalError("The value for the flag \(key.name) cannot be written as text: \(error)")
        }
    }

    /// A key and a text: for a key that no code declares, or to set an invalid text.
    public static func set(_ key: String, to text: String) -> FlagSetting { FlagSetting(name: key, text: text) }
}
