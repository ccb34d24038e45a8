/// A file that lets in to a kind of service by itself, in place of a token.
struct KeyFile: Sendable {
    /// The members that name such files, each with what the file is to whoever has it.
    let files: [(member: String, title: String)]
    /// The variable that names it where settings do not.
    let variable: String
    /// The credential that goes with it; `nil` where none does.
    var companion: String?
    /// The member that names a file, by its content; `nil` where that lets nobody in.
    let member: @Sendable (_ content: String) -> String?
    /// The same for a file that is not there yet, by its name.
    let memberOfName: @Sendable (_ name: String) -> String?

    /// The beginning of a file is enough to tell one kind from another.
    static func begins(_ content: String, with start: String) -> Bool {
        content.first { !$0.isWhitespace }.map(String.init) == String(start.prefix(1)) && content.contains(start)
    }
}
