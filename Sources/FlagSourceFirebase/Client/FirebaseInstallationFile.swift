import FlagModel
import FlagRemote
import Synchronization

/// The file that stores an installation and its backoff between runs, as two functions. The program provides these
/// functions, as only its storage layer writes files.
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
        self.read = read
        self.update = update
    }
}

/// The stored state of an app.
struct FirebaseRecord: Sendable {
    /// How many requests in a row failed, and until when no further request is sent.
    struct ServerRateLimit: Sendable, Hashable {
        var failures = 0
        var until: FlagTimestamp?

        /// The remaining wait; `nil` if a request may be sent. A wait longer than any backoff is ignored, as it means
        /// that the clock was set back.
        func remainingWait(at now: FlagTimestamp) -> Duration? {
            guard let until, until > now else { return nil }
            let wait = Duration.seconds(until.seconds - now.seconds)
            return wait <= RetryAfter.longest ? wait : nil
        }
    }

    var installation: FirebaseInstallation?
    /// The rate limit of requests for values.
    var values = ServerRateLimit()
    /// The rate limit of connections for realtime updates.
    var realtime = ServerRateLimit()
}

/// The file of one app; without a file nothing is stored.
struct FirebaseRecordFile: Sendable {
    private static let format = 1

    /// ``FirebaseClientSettings/installationKey`` of the app.
    let key: String
    let file: FirebaseInstallationFile?

    /// The stored state; empty if the file is missing, damaged, of another format, or of another app.
    var content: FirebaseRecord { parse(file?.read()) }

    /// Changes the stored state, while other runs wait.
    ///
    /// - Parameter change: changes the state, and returns whether to write it.
    func update(_ change: @escaping @Sendable (inout FirebaseRecord) -> Bool) {
        file?.update { bytes in
            var record = parse(bytes)
            return change(&record) ? self.bytes(of: record) : nil
        }
    }

    private func parse(_ bytes: [UInt8]?) -> FirebaseRecord {
        guard let bytes, let root = try? JSONDocument(parsing: bytes).root,
            root["format"]?.source == String(Self.format), root["app"]?.text?.string == key
        else { return FirebaseRecord() }
        return FirebaseRecord(
            installation: FirebaseInstallation(saved: root), values: FirebaseRecord.ServerRateLimit(root["values"]),
            realtime: FirebaseRecord.ServerRateLimit(root["realtime"]))
    }

    private func bytes(of record: FirebaseRecord) -> [UInt8] {
        var members: [(String, JSONOutput)] = [("format", .integer(Self.format)), ("app", .string(key))]
        members += record.installation?.facts ?? []
        for (name, rateLimit) in [("values", record.values), ("realtime", record.realtime)] where rateLimit != .init() {
            members.append((name, rateLimit.output))
        }
        return Array((JSONOutput.object(members).text() + "\n").utf8)
    }
}

extension FirebaseRecord.ServerRateLimit {
    fileprivate init(_ value: JSONValue?) {
        failures = max(0, value?["failures"].flatMap { Int($0.source) } ?? 0)
        until = value?["until"]?.text.flatMap { FlagTimestamp(rfc3339: $0.string) }
    }

    fileprivate var output: JSONOutput {
        .object([("failures", .integer(failures))] + (until.map { [("until", .string($0.rfc3339))] } ?? []))
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
