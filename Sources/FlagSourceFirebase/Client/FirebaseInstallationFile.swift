import FlagModel
import FlagSourceSupport

/// Where an installation is kept between runs, as two functions: only the storage layer writes files, so whoever composes the
/// program brings them.
///
/// What is kept lets in as the installation, so nobody but the user may read it: a file of mode 0600.
public struct FirebaseInstallationFile: Sendable {
    /// What was written last; `nil` where there is nothing, or it cannot be read.
    public var read: @Sendable () -> [UInt8]?
    /// Puts something in its place, whole or not at all. Where that fails the next run is another installation, which is told
    /// in a way of its own.
    public var write: @Sendable (_ bytes: [UInt8]) -> Void

    /// A place by its functions.
    public init(read: @escaping @Sendable () -> [UInt8]?, write: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
        self.read = read
        self.write = write
    }
}

extension FirebaseClientSettings {
    /// Tells the app, at the service that its installations are of, from every other.
    private var installationKey: String {
        "\(app.projectID)/\(app.appID)#\(StableHash.text(installationsURL.text))"
    }

    /// A name for the file that the app's installation is kept in.
    public var installationFileName: String { "\(StableHash.text(installationKey)).json" }

    /// The installation in a file; `nil` where that is damaged, newer, or of another app.
    func installation(in bytes: [UInt8]) -> FirebaseInstallation? {
        guard let root = try? JSONDocument(parsing: bytes).root, root["format"]?.source == "1",
            root["app"]?.text?.string == installationKey
        else { return nil }
        return FirebaseInstallation(kept: root)
    }

    /// The content of the file for an installation.
    func bytes(of installation: FirebaseInstallation) -> [UInt8] {
        let facts: [(String, JSONOutput)] = [("format", .integer(1)), ("app", .string(installationKey))]
        return Array((JSONOutput.object(facts + installation.facts).text() + "\n").utf8)
    }
}
