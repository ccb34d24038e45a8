import FlagModel
import FlagSourceSupport

/// What the cache knows about one source besides the copies: a small JSON file.
struct CacheRecord: Equatable {
    /// One copy.
    struct Copy: Equatable {
        let mark: CopyMark
        let fetchedAt: Timestamp
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
    }

    /// When the source has last said something, or until when it wants to be left alone; `nil` for neither.
    var lastUse: Timestamp? { [active?.fetchedAt, fetched?.fetchedAt, notBefore].compactMap { $0 }.max() }

    var bytes: [UInt8] {
        var members: [(String, JSONOutput)] = [("format", .integer(Self.format)), ("source", .string(source))]
        if let active { members.append(("active", active.output)) }
        if let fetched { members.append(("fetched", fetched.output)) }
        if let notBefore {
            members += [("notBefore", .string(notBefore.rfc3339)), ("failures", .integer(failures))]
        }
        return Array((JSONOutput.object(members).text() + "\n").utf8)
    }
}

extension CacheRecord.Copy {
    fileprivate init?(_ value: JSONValue) {
        guard let fetchedAt = value["fetchedAt"]?.text.flatMap({ Timestamp(rfc3339: $0.string) }) else { return nil }
        if let version = value["version"] {
            self.init(mark: .version(version.text?.string), fetchedAt: fetchedAt)
            return
        }
        guard let size = value["size"].flatMap({ Int64($0.source) }),
            let modified = value["modified"].flatMap({ Int64($0.source) }),
            let inode = value["inode"].flatMap({ UInt64($0.source) })
        else { return nil }
        let fingerprint = FileFingerprint(size: size, modified: modified, inode: inode)
        self.init(mark: .file(fingerprint), fetchedAt: fetchedAt)
    }

    fileprivate var output: JSONOutput {
        let mark: [(String, JSONOutput)] =
            switch mark {
            case .file(let fingerprint):
                [
                    ("size", .raw(String(fingerprint.size))), ("modified", .raw(String(fingerprint.modified))),
                    ("inode", .raw(String(fingerprint.inode))),
                ]
            case .version(let version): [("version", version.map(JSONOutput.string) ?? .null)]
            }
        return .object(mark + [("fetchedAt", .string(fetchedAt.rfc3339))])
    }
}
