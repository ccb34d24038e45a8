import Foundation

/// Programs that a machine may have or not; tests that need one are skipped where it is missing.
public enum InstalledProgram {
    /// Where a program is.
    public static func path(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].lazy.map { "\($0)/\(name)" }.first { place in
            access(place, X_OK) == 0
        }
    }

    /// Whether a program is there.
    public static func has(_ name: String) -> Bool { path(name) != nil }
}
