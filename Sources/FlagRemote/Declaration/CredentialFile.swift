import FlagModel
import FlagStorage

/// Files that contain credentials. A credential itself may have been entered in place of a path.
package enum CredentialFile {
    /// Fewer characters are not a usual credential; file names are rarely as long.
    private static let shortest = 20

    /// Whether a text looks like a credential rather than a path: a long word of letters and digits without a file
    /// extension, or the form that tokens of known services have.
    package static func isCredential(_ text: String) -> Bool {
        guard !["/", "./", "../", "~"].contains(where: text.hasPrefix), text.utf8.count >= shortest else {
            return false
        }
        // The content of a key file, which is not a path either.
        if text.contains(where: \.isNewline) || text.hasPrefix("-----BEGIN ") { return true }
        // JSON Web Tokens, Google tokens, and tokens that begin with their project and environment.
        if ["eyJ", "ya29.", "Bearer "].contains(where: text.hasPrefix) || text.contains(":") { return true }
        let words = text.split(separator: "/")
        guard let last = words.last, !hasEnding(last) else { return false }
        return words.contains { word in
            word.utf8.count >= shortest && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
        }
    }

    /// Whether a name has a file extension, such as `.txt`.
    private static func hasEnding(_ name: Substring) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let ending = name[dot...].dropFirst()
        return 1...5 ~= ending.count && ending.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Whether there is no such file and the text is a credential itself.
    package static func isMistaken(_ text: String, in folder: String) -> Bool {
        isCredential(text) && !isThere(text, in: folder)
    }

    /// Whether there is a readable file, even if it is empty.
    package static func isThere(_ text: String, in folder: String) -> Bool {
        ((try? DurableFile.read(FilePath.resolve(text, in: folder))) ?? nil) != nil
    }

    /// The path of a credential file.
    ///
    /// - Returns: `nil` if the text is the credential itself.
    package static func path(_ text: String, in folder: String) -> String? {
        isMistaken(text, in: folder) ? nil : FilePath.resolve(text, in: folder)
    }

    /// The file as messages name it: by its path or, if that must not be shown, by the member that sets it.
    package static func shown(_ text: String, member: String, in folder: String) -> String {
        isMistaken(text, in: folder)
            ? "the file that \"\(member)\" names" : "the file \(FilePath.resolve(text, in: folder))"
    }
}
