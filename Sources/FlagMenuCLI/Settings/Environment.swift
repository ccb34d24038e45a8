#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The process's environment, the user and the working directory.
struct Environment {
    let variables: [String: String]
    let workingDirectory: String
    let homeDirectory: String
    let userName: String

    /// A variable that is set and not empty.
    subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// What the process was started with.
    static func current() -> Environment {
        let variables = readVariables()
        let account = getpwuid(getuid())
        let home = account.flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
        let name = account.flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        return Environment(
            variables: variables, workingDirectory: readWorkingDirectory(),
            homeDirectory: variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home ?? "/",
            userName: name ?? variables["USER"] ?? "uid \(getuid())")
    }

    private static func readVariables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }

    private static func readWorkingDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }
}
