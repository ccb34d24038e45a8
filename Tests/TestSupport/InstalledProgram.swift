import Foundation

/// Programs that may be missing on a machine. Tests that need one are then skipped.
public enum InstalledProgram {
    /// The path of a program, or `nil` if it is missing.
    public static func path(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].lazy.map { "\($0)/\(name)" }.first { place in
            access(place, X_OK) == 0
        }
    }

    /// Whether a program is installed.
    public static func has(_ name: String) -> Bool { path(name) != nil }
}
