import FlagModel
import FlagRemote

/// The file that stores an installation between runs, as two functions. The program provides these functions, as only
/// its storage layer writes files.
///
/// Anyone who reads the file can authenticate as the installation, so it must have the mode 0600.
public struct FirebaseInstallationFile: Sendable {
    /// Makes new content from the old; `nil` for no change.
    public typealias Change = @Sendable (_ bytes: [UInt8]?) -> [UInt8]?

    /// Returns the last written content; `nil` if there is none, or it cannot be read.
    public var read: @Sendable () -> [UInt8]?
    /// Atomically replaces the content with the result of `change`, while other runs wait. The function itself reports
    /// a failure; after a failure the next run registers another installation.
    public var update: @Sendable (_ change: Change) -> Void

    /// A file from its functions.
    public init(read: @escaping @Sendable () -> [UInt8]?, update: @escaping @Sendable (_ change: Change) -> Void) {
        (self.read, self.update) = (read, update)
    }
}

extension FirebaseClientSettings {
    /// Identifies the app and the URL of Firebase Installations.
    var installationKey: String {
        "\(app.projectID)/\(app.appID)#\(StableHash.text(installationsURL.text))"
    }

    /// The name of the file that stores the app's installation.
    public var installationFileName: String { "\(StableHash.text(installationKey)).json" }
}
