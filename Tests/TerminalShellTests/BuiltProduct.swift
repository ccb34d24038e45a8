/// Programs of this package, where the build put them.
enum BuiltProduct {
    /// The path of an executable beside the running tests.
    ///
    /// The tests run as the bundle itself on Linux; elsewhere the arguments of the program that runs them name it.
    static func path(_ name: String) -> String {
        let image = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        let folders = image.split(separator: "/", omittingEmptySubsequences: false)
        let bundle = folders.firstIndex { $0.hasSuffix(".xctest") } ?? folders.count - 1
        return (folders[..<bundle] + [Substring(name)]).joined(separator: "/")
    }
}
