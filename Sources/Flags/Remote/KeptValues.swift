import FlagModel
import FlagSourceSupport
import FlagStorage

/// The last good answers of sources on disk: for each one `<id>.active`, `<id>.fetched` while that waits for its
/// activation, and `<id>.catalog`, an older answer whose catalog is in use while that of the active one is malformed. Each file says in its first line whose answer it is, from when, and what the source called it, so that it
/// is whole or of no use. It can be fetched again, so a power cut may take it.
struct KeptValues: Sendable {
    /// An answer with its circumstances.
    struct Answer: Sendable, Hashable {
        var bytes: [UInt8]
        var version: String?
        var fetchedAt: Timestamp
    }

    enum Role: String {
        case active, fetched, catalog
    }

    /// `nil` where nothing is kept.
    let folder: String?

    /// What was kept; a damaged file, or one of another source, is the same as none.
    func read(_ role: Role, of identity: String) -> Answer? {
        guard let path = path(role, of: identity),
            let file = try? DurableFile.read(path, limit: SourceFileBytes.sizeLimit),
            let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let header = try? JSONDocument(parsing: Array(file[..<end])).root,
            header["source"]?.text?.string == identity,
            let fetchedAt = header["fetchedAt"]?.text.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        return Answer(
            bytes: Array(file[(end + 1)...]), version: header["version"]?.text?.string, fetchedAt: fetchedAt)
    }

    /// Keeps an answer.
    func write(_ answer: Answer, _ role: Role, of identity: String) throws(StorageError) {
        guard let path = path(role, of: identity) else { return }
        let header = JSONOutput.object([
            ("format", .integer(1)), ("source", .string(identity)), ("fetchedAt", .string(answer.fetchedAt.rfc3339)),
            ("version", answer.version.map(JSONOutput.string) ?? .null),
        ])
        let bytes = Array("\(header.text(indented: false))\n".utf8) + answer.bytes
        try DurableFile.replace(path, with: bytes, durability: .atomicOnly)
    }

    /// Forgets an answer; one that is not there is no error.
    func remove(_ role: Role, of identity: String) throws(StorageError) {
        guard let path = path(role, of: identity) else { return }
        try DurableFile.remove(path)
    }

    /// The file's name is the 64-bit FNV-1a hash of the identity, the same in every run.
    private func path(_ role: Role, of identity: String) -> String? {
        let hash = identity.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return folder.map { "\($0)/\(String(hash, radix: 16)).\(role.rawValue)" }
    }
}
