import FlagModel
import FlagRemote
import Synchronization

/// Where an installation and its backoff are stored between runs, as two functions: only the storage layer writes
/// files, so the program that uses this provides them.
///
/// The content authenticates as the installation, so only the user may read it: a file of mode 0600.
public struct FirebaseInstallationFile: Sendable {
    /// Makes new content from the old; `nil` for no change.
    public typealias Change = @Sendable (_ bytes: [UInt8]?) -> [UInt8]?

    /// The last written content; `nil` if there is none, or it cannot be read.
    public var read: @Sendable () -> [UInt8]?
    /// Atomically replaces the content with what is made of it, while other runs wait. If that fails the next run
    /// registers another installation; the failure is reported separately.
    public var update: @Sendable (_ change: Change) -> Void

    /// A file from its functions.
    public init(read: @escaping @Sendable () -> [UInt8]?, update: @escaping @Sendable (_ change: Change) -> Void) {
        self.read = read
        self.update = update
    }
}

/// The stored state of an app.
struct FirebaseRecord: Sendable {
    /// How often in a row requests failed, and until when there is no further request.
    struct Restraint: Sendable, Hashable {
        var failures = 0
        var until: Timestamp?

        /// The rest of the wait. A wait longer than any backoff means that the clock was set.
        func rest(at now: Timestamp) -> Duration? {
            guard let until, until > now else { return nil }
            let rest = Duration.seconds(until.seconds - now.seconds)
            return rest <= RetryAfter.longest ? rest : nil
        }
    }

    var installation: FirebaseInstallation?
    /// For the service for values.
    var values = Restraint()
    /// For realtime updates.
    var realtime = Restraint()
}

/// The file of one app; without a file nothing is stored.
struct FirebaseRecordFile: Sendable {
    private static let format = 1

    /// Identifies the app.
    let key: String
    let file: FirebaseInstallationFile?

    /// The stored state; empty if the file is damaged, newer, or of another app.
    var content: FirebaseRecord { parse(file?.read()) }

    /// Changes the stored state, while no other run changes it.
    ///
    /// - Parameter change: returns whether to write it.
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
            installation: FirebaseInstallation(kept: root), values: FirebaseRecord.Restraint(root["values"]),
            realtime: FirebaseRecord.Restraint(root["realtime"]))
    }

    private func bytes(of record: FirebaseRecord) -> [UInt8] {
        var members: [(String, JSONOutput)] = [("format", .integer(Self.format)), ("app", .string(key))]
        members += record.installation?.facts ?? []
        for (name, restraint) in [("values", record.values), ("realtime", record.realtime)] where restraint != .init() {
            members.append((name, restraint.output))
        }
        return Array((JSONOutput.object(members).text() + "\n").utf8)
    }
}

extension FirebaseRecord.Restraint {
    fileprivate init(_ value: JSONValue?) {
        failures = max(0, value?["failures"].flatMap { Int($0.source) } ?? 0)
        until = value?["until"]?.text.flatMap { Timestamp(rfc3339: $0.string) }
    }

    fileprivate var output: JSONOutput {
        .object([("failures", .integer(failures))] + (until.map { [("until", .string($0.rfc3339))] } ?? []))
    }
}

extension FirebaseClientSettings {
    /// Identifies the app and the service of its installations.
    var installationKey: String {
        "\(app.projectID)/\(app.appID)#\(StableHash.text(installationsURL.text))"
    }

    /// The name of the file of the app's installation.
    public var installationFileName: String { "\(StableHash.text(installationKey)).json" }
}
