/// Paths of this package's built programs.
enum BuiltProduct {
    /// The path of an executable in the folder of the running tests.
    ///
    /// On Linux the test bundle is the running program; elsewhere an argument of the test runner names the bundle.
    static func path(_ name: String) -> String {
        let image = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        let folders = image.split(separator: "/", omittingEmptySubsequences: false)
        let bundle = folders.firstIndex { $0.hasSuffix(".xctest") } ?? folders.count - 1
        return (folders[..<bundle] + [Substring(name)]).joined(separator: "/")
    }
}
