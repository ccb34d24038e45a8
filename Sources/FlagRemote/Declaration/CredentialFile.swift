import FlagModel
import FlagStorage

/// Files that contain credentials. Users may enter the credential itself instead of the file's path.
package enum CredentialFile {
    /// The minimum length of a credential, in bytes. Credentials are rarely shorter, and paths are rarely as long.
    private static let minimumLength = 20

    /// Whether a text looks like a credential rather than a path: the text has a known token format, or has a long word
    /// of letters and digits and no file extension.
    package static func isCredential(_ text: String) -> Bool {
        guard !["/", "./", "../", "~"].contains(where: text.hasPrefix), text.utf8.count >= minimumLength else {
            return false
        }
        // The content of a key file.
        if text.contains(where: \.isNewline) || text.hasPrefix("-----BEGIN ") { return true }
        // JSON Web Tokens, Google tokens, and tokens that begin with the name of a project and environment.
        if ["eyJ", "ya29.", "Bearer "].contains(where: text.hasPrefix) || text.contains(":") { return true }
        let words = text.split(separator: "/")
        guard let last = words.last, !hasFileExtension(last) else { return false }
        return words.contains { word in
            word.utf8.count >= minimumLength && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
        }
    }

    /// Whether a name has a file extension, such as `.txt`.
    private static func hasFileExtension(_ name: Substring) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        let fileExtension = name[dot...].dropFirst()
        return 1...5 ~= fileExtension.count && fileExtension.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Whether a text is a credential that was entered instead of a path: the text looks like a credential, and no file
    /// has this path.
    package static func isCredentialInsteadOfPath(_ text: String, in folder: String) -> Bool {
        isCredential(text) && !isThere(text, in: folder)
    }

    /// Whether a text is the path of a readable file, even if the file is empty. The file is not opened: it may be
    /// outside the project's folder, and the user may not have allowed that.
    package static func isThere(_ text: String, in folder: String) -> Bool {
        DurableFile.isReadable(FilePath.resolve(text, in: folder))
    }

    /// The path of a credential file.
    ///
    /// - Returns: the absolute path; `nil` if the text is the credential itself.
    package static func path(_ text: String, in folder: String) -> String? {
        isCredentialInsteadOfPath(text, in: folder) ? nil : FilePath.resolve(text, in: folder)
    }

    /// A description of the file for messages: the file's path, or the member that sets the path if the text is a
    /// credential.
    package static func shown(_ text: String, member: String, in folder: String) -> String {
        isCredentialInsteadOfPath(text, in: folder)
            ? "the file that \"\(member)\" names" : "the file \(FilePath.resolve(text, in: folder))"
    }
}
