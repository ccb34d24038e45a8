import FlagModel
import FlagRemote

/// What the cache knows about one source besides the copies: a small JSON file.
struct CacheRecord: Equatable {
    /// One copy.
    struct Copy: Equatable {
        let mark: CopyMark
        let fetchedAt: Timestamp
        /// What tells its content from any other; `nil` for a file, and in a record of an earlier version.
        let digest: String?

        /// Whether the two are one copy, whenever it was fetched.
        func isSame(as other: Copy?) -> Bool { mark == other?.mark && digest == other?.digest }
    }

    private static let format = 1

    /// The identity that the copies belong to; two with one id would show here.
    let source: String
    var active: Copy?
    /// A fetched copy that waits to be activated.
    var fetched: Copy?
    /// Before this moment the service wants to be left alone.
    var notBefore: Timestamp?
    /// How many times in a row it was asked in vain.
    var failures = 0
    /// When its copies were last used, as far as that was noted.
    var usedAt: Timestamp?
    /// When it was last asked in vain although nothing was kept of it.
    var failedAt: Timestamp?

    init(source: String) { self.source = source }

    /// A record from its file; `nil` when it is not ours, damaged or newer.
    init?(parsing bytes: [UInt8], source: String) {
        self.init(parsing: bytes)
        guard self.source == source else { return nil }
    }

    /// A record of any source.
    init?(parsing bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes).root, root["format"]?.source == String(Self.format),
            let source = root["source"]?.text?.string
        else { return nil }
        self.source = source
        active = root["active"].flatMap(Copy.init)
        fetched = root["fetched"].flatMap(Copy.init)
        notBefore = root["notBefore"]?.text.flatMap { Timestamp(rfc3339: $0) }
        failures = root["failures"].flatMap { Int($0.source) } ?? 0
        usedAt = root["usedAt"]?.text.flatMap { Timestamp(rfc3339: $0.string) }
        failedAt = root["failedAt"]?.text.flatMap { Timestamp(rfc3339: $0.string) }
    }

    /// When its copies were last used, or the source has said something, or until when it wants to be left alone; `nil` for neither.
    var lastUse: Timestamp? { [active?.fetchedAt, fetched?.fetchedAt, notBefore, usedAt].compactMap { $0 }.max() }

    /// A record as it is stored over another one, of which another run may have stored newer copies.
    static func amended(_ stored: [UInt8]?, by bytes: [UInt8]) -> [UInt8] {
        guard let new = CacheRecord(parsing: bytes),
            var result = stored.flatMap({ CacheRecord(parsing: $0, source: new.source) })
        else { return bytes }
        if let active = new.active, active.isSame(as: result.active) { result.active = active }
        if let fetched = new.fetched, fetched.isSame(as: result.fetched) { result.fetched = fetched }
        (result.notBefore, result.failures, result.failedAt) = (new.notBefore, new.failures, new.failedAt)
        result.usedAt = [result.usedAt, new.usedAt].compactMap { $0 }.max()
        return result.bytes
    }

    var bytes: [UInt8] {
        var members: [(String, JSONOutput)] = [("format", .integer(Self.format)), ("source", .string(source))]
        if let active { members.append(("active", active.output)) }
        if let fetched { members.append(("fetched", fetched.output)) }
        if let notBefore {
            members += [("notBefore", .string(notBefore.rfc3339)), ("failures", .integer(failures))]
        }
        if let usedAt { members.append(("usedAt", .string(usedAt.rfc3339))) }
        if let failedAt { members.append(("failedAt", .string(failedAt.rfc3339))) }
        return Array((JSONOutput.object(members).text() + "\n").utf8)
    }
}

extension CacheRecord.Copy {
    fileprivate init?(_ value: JSONValue) {
        guard let fetchedAt = value["fetchedAt"]?.text.flatMap({ Timestamp(rfc3339: $0.string) }) else { return nil }
        if let version = value["version"] {
            self.init(
                mark: .version(version.text?.string), fetchedAt: fetchedAt, digest: value["digest"]?.text?.string)
            return
        }
        guard let size = value["size"].flatMap({ Int64($0.source) }),
            let modified = value["modified"].flatMap({ Int64($0.source) }),
            let inode = value["inode"].flatMap({ UInt64($0.source) })
        else { return nil }
        let fingerprint = FileFingerprint(size: size, modified: modified, inode: inode)
        self.init(mark: .file(fingerprint), fetchedAt: fetchedAt, digest: nil)
    }

    fileprivate var output: JSONOutput {
        let mark: [(String, JSONOutput)] =
            switch mark {
            case .file(let fingerprint):
                [
                    ("size", .raw(String(fingerprint.size))), ("modified", .raw(String(fingerprint.modified))),
                    ("inode", .raw(String(fingerprint.inode))),
                ]
            case .version(let version):
                [("version", version.map(JSONOutput.string) ?? .null)]
                    + (digest.map { [("digest", .string($0))] } ?? [])
            }
        return .object(mark + [("fetchedAt", .string(fetchedAt.rfc3339))])
    }
}
