/// Splits and joins paths as text, without the file system. Trailing slashes are ignored.
package enum FilePath {
    /// The folder part: `/a` for `/a/b`, `/` for `/b`, `.` for `b`.
    package static func folder(of path: String) -> String {
        let path = trimmed(path)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part: `b` for `/a/b`, `/` for `/`.
    package static func name(of path: String) -> String {
        let path = trimmed(path)
        guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// `name` inside `folder`; `name` itself if it is absolute.
    package static func join(_ folder: String, _ name: String) -> String {
        if name.utf8.first == UInt8(ascii: "/") { return name }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
    }

    /// `path` resolved from `folder`.
    package static func resolve(_ path: String, in folder: String) -> String {
        join(folder, path.hasPrefix("./") ? String(path.dropFirst(2).drop { $0 == "/" }) : path)
    }

    /// `path` without trailing slashes.
    package static func trimmed(_ path: String) -> String {
        var bytes = Substring(path).utf8
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(Substring(bytes))
    }

    /// The name of a file on every machine: its path from `folder` if it is below it, else its file name. A name that is
    /// not an absolute path stays.
    package static func portable(_ name: String, from folder: String = "/") -> String {
        guard name.utf8.first == UInt8(ascii: "/") else { return name }
        let start = folder + "/"
        return folder != "/" && name.hasPrefix(start) ? String(name.dropFirst(start.count)) : self.name(of: name)
    }

    /// The path of a typed name: `~/` stands for `home`, any other name is resolved from `folder`.
    package static func typed(_ name: String, home: String, in folder: String) -> String {
        name.hasPrefix("~/") ? join(home, String(name.dropFirst(2))) : resolve(name, in: folder)
    }
}
