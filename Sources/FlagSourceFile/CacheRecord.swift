import FlagModel
import FlagSourceSupport

/// What the cache knows about one source besides the copies: a small JSON file.
struct CacheRecord: Equatable {
    /// One copy.
    struct Copy: Equatable {
        let fingerprint: FileFingerprint
        let fetchedAt: Timestamp
    }

    private static let format = 1

    /// The path that the copies come from; two paths with one id would show here.
    let source: String
    var active: Copy?
    /// A fetched copy that waits to be activated.
    var fetched: Copy?

    init(source: String) { self.source = source }

    /// A record from its file; `nil` when it is not ours, damaged or newer.
    init?(parsing bytes: [UInt8], source: String) {
        guard let root = try? JSONDocument(parsing: bytes).root, root["format"]?.source == String(Self.format),
            root["source"]?.text?.string == source
        else { return nil }
        self.source = source
        active = root["active"].flatMap(Copy.init)
        fetched = root["fetched"].flatMap(Copy.init)
    }

    var bytes: [UInt8] {
        var members: [(String, JSONOutput)] = [("format", .integer(Self.format)), ("source", .string(source))]
        if let active { members.append(("active", active.output)) }
        if let fetched { members.append(("fetched", fetched.output)) }
        return Array((JSONOutput.object(members).text() + "\n").utf8)
    }
}

extension CacheRecord.Copy {
    fileprivate init?(_ value: JSONValue) {
        guard let size = value["size"].flatMap({ Int64($0.source) }),
            let modified = value["modified"].flatMap({ Int64($0.source) }),
            let inode = value["inode"].flatMap({ UInt64($0.source) }),
            let fetchedAt = value["fetchedAt"]?.text.flatMap({ Timestamp(rfc3339: $0.string) })
        else { return nil }
        self.init(
            fingerprint: FileFingerprint(size: size, modified: modified, inode: inode), fetchedAt: fetchedAt)
    }

    fileprivate var output: JSONOutput {
        .object([
            ("size", .raw(String(fingerprint.size))), ("modified", .raw(String(fingerprint.modified))),
            ("inode", .raw(String(fingerprint.inode))), ("fetchedAt", .string(fetchedAt.rfc3339)),
        ])
    }
}
