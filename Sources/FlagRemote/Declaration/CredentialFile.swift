import FlagModel
import FlagStorage

/// Files that credentials are in. What stands where a path belongs may be the credential itself.
package enum CredentialFile {
    /// Fewer characters are no credential that anybody gives out; names of files are seldom as long.
    private static let shortest = 20

    /// Whether a text is a credential, by all that can be told, and no path: a long word of letters and digits without the ending
    /// of a file's name, or what tokens of known services look like.
    package static func isCredential(_ text: String) -> Bool {
        guard !["/", "./", "../", "~"].contains(where: text.hasPrefix), text.utf8.count >= shortest else {
            return false
        }
        // The content of a key's file, and no path either.
        if text.contains(where: \.isNewline) || text.hasPrefix("-----BEGIN ") { return true }
        // JSON Web Tokens, tokens of Google, and those that name their project and environment first.
        if ["eyJ", "ya29.", "Bearer "].contains(where: text.hasPrefix) || text.contains(":") { return true }
        let words = text.split(separator: "/")
        guard let last = words.last, !hasEnding(last) else { return false }
        return words.contains { word in
            word.utf8.count >= shortest && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
        }
    }

    /// Whether a name ends as names of files do, such as in `.txt`.
    private static func hasEnding(_ name: Substring) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let ending = name[dot...].dropFirst()
        return 1...5 ~= ending.count && ending.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Whether there is no such file, and what stands in its place is a credential.
    package static func isMistaken(_ text: String, in folder: String) -> Bool {
        isCredential(text) && !isThere(text, in: folder)
    }

    /// Whether there is a file that can be read, be it empty.
    package static func isThere(_ text: String, in folder: String) -> Bool {
        ((try? DurableFile.read(FilePath.resolve(text, in: folder))) ?? nil) != nil
    }

    /// The path of a file that lets in.
    ///
    /// - Returns: `nil` where the credential itself stands in its place.
    package static func path(_ text: String, in folder: String) -> String? {
        isMistaken(text, in: folder) ? nil : FilePath.resolve(text, in: folder)
    }

    /// The file as messages name it: by its path, or where that may be none, by the member that it stands in.
    package static func shown(_ text: String, member: String, in folder: String) -> String {
        isMistaken(text, in: folder)
            ? "the file that \"\(member)\" names" : "the file \(FilePath.resolve(text, in: folder))"
    }
}
