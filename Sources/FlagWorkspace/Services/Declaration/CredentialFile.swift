import FlagModel
import FlagRemote
import FlagStorage

/// Files that contain credentials. Users may enter the credential itself instead of the file's path.
package enum CredentialFile {
    /// Whether a text is a credential that was entered instead of a path: the text looks like a credential, and no file
    /// has this path.
    package static func isCredentialInsteadOfPath(_ text: String, in folder: String) -> Bool {
        RedactedURL.isCredential(text) && !isThere(text, in: folder)
    }

    /// Whether a text is the path of a readable file, even if the file is empty. The file is not opened: it may be
    /// outside the project's folder, and the user may not have allowed that.
    package static func isThere(_ text: String, in folder: String) -> Bool {
        DurableFile.isReadable(FilePath.resolve(text, in: folder))
    }

    /// The path of a credential file.
    ///
    /// - Returns: the absolute path; `nil` if the text is the credential itself.
    static func path(_ text: String, in folder: String) -> String? {
        isCredentialInsteadOfPath(text, in: folder) ? nil : FilePath.resolve(text, in: folder)
    }
}
