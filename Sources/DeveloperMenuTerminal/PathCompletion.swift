import DeveloperMenu
import FlagModel
import FlagStorage
import Platform

extension OverrideTransfer {
    /// The paths that begin with a text, written as the text is, the first so many of a folder; folders end in a slash. Names that
    /// begin with a period count only if the period was typed.
    func completed(_ text: String) -> FileEvent {
        let slash = text.lastIndex(of: "/")
        let head = slash.map { String(text[...$0]) } ?? ""
        let start = text.dropFirst(head.count)
        let folder = head.isEmpty ? reports.folders().working : path(head)
        // A folder that cannot be read has nothing to offer.
        let names = (try? DurableFile.names(in: folder)) ?? []
        let found = names.filter { $0.hasPrefix(start) && ($0.first != "." || start.first == ".") }.sorted()
        return .completed(
            text: text,
            paths: found.prefix(Self.completionLimit).map { name in
                head + name + (Self.isFolder(FilePath.join(folder, name)) ? "/" : "")
            })
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// More than anybody looks through.
    private static let completionLimit = 500
}
