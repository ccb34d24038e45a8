import FlagModel
import FlagRemote
import Synchronization

/// Where an installation is kept between runs, and how long Firebase is to be left alone, as two functions: only the storage
/// layer writes files, so whoever composes the program brings them.
///
/// What is kept lets in as the installation, so nobody but the user may read it: a file of mode 0600.
public struct FirebaseInstallationFile: Sendable {
    /// Makes new content of what there is; `nil` where it is to stay as it is.
    public typealias Change = @Sendable (_ bytes: [UInt8]?) -> [UInt8]?

    /// What was written last; `nil` where there is nothing, or it cannot be read.
    public var read: @Sendable () -> [UInt8]?
    /// Puts what is made of the content in its place, whole or not at all, while no other run does so. Where that fails the next
    /// run is another installation, which is told in a way of its own.
    public var update: @Sendable (_ change: Change) -> Void

    /// A place by its functions.
    public init(read: @escaping @Sendable () -> [UInt8]?, update: @escaping @Sendable (_ change: Change) -> Void) {
        self.read = read
        self.update = update
    }
}

/// What is kept of an app between runs.
struct FirebaseRecord: Sendable {
    /// How often in a row something was asked in vain, and until when it is not asked again.
    struct Restraint: Sendable, Hashable {
        var failures = 0
        var until: Timestamp?

        /// How long it is still to be left alone. A wait that is longer than any is of a clock that was set.
        func rest(at now: Timestamp) -> Duration? {
            guard let until, until > now else { return nil }
            let rest = Duration.seconds(until.seconds - now.seconds)
            return rest <= RetryAfter.longest ? rest : nil
        }
    }

    var installation: FirebaseInstallation?
    /// Of the service for values.
    var values = Restraint()
    /// Of realtime updates.
    var realtime = Restraint()
}

/// The file of one app; without a file nothing is kept.
struct FirebaseRecordFile: Sendable {
    private static let format = 1

    /// Tells the app from every other.
    let key: String
    let file: FirebaseInstallationFile?

    /// What is kept; nothing where the file is damaged, newer, or of another app.
    var content: FirebaseRecord { parse(file?.read()) }

    /// Changes what is kept, on what it is while no other run changes it.
    ///
    /// - Parameter change: answers whether there is something to write.
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
    /// Tells the app, at the service that its installations are of, from every other.
    var installationKey: String {
        "\(app.projectID)/\(app.appID)#\(StableHash.text(installationsURL.text))"
    }

    /// A name for the file that the app's installation is kept in.
    public var installationFileName: String { "\(StableHash.text(installationKey)).json" }
}
